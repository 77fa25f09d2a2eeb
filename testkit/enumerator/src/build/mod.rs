//! From a file and a setup to its instances.

pub(crate) mod arrange;
pub(crate) mod graphs;
pub(crate) mod instances;
pub(crate) mod topology;
