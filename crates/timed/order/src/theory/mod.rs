//! Consequences of declared times for chosen orders: lemmas about two and three nodes, and exact linear
//! programs.

pub(crate) mod exact;
pub(crate) mod lemmas;
