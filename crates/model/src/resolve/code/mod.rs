//! The code of nodes: blocks, statements, actions, assignments, inboxes.

pub(crate) mod actions;
pub(crate) mod assignment;
pub(crate) mod inbox;
pub(crate) mod statements;
