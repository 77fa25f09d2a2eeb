//! Stored results: runs and proofs, one file each.

pub(crate) mod proof;
pub(crate) mod run;
