//! Splitting of a claim into smaller claims: one per conjunct, or one per node.

pub(crate) mod conjuncts;
pub(crate) mod each_node;
