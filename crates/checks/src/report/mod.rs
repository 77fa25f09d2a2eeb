//! Results of a check put in words and judged: what they cover, and whether they are as expected.

pub(crate) mod cover;
pub(crate) mod coverage;
pub(crate) mod judge;
