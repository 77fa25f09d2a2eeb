//! Diagnosis of large searches: what multiplies the states, how many are left, what cannot be enumerated.

pub(crate) mod enumeration_limits;
pub(crate) mod forecast;
pub(crate) mod state_explosion;
