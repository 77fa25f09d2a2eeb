//! Times: durations, periodic timings, timers.

pub(crate) mod durations;
pub(crate) mod timers;
