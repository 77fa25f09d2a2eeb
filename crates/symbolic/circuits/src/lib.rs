//! Encodes a Machine as a sequential circuit, and checks proofs about circuits.
//!
//! A Machine becomes a [`Circuit`]: its state is a vector of latches, frozen variables are latches that never change,
//! and inputs choose the next event. So one formula covers all arrangements, faults, initial states and events. Engines
//! search for runs and proofs; [`check_proof`] checks a proof of the same circuit with an independent solver.
//!
//! *Sound*: the reference interpreter replays every run before it is reported. Queues, bags and inboxes without a
//! declared bound get a fixed number of slots; a run that needs more is reported as an overflow
//! ([`Encoded::overflow`]).
//!
//! *Refused*, by name: dense time; the parts of digitised time that `clock.rs` lists; order rules about three nodes;
//! counters; crashes during a broadcast; restarts with initial values; inboxes that begin with messages if there are
//! very many choices of frozen values; restrictions of initial values of nodes that may be off; and everything that
//! `bits` refuses.

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
mod shared;
mod state;
mod timeline;
mod view;

pub use check::{Flaw, check_inductive, check_invariant, check_proof};
pub use circuit::{Circuit, Clause, Latch, Moment, Proof, Trace, value_of};
pub use counterexample::{Shows, longest, run};
pub use encode::{Asked, Encoded, decided_by, encode, property};
pub use timeline::{Begins, Timeline};
