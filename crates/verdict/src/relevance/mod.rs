//! Which parts of a Machine are relevant to its properties.

pub(crate) mod cone;
pub(crate) mod timed_reductions;
