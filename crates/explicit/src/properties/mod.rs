//! Compiled properties and how a search monitors them.

pub(crate) mod monitor;
pub(crate) mod property;
pub(crate) mod property_cache;
