//! One event of a run: its step trace, and its words. Both are pure functions of the event and the states around it.

pub(crate) mod line;
pub(crate) mod reading;
pub(crate) mod step;
pub(crate) mod subject;
