//! Results beyond the answers: audited runs, stored runs and proofs, contradictions.

pub(crate) mod audited_run;
pub(crate) mod contradiction;
pub(crate) mod proof_file;
pub(crate) mod run_file;
