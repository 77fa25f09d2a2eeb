//! Counterexample-guided abstraction refinement (CEGAR) for periodic nodes: answers questions about exact times by an
//! engine that sees only the order of events.
//!
//! `refine` is the CEGAR loop, `rules` finds the order rules that refine the abstraction, and `concretise` computes
//! times for a run of the abstraction. Two methods find a run with times without a search: `corner` (schedules at the
//! ends of the declared intervals) and `repetition` (lassos that repeat the end of a known run).

mod concretise;
pub mod corner;
mod delivery_policy;
mod refine;
pub mod repetition;
mod rules;

pub use concretise::concretised_answer;
pub use refine::{MOST_STATES_FOR_SHORTER, answer};
pub use rules::untimed;
