//! Constraints that declared times impose on activations: difference constraints, Boolean variables for the orders that
//! they do not determine, and the stability radius around a threshold.

pub(crate) mod atoms;
pub(crate) mod difference;
pub(crate) mod stability;
pub(crate) mod times;
