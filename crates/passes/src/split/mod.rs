//! Splitting of a claim about all nodes or of a conjunction into smaller claims.

pub(crate) mod conjuncts;
pub(crate) mod each_node;
