//! The compiled Machine: expressions, statements, conditions and events over numbers.

pub(crate) mod compile;
pub(crate) mod compiled_machine;
pub(crate) mod condition;
pub(crate) mod domain;
pub(crate) mod event;
pub(crate) mod expression;
pub(crate) mod inbox_entry;
pub(crate) mod large_sets;
pub(crate) mod network;
pub(crate) mod restart;
pub(crate) mod statement;
pub(crate) mod timed_expressions;
pub(crate) mod timed_reductions;
pub(crate) mod totality;
