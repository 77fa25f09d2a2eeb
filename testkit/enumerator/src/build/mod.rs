//! Builds the instances of a file and a setup.

pub(crate) mod arrange;
pub(crate) mod graphs;
pub(crate) mod instances;
pub(crate) mod topology;
