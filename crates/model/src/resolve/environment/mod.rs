//! The environment of the nodes: network, topology, faults, worlds.

pub(crate) mod faults;
pub(crate) mod instant;
pub(crate) mod network;
pub(crate) mod topologies;
pub(crate) mod worlds;
