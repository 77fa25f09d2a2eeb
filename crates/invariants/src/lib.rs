//! Invariants by SAT: bounded model checking, k-induction, and property directed reachability (PDR).
//!
//! A Machine is translated to a circuit (`circuits`). [`decide`] runs three methods in turns, each for a slice of work
//! that doubles from turn to turn. [`Bmc`] searches for a shortest run to a bad state; [`Induction`] and [`Pdr`] search
//! for a proof. Slices are measured in solver callbacks, not in time, so the same question always gets the same answer
//! by the same method.
//!
//! *Soundness.* The reference interpreter reconstructs every run before it is shown, and a different solver can check
//! every proof (`circuits::check_proof`). The circuit represents a bounded number of messages in an unbounded queue,
//! bag or inbox. This number is increased as needed; an answer is given only if no event needs more.
//!
//! *Lemmas* are claims proved earlier, which are assumed in every state ([`run_with_lemmas`]). The evidence lists the
//! lemmas that were needed.
//!
//! *Refused*, with a reason: claims about more than single states, initial values that may be runtime errors, and
//! Machines that cannot be translated to a circuit.

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
