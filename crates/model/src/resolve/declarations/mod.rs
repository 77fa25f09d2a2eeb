//! Top-level declarations: names, parameters, abbreviations, functions, node kinds.

pub(crate) mod abbreviations;
pub(crate) mod functions;
pub(crate) mod kinds;
pub(crate) mod names;
pub(crate) mod params;
