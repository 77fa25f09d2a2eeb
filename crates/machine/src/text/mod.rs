//! The text form: printer, parser, and one-line renderings of states and choices.

pub(crate) mod items;
pub(crate) mod names;
pub(crate) mod parse;
pub(crate) mod parse_code;
pub(crate) mod parse_environment;
pub(crate) mod print;
pub(crate) mod print_code;
pub(crate) mod print_environment;
pub(crate) mod sexpr;
pub(crate) mod show;
