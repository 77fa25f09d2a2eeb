//! Counterexample-guided abstraction refinement (CEGAR) for periodic nodes: an engine that knows only the order of events answers
//! questions about real times.
//!
//! `refine` is the loop. Two ways to find a concrete run without a search stand beside it: `corner`, schedules at the ends of
//! the declared intervals, and `repetition`, loops that repeat the end of a known run.

pub mod corner;
mod delivery_policy;
mod refine;
pub mod repetition;

pub use refine::{MOST_STATES_FOR_SHORTER, answer, at_abstraction_without_rules, real_answer};
