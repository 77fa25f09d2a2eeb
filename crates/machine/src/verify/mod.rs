//! The verifier: well-formedness, typing, and which expressions may be runtime errors.

pub(crate) mod code;
pub(crate) mod environment;
pub(crate) mod ranges;
pub(crate) mod statements;
pub(crate) mod totality;
pub(crate) mod typing;
pub(crate) mod verifier;
