//! Successor generation: the expander, and the caches that replace computation by lookup.

pub(crate) mod cached_successors;
pub(crate) mod event_numbers;
pub(crate) mod expander;
pub(crate) mod queue_cache;
pub(crate) mod transition_cache;
