//! Counters: their classes, and the normalisation of states by a shift of each class.

pub(crate) mod classes;
pub(crate) mod shapes;
pub(crate) mod shift;
