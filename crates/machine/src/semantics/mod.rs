//! The reference interpreter: the meaning of a Machine.

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
