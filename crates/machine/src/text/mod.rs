//! The text form of Machines: printer, parser, and one-line forms of states and choices for people.

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
