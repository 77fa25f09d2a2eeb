//! Replays a run on the reference interpreter, and evaluates the property on it.

pub(crate) mod confirm;
pub(crate) mod formula;
pub(crate) mod loop_closure;
pub(crate) mod moments;
pub(crate) mod replayed;
pub(crate) mod waiting;
