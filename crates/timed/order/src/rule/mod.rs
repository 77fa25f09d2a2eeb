//! The proof rule: which finitely many queries prove a claim for all time.

pub(crate) mod cut;
pub(crate) mod queries;
