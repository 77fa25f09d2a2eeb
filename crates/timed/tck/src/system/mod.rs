//! Systems with resolved names and types.

pub(crate) mod network;
pub(crate) mod query;
pub(crate) mod resolve;
pub(crate) mod typing;
