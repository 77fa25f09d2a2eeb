//! Unrolling of the activations of every node into one circuit.

