//! Abstractions of initial values and data: lazy initial values, data abstraction, concretisation.

pub(crate) mod concretisation;
pub(crate) mod lazy_initial_values;
