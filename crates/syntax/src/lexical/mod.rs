//! Tokens: the kinds of the lossless tree, the lexer, and the operators of other languages that it recognises.

pub(crate) mod foreign;
pub(crate) mod kind;
pub(crate) mod lexer;
