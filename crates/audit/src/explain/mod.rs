//! Explains why a claim is false on a run.

pub(crate) mod claim;
pub(crate) mod condition;
mod operators;
