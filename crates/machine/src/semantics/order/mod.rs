//! Ordering constraints on activations: rounds, order rules, chain rules.

pub(crate) mod constraints;
pub(crate) mod leads;
