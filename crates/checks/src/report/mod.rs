//! Results of a check as text: coverage, assumptions, and the comparison with `expect`.

pub(crate) mod cover;
pub(crate) mod coverage;
pub(crate) mod judge;
