//! Times: sums that depend on the state, and the timings of activations.

pub(crate) mod sums;
pub(crate) mod timing;
