//! Unrolling of the activations of every node into one circuit.

pub(crate) mod frozen;
pub(crate) mod in_transit;
pub(crate) mod inboxes;
pub(crate) mod unrolled;
