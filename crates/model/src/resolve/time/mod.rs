//! Times: durations, schedules, timers.

pub(crate) mod durations;
pub(crate) mod timers;
