//! Constraints that declared times place on activations: difference constraints, and the Boolean variables for the orders that they leave open.

