//! The story of a run: headline, one line per event, loop summary, and the explanation of the failure at the end.

pub(crate) mod ending;
pub(crate) mod headline;
pub(crate) mod lines;
pub(crate) mod loop_summary;
pub(crate) mod next;
pub(crate) mod timed;
pub(crate) mod untimed;
