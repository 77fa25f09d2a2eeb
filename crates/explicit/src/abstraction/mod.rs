//! Abstractions of initial values and data: lazy initial values, data abstraction, concretisation.

pub(crate) mod concretisation;
pub(crate) mod data_abstraction;
pub(crate) mod decisions;
pub(crate) mod lazy_initial_values;
