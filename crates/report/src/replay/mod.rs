//! The replayed run and what is derived from its states: messages, timers, the cause of a failure, and the slice.

pub(crate) mod cause;
pub(crate) mod claims;
pub(crate) mod dependencies;
pub(crate) mod event_driven;
pub(crate) mod inboxes;
pub(crate) mod messages;
pub(crate) mod run;
pub(crate) mod slice;
pub(crate) mod timers;
pub(crate) mod transient;
