//! Zones: answers questions about states of Machines with real times by a search of the zone graph.
//!
//! A symbolic state is a *discrete part*, which is a state of the reference interpreter without its times, with a zone
//! over the *clocks* of its pending obligations. There is a clock since the last activation of each periodic node
//! (before the first activation, since its start), since the sending of each message with a delay, since the setting of
//! each timer, since each stop of a node that has to restart in time, and since each response became owed. The clock
//! `now` is never reset; it exists if a property reads it. `clocks` determines the clocks of a discrete part; no others
//! are in its zones.
//!
//! **Transitions.** The events of a discrete part and its successors are those of the reference interpreter if times are
//! ignored ([`machine::Instance::choices_at_any_time`]). Time adds for each event at most one lower bound of a clock, and
//! for each discrete part upper bounds of clocks beyond which time does not pass. Both are the intervals of
//! `crates/machine/src/semantics/time.rs`. All events at one moment may happen in any order.
//!
//! **Why subsumption is sound.** Each test of the model and of the properties compares one clock with a constant. So a
//! state need not be visited if its zone is a subset of the abstraction aLU of the zone of a visited state with the same
//! discrete part ([`dbm`]). The bounds L and U depend on the discrete part. Those of a timer that is set are its own
//! two durations, which the discrete part contains; those of `now` and of responses are the constants of the
//! properties. Zones are never extrapolated, so each is exactly the set of times that its path allows; aLU alone makes
//! the search finite for finitely many discrete parts.
//!
//! **Answers.** A property holds only if the whole graph was visited. The times of a counterexample are the least
//! solution of the constraints along its path (`times`), and the audit confirms the run; otherwise the answer is
//! unknown. What cannot be represented exactly is refused by name (`scope`).

mod clocks;
mod conditions;
pub mod defects;
mod graph;
mod report;
mod scope;
mod search;
mod times;
mod visited;

pub use report::{answer, reachable};
