//! Invariants by SAT: bounded model checking, k-induction, and property directed reachability (PDR).
//!
//! A Machine becomes a circuit (`circuits`). [`decide`] runs three methods in turns, each for a slice of work
//! that doubles from turn to turn: [`Bmc`] searches for a shortest run to a bad state, [`Induction`] and
//! [`Pdr`] search for a proof. Slices are counted, not timed, so the same question has the same answer, by the
//! same method.
//!
//! *Sound*: a run is constructed by the reference interpreter before it is shown, and every proof can be
//! checked by a solver that took no part (`circuits::check_proof`). Where a queue, a bag or an inbox has no
//! bound, there is room for a few messages, and then for more: an answer is given only if no event needs more
//! room than there is.
//!
//! *Lemmas*, claims that were proved before, are assumed of every state ([`run_with_lemmas`]); the evidence
//! lists those that were needed.
//!
//! *Refused*, with a reason: claims about more than single states; initial values that may be errors; and
//! Machines without a circuit.

mod answer;
mod bmc;
mod frames;
mod induction;
mod lemmas;
mod lift;
mod meter;
mod pdr;
mod portfolio;

pub use answer::{Lemma, refuses, run, run_with_lemmas};
pub use bmc::{Bmc, Depth};
pub use induction::{Induction, Step};
pub use pdr::Pdr;
pub use portfolio::{Decision, Method, Solvers, Verdict, decide};
