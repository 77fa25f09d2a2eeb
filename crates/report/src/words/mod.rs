//! Names: how values, nodes, times, states, timers, claims and errors are written.

pub(crate) mod changes;
pub(crate) mod deadline;
pub(crate) mod errors;
pub(crate) mod names;
pub(crate) mod state;
pub(crate) mod times;
