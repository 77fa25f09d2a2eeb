//! Constraints of declared times on activations: difference constraints, the Boolean variables for the orders
//! that they leave open, and how stable their conclusions are.

pub(crate) mod atoms;
pub(crate) mod difference;
pub(crate) mod stability;
pub(crate) mod times;
