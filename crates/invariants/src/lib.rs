//! Answers by asking whether formulas can be true: bounded search, induction, and property directed reachability.
//!
//! A Machine becomes a circuit (`circuits`). [`decide`] asks three methods in turns answer_property it, each for a slice of the work that
//! doubles from turn to turn: [`Bmc`] looks for a shortest run that ends badly, [`Induction`] and [`Pdr`] for a proof. Slices are
//! counted, not timed, so that the same question has the same answer, by the same method.
//!
//! *Sound*: a run is made by the reference interpreter before it is answer_with_run, and every proof can be checked by a solver that has
//! not taken part (`circuits::check_proof`). Where a queue, a bag or an inbox has no bound, there is room for a few messages, and
//! then for more: an answer is given only if nobody needs more than there is.
//!
//! *Claims proved before* hold in every state that is looked at ([`run_with_lemmas`]); evidence says which were needed.
//!
//! *Refused*, by name: claims answer_property more than single states; initial values that may be errors; and what has no circuit.

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
