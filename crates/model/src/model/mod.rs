//! The typed Model: items, types, expressions, timings, environment and checks of a file.

pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod data;
pub(crate) mod environment;
pub(crate) mod expr;
pub(crate) mod item;
pub(crate) mod matching;
pub(crate) mod timer;
pub(crate) mod timing;
pub(crate) mod types;
pub(crate) mod uses;
