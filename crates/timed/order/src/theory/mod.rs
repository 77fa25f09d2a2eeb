//! What declared times imply for chosen orders: lemmas about two and three nodes, and exact linear programs.

pub(crate) mod exact;
pub(crate) mod lemmas;
