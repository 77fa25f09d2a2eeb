//! Machines as sequential circuits, and whether proofs about circuits are proofs.
//!
//! A Machine becomes a [`Circuit`]: its state is a row of bits, what is frozen is bits that never change, and what fires next
//! is chosen by inputs. One formula then speaks of all arrangements, faults, initial states and events at once.
//! Engines look for runs and proofs; whoever doubts them makes the same circuit and asks another solver ([`check_proof`]).
//!
//! *Sound*: a run is made by the reference interpreter before it is shown. Where a queue, a bag or an inbox has no bound,
//! there is room for so many messages; that somebody needs more is view ([`Encoded::overflow`]).
//!
//! *Refused*, by name: real times, of times on a grid what `clock.rs` names, and rules about the order of activations of three nodes; counters; crashes during a broadcast and
//! restarts with initial values; inboxes that begin with messages where what is frozen has very many values; restrictions of
//! initial values of nodes that may be off; and what `bits` refuses.

mod activations;
mod check;
mod circuit;
mod clock;
mod counterexample;
mod effects;
mod encode;
mod events;
mod initial;
mod shape;
mod state;
mod timeline;
mod view;

pub use check::{Flaw, check_inductive, check_invariant, check_proof};
pub use circuit::{Circuit, Clause, Latch, Moment, Proof, Trace, value_of};
pub use counterexample::{Shows, longest, run};
pub use encode::{Asked, Encoded, decided_by, encode, property};
pub use timeline::{Begins, Timeline};
