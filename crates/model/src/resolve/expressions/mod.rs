//! Expressions: the type and the meaning of every form.

pub(crate) mod calls;
pub(crate) mod fields;
pub(crate) mod infer;
pub(crate) mod matching;
pub(crate) mod names;
pub(crate) mod operators;
pub(crate) mod quantifiers;
