//! Tokens: the kinds of the lossless tree, the lexer, and operators of other languages.

pub(crate) mod foreign;
pub(crate) mod kind;
pub(crate) mod lexer;
