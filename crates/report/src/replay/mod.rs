//! The replayed run: its step traces, messages, timers, the cause of a failure and the slice of events that matter.

pub(crate) mod cause;
pub(crate) mod effects;
pub(crate) mod inboxes;
pub(crate) mod messages;
pub(crate) mod slice;
pub(crate) mod step;
pub(crate) mod timers;
pub(crate) mod transient;
