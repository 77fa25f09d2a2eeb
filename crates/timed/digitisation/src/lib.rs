//! Digitisation: answers questions about dense time by Machines in which every time is a multiple of a unit.
//!
//! `plan` chooses the unit and decides whether the answer is exact. `digitise` asks the engine. `coarsen` and
//! `strengthen` produce Machines with larger units. `concretise` turns a digitised run into an exact one. `timelock`
//! searches for states from which time cannot pass.

mod coarsen;
mod concretise;
mod digitise;
mod plan;
mod strengthen;
mod timelock;

pub use digitise::{alone, answer, is_needed, renumbered};
