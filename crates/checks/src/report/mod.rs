//! Results of a check in words: their coverage, their assumptions, and whether they are as expected.

pub(crate) mod cover;
pub(crate) mod coverage;
pub(crate) mod judge;
