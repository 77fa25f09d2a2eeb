//! Networks of timed automata in the TChecker format (`.tck`), and a search of their zone graphs.
//!
//! The crate knows no Machines; of the workspace it depends on `cancellation`, `dbm` and `defects` only. With [`parse`] and [`reach`] it answers the
//! questions of `tck-reach` (algorithms `reach`, `covreach` and `aLU-covreach`, breadth first), with [`cycle`] those of
//! `tck-liveness`, with the same numbers of states and transitions. So models and figures that are published for TChecker
//! can be compared directly with those of Scrutineer.
//!
//! **Semantics.** Processes move alone, or together in a synchronisation. Guards are evaluated before any statement;
//! statements are executed in the order of the synchronisation; then the invariants of the new locations must hold. Time
//! passes unless a process is in a committed or urgent location. A value or an index out of range ends the search with
//! [`Unknown::Fault`], as it ends the tool.
//!
//! **Difference.** A synchronisation of weak participants of which none has an edge is no transition; the tool counts a
//! self-loop.
//!
//! **Runs.** A positive answer has a [`Path`], and [`Path::run`] gives its events the earliest exact times, and replays the
//! run on values of clocks. Of a cycle it finds a part that can be repeated for ever.
//!
//! **Not included.** Diagonal constraints are refused, as by the tool: the abstractions are not sound for them.

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
