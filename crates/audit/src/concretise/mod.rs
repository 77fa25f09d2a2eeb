//! Concretisation: real times for a run with a known order of events, by linear programming.

pub(crate) mod delays;
pub(crate) mod parameter;
pub(crate) mod times;
