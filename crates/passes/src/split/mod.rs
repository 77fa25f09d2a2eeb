//! Splitting of a claim into smaller claims: one for each conjunct, or one for each node.

pub(crate) mod conjuncts;
pub(crate) mod each_node;
