//! The reference interpreter: the semantics of a Machine.
//!
//! Reading order: `state` and `event` (the data), `enabled` (which events are enabled), `step` (the effect of an
//! event), `block` and `eval` (statements and expressions), then `time`, `timers` and `runtime_faults`. `order`
//! contains the constraints on the order of activations if times are abstracted; `initial` contains the initial states.
//! The code caches nothing for speed: all engines are tested against it.

pub(crate) mod block;
pub(crate) mod enabled;
pub(crate) mod eval;
pub(crate) mod event;
pub(crate) mod initial;
pub(crate) mod instance;
pub(crate) mod order;
pub mod random;
pub(crate) mod runtime_faults;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod time;
pub(crate) mod timers;
pub(crate) mod trace;
