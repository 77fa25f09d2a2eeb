//! Runs in formats of other tools.

pub mod itf;
