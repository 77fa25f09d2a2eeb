//! Instances of a check: values of parameters, topologies and graphs, and the searched parameter.

pub(crate) mod graphs;
pub(crate) mod networks;
pub(crate) mod request;
pub(crate) mod search;
pub(crate) mod topology;
