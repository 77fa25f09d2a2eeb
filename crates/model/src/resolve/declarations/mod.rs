//! Top-level declarations: names, parameters, abbreviations, functions, kinds of nodes.

pub(crate) mod abbreviations;
pub(crate) mod functions;
pub(crate) mod kinds;
pub(crate) mod names;
pub(crate) mod params;
