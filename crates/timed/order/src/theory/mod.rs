//! Consequences of declared times for a choice of orders: lemmas about two and three nodes, and exact linear programming.

pub(crate) mod exact;
pub(crate) mod lemmas;
