//! The results of a check, as text and as files: JSON, JUnit, stored runs and proofs.

pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod never;
pub(crate) mod places;
pub(crate) mod premises;
pub(crate) mod proofs;
pub(crate) mod runs;
pub(crate) mod sentences;
pub(crate) mod state_explosion;
pub(crate) mod summary;
pub(crate) mod unknowns;
