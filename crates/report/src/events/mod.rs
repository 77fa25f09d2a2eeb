//! One event of a run: its step trace, and its line, which has the action, the read of the inbox and the effects as
//! data with their texts. Both are pure functions of the run.

pub(crate) mod action;
pub(crate) mod change;
pub(crate) mod effect;
pub(crate) mod line;
pub(crate) mod reading;
pub(crate) mod step;
pub(crate) mod subject;
pub(crate) mod timer_change;
