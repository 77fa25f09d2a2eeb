//! The state that all parts of lowering share: the Machine so far, origins, local names, counts.

pub(crate) mod counts;
pub(crate) mod lowering;
pub(crate) mod names;
pub(crate) mod origins;
pub(crate) mod size;
