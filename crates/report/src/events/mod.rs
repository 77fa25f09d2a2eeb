//! One event of a run: its step trace, and its line: action, read and effects as data, each with its text. All are pure
//! functions of the event and the states around it.

pub(crate) mod action;
pub(crate) mod change;
pub(crate) mod effect;
pub(crate) mod line;
pub(crate) mod reading;
pub(crate) mod step;
pub(crate) mod subject;
pub(crate) mod timer_change;
