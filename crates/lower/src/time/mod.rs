//! Times: sums that depend on the state, and schedules of activations.

pub(crate) mod sums;
pub(crate) mod timing;
