//! Searches of the zone graph: reachability and cycles.

pub(crate) mod liveness;
pub(crate) mod reach;
pub(crate) mod states;
