//! The compiled Machine: expressions, statements, conditions and events over numbers.

pub(crate) mod compile;
pub(crate) mod compiled_machine;
pub(crate) mod domain;
pub(crate) mod expression;
pub(crate) mod inbox_entry;
pub(crate) mod large_sets;
pub(crate) mod statement;
