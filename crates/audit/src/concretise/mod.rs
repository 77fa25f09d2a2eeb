//! Concretisation: finds real times for a run whose order of events is given, by linear programming.

pub(crate) mod delays;
pub(crate) mod parameter;
pub(crate) mod times;
