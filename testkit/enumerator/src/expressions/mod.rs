//! Expressions: evaluation, operators, sets and quantifiers, types.

pub(crate) mod eval;
pub(crate) mod operators;
pub(crate) mod sets;
pub(crate) mod types;
