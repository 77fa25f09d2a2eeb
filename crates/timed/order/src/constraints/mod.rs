//! Constraints that declared times place on activations: difference constraints, and the Boolean variables for the orders that they leave open.

pub(crate) mod atoms;
pub(crate) mod difference;
pub(crate) mod stability;
pub(crate) mod times;
