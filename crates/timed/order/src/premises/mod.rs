//! What the proof rule requires of a Machine and of a claim, and the case split by initial phases.

pub(crate) mod counts;
pub(crate) mod phases;
pub(crate) mod scope;
