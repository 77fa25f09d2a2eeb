//! Temporal claims: product with a Büchi automaton, fairness, lassos.

pub(crate) mod claim;
pub(crate) mod lasso;
pub(crate) mod last_violation;
pub(crate) mod product;
pub(crate) mod symmetric_fairness;
