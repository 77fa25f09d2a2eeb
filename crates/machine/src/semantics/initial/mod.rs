//! Initial states: enumeration, restrictions, frozen variables, sampling.

pub(crate) mod enumeration;
pub(crate) mod frozen;
pub(crate) mod inboxes;
pub(crate) mod restrictions;
pub(crate) mod sampling;
pub(crate) mod states;
