//! How values, nodes, times, states, timers, claims and errors are written.

pub(crate) mod claims;
pub(crate) mod errors;
pub(crate) mod names;
pub(crate) mod state;
pub(crate) mod timers;
pub(crate) mod times;
