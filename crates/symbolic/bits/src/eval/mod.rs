//! Evaluation of expressions over bits: the evaluator, its operators and quantifiers, and the state it reads.

pub(crate) mod branches;
pub(crate) mod elements;
pub(crate) mod evaluator;
pub(crate) mod names;
pub(crate) mod operators;
pub(crate) mod place;
pub(crate) mod quantify;
pub(crate) mod timers;
pub(crate) mod world;
