//! The reachable states of an instance as a graph.

pub(crate) mod explore;
pub(crate) mod graph;
