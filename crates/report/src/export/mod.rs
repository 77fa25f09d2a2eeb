//! Runs as data, and in formats of other tools.

pub mod itf;
pub(crate) mod run_data;
