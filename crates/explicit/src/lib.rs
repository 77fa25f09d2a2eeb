//! The explicit-state model checker.
//!
//! For each instance (choice of frozen values), the search visits all states breadth first. Instances that differ by a
//! rotation are searched once if the rotation preserves all answers. Conditions are evaluated when a state is visited,
//! so the first counterexample to an invariant is a shortest one. Temporal claims are decided on the product of the
//! state graph with a Büchi automaton for the negated claim: an accepting fair strongly connected component is a
//! counterexample. The search looks for such components repeatedly on the part of the graph explored so far; that a
//! claim holds is decided on the complete graph (`search/temporal.rs`).
//!
//! [`run`] with default [`Options`] omits no state: it uses no reduction except rotation of instances and compares
//! states exactly. At a limit the answer is `unknown`. The other engines and all reductions are tested against its
//! answers.
//!
//! *Cone of influence.* Variables, fields and messages outside of the cone of influence have one fixed value in all
//! states. The cone is computed by the caller (`passes::cone_of_influence`), and its soundness is assumed here. The
//! reference interpreter restores the real values in reported runs.
//!
//! *Lazy initial values.* A component of the initial state stays undecided, and represents all its initial values,
//! until an event reads it (`abstraction/lazy_initial_values.rs` gives the conditions and the proof). *Data
//! abstraction.* A first search treats data as unknown (`abstraction/data_abstraction.rs`). A claim that holds in this
//! abstraction holds. A violation is reported only if it can be concretised.
//!
//! *Partial-order reduction* fires, where possible, only a persistent set of the events of a state
//! (`por/stubborn_sets.rs`). *Symmetry reduction* visits one state of each orbit under permutations of nodes
//! (`symmetry/applicability.rs`). If a reduction does not apply, the report gives the reason.
//!
//! *Counters* are stored as distances from the least counter of their class, within bounds that grow as needed
//! (`search/counter_bounds.rs`). States that differ by a shift of a class are equal, as in the reference interpreter.
//!
//! *The visited set* has three forms (`store/row_set.rs`); the budget selects one. Hash compaction may miss states
//! (`store/hash_compaction.rs` derives the probability): the search then reports violations as usual, and answers
//! `unknown` where an exact search answers `holds`.
//!
//! The engine refuses what it cannot represent: a type with more than 2^62 values, or a set over more than 62 values.
//!
//! Modules, from the bottom up: `store`, `state`, `program`, `events`, `abstraction`, `symmetry`, `expand`,
//! `properties`, `graph`, `por`, `liveness`, `diagnose`, `parallel`, `search`. A module depends only on modules before
//! it, and on `defects`.

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
