//! The code of nodes: blocks, statements, expressions, calls, matches.

pub(crate) mod calls;
pub(crate) mod expressions;
pub(crate) mod matching;
pub(crate) mod statements;
