//! Runs: a path of the zone graph gets times, and is replayed on clock values.

pub(crate) mod path;
pub(crate) mod repetition;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod times;
