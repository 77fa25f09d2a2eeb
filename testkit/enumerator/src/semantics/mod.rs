//! The semantics of a model: initial states, events, code, inboxes, timers, activations, faults, passing of time.

pub(crate) mod activation;
pub(crate) mod assignment;
pub(crate) mod events;
pub(crate) mod exec;
pub(crate) mod inbox;
pub(crate) mod initial;
pub(crate) mod initial_faults;
pub(crate) mod intervals;
pub(crate) mod passing;
pub(crate) mod runtime_faults;
pub(crate) mod timers;
