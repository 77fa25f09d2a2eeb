//! The explicit-state model checker.
//!
//! For each instance (choice of frozen values), up to rotation where that is exact, the search visits all states
//! breadth first. Conditions are evaluated on the way, so the first run found is a shortest one. Temporal claims are
//! decided on the product of the state graph with a Buechi automaton for the negated claim: an accepting fair strongly
//! connected component is a counterexample. Violations are searched for now and then during the search; that there is
//! none is decided on the complete graph (`search/temporal.rs`).
//!
//! [`run`] with default [`Options`] is *sound* because it omits nothing: it uses no reduction but rotation and compares
//! states exactly, and at a limit the answer is `unknown`. It is the verdict of record for all reductions.
//!
//! *Cone of influence.* Components of variables and messages on which no answer depends have one value in all states.
//! This is as sound as the claim of the caller (`passes::cone_of_influence`); the reference interpreter restores these
//! components in reported runs.
//!
//! *Lazy initial values and data abstraction.* A component of the initial state stands for all its values until an
//! event reads it (`abstraction/lazy_initial_values.rs` says when, and why that is exact). A search with unknown data
//! comes first (`abstraction/data_abstraction.rs`): what holds there holds, and violations count only if they are
//! concretised.
//!
//! *Partial-order reduction* fires a persistent set of events in each state (`por/stubborn_sets.rs`). *Symmetry
//! reduction* visits one state of each orbit under permutations of nodes (`symmetry/applicability.rs`). Where they do
//! not apply, the report gives the reason.
//!
//! *Counters* are stored as distances from the least counter of their class, within bounds that grow as needed
//! (`search/counter_bounds.rs`): states that differ by a shift are equal, as in the reference interpreter.
//!
//! *The visited set* has three forms, chosen by the budget (`store/row_set.rs`). Under hash compaction states may be
//! missed (`store/hash_compaction.rs` derives the probability): violations are reported as usual, and nothing is
//! claimed to hold.
//!
//! The engine refuses what it cannot represent: a type with more than 2^62 values, or a set over more than 62.
//!
//! Rooms, from the bottom up: `store`, `state`, `program`, `events`, `abstraction`, `symmetry`, `expand`, `properties`,
//! `graph`, `por`, `liveness`, `diagnose`, `parallel`, `search`. A room depends only on rooms before it.

mod abstraction;
pub mod defects;
mod diagnose;
mod events;
mod expand;
mod graph;
mod liveness;
mod parallel;
mod por;
mod program;
mod properties;
mod search;
mod state;
mod store;
mod symmetry;

pub use liveness::last_violation::{Count, Last};
pub use search::run::{Options, SymmetryReduction, last, run};
