//! Unrolls the activations of all nodes into one circuit.

pub(crate) mod frozen;
pub(crate) mod in_transit;
pub(crate) mod inboxes;
pub(crate) mod unrolled;
