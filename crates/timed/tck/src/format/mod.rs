//! The text of a file: declarations, expressions and statements, without the meaning of names.

pub(crate) mod declarations;
pub(crate) mod error;
pub(crate) mod expressions;
pub(crate) mod lexer;
