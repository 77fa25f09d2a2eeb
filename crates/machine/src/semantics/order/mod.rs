//! Constraints on the order of activations if they have no times: rounds, order rules, chain rules.

pub(crate) mod constraints;
pub(crate) mod leads;
