//! Digitisation: questions about dense time, answered where every time is a multiple of a unit.
//!
//! `plan` chooses the unit and says whether the answer there is final; `digitise` asks; `coarsen` and `strengthen` try larger units;
//! `concretise` turns the ticks of a run into times; `timelock` looks for states in which time cannot pass.

mod coarsen;
mod concretise;
mod digitise;
mod plan;
mod strengthen;
mod timelock;

pub use digitise::{Say, alone, answer, is_needed, promised, renumbered};
pub use plan::unit;
