//! Random simulation of a check: many runs of each instance, and counts over them.

pub(crate) mod batches;
pub(crate) mod monitor;
pub(crate) mod simulate;
pub(crate) mod tally;
