//! The terminal: lines, progress, questions to the user, interrupts, diagnostics.

pub(crate) mod diagnostics;
pub(crate) mod interrupt;
pub(crate) mod lines;
pub(crate) mod progress;
pub(crate) mod question;
