//! Execution of a block over bits: its statements, effects and timers.

pub(crate) mod run;
pub(crate) mod timers;
