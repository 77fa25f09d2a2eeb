//! Answers by visiting every state.
//!
//! For each choice of what is frozen, up to rotation where that is exact, all states are found breadth
//! first: conditions are decided on the way, so that the first run found is a shortest one. Temporal
//! claims are decided on the product of the graph with an automaton for the negated claim: a strongly connected part
//! that accepts and is fair is a counterexample. That there is one is found out now and then while the search goes on, in what is
//! known by then; that there is none only on the finished graph (`temporal.rs`).
//!
//! *Sound*, as [`run`] does it, because nothing is left out: no reduction but rotation, exact comparison of
//! states, and when a limit is reached the answer is `unknown`. It is the verdict of record for whoever does
//! leave out.
//!
//! [`run_with_less`] leaves out two things, and compares as exactly what remains. *What is not relevant*: parts of
//! variables and of messages of which the caller says, for each node, that no answer depends on them; they have
//! one value in all states. That is as sound as what the caller says (`passes::relevant`), and a run that it finds
//! gets them back from the reference interpreter. *Initial values that nobody has read*: a part stands for
//! all its initial values until something reads it, which then happens once for each (`undecided.rs` says
//! when, and why no run is lost). Before that it tries a search in which data is not known at all
//! (`unknown.rs`): what holds there holds, and runs count only if they can be followed in the exact search.
//!
//! [`run_reduced`] leaves out orders of events that make no difference (`stubborn.rs` says which, and why), or says why it
//! cannot and leaves out nothing.
//! [`run_symmetric`] visits one of the states that differ only in who is who (`symmetry.rs`), where nobody can tell.
//!
//! Counters are kept as distances from the least of their class (`normal.rs`), with room for as much as is needed
//! (`windows.rs`): states that differ by a shift are the same, as the reference interpreter says.
//!
//! How visited states are kept is a matter of the budget (`set.rs`). Where only hashes are, states may be missed (`hashes.rs` says with
//! which probability): then runs are found as always, and nothing is said to hold.
//!
//! What it cannot represent (a type with more than 2^62 values, a set over more than 62) it refuses.

mod abstraction;
#[cfg(feature = "defects")]
pub mod defects;
#[cfg(not(feature = "defects"))]
mod defects;
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
