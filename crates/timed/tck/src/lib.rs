//! Networks of timed automata in the TChecker format (`.tck`), and a search of their zone graphs.
//!
//! The crate is independent of Machines; of the workspace it depends on `cancellation`, `dbm` and `defects` only.
//! [`parse`] and [`reach`] answer the questions of `tck-reach` (algorithms `reach`, `covreach` and `aLU-covreach`,
//! breadth first); [`cycle`] answers those of `tck-liveness`. The numbers of states and transitions are the same, so
//! models and figures that are published for TChecker can be compared directly with those of Scrutineer.
//!
//! **Semantics.** A process moves alone, or together with others in a synchronisation. Guards are evaluated before any
//! statement; statements are executed in the order of the synchronisation; then the invariants of the new locations
//! must hold. Time passes unless a process is in a committed or urgent location. As in TChecker, a value or an index
//! out of range ends the search ([`Unknown::Fault`]).
//!
//! **Difference.** If all participants of a synchronisation are weak and none has an edge, there is no transition;
//! TChecker counts a self-loop.
//!
//! **Runs.** A positive answer has a [`Path`]. [`Path::run`] computes the earliest exact times of its events and
//! replays the run on values of clocks. For a cycle it finds a part that can be repeated for ever.
//!
//! **Not included.** Diagonal constraints are refused, as in TChecker, because the abstractions are not sound for them.

pub mod defects;
mod format;
mod graph;
mod runs;
mod search;
mod system;

pub use format::error::Error;
pub use runs::path::{NoRun, Path};
pub use runs::replay::Rejected;
pub use runs::run::{Event, Move, Named, Run, Situation, Time};
pub use search::liveness::{Cycle, cycle};
pub use search::reach::{MayContinue, Progress, Reached, Unknown, reach};
pub use search::states::Subsumption;
pub use system::network::System;
pub use system::query::Query;
pub use system::resolve::parse;
