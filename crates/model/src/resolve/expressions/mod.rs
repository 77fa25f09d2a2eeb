//! Expressions: the typed form of every form of the AST.

pub(crate) mod calls;
pub(crate) mod fields;
pub(crate) mod infer;
pub(crate) mod matching;
pub(crate) mod names;
pub(crate) mod operators;
pub(crate) mod quantifiers;
