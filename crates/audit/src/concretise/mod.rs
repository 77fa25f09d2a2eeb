//! Concretisation: real times for a run of which only the order of events is known, by linear programming.

pub(crate) mod delays;
pub(crate) mod parameter;
pub(crate) mod times;
