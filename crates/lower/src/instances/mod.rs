//! Instances of a check: parameter values, topologies and graphs, and candidates for sought values.

pub(crate) mod graphs;
pub(crate) mod networks;
pub(crate) mod request;
pub(crate) mod search;
pub(crate) mod topology;
