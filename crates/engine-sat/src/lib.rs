//! Answers by asking whether formulas can be true: bounded search, induction, and property directed reachability.
//!
//! A Machine becomes a [`Circuit`]: its state is a row of bits, what is rigid is bits that never change, and what happens next
//! is chosen by inputs. One formula then speaks of all arrangements, faults, initial states and events at once.
//!
//! [`decide`] asks three methods in turns about a circuit, each for a slice of the work that doubles from turn to turn:
//! [`Bmc`] looks for a shortest run that ends badly, [`Induction`] and [`Pdr`] for a proof. Slices are counted, not timed,
//! so that the same question has the same answer, by the same method.
//!
//! *Sound*: a run is made by the reference interpreter before it is shown, and every proof can be checked by a solver that has
//! not taken part ([`check_proof`]). Where a queue, a bag or an inbox has no bound, there is room for a few messages, and then for
//! more: an answer is given only if nobody needs more than there is.
//!
//! *Refused*, by name: claims about more than single states; real times, timers and rules about the order of activations;
//! counters; crashes during a broadcast and restarts with initial values; inboxes that begin with messages where what is
//! rigid has very many values; restrictions of initial values of nodes that may be off; initial values that may be errors; and
//! what `bits` refuses.

mod answer;
mod bmc;
mod check;
mod circuit;
mod deeds;
mod encode;
mod events;
mod induction;
mod initial;
mod lift;
mod pdr;
mod portfolio;
mod seen;
mod shape;
mod state;
mod timeline;
mod witness;

pub use answer::{refuses, run};
pub use bmc::{Bmc, Depth};
pub use check::{Flaw, check_inductive, check_invariant, check_proof};
pub use circuit::{Circuit, Clause, Latch, Moment, Proof, Trace, Verdict};
pub use induction::{Induction, Step};
pub use pdr::Pdr;
pub use portfolio::{Decision, Method, Solvers, decide};
