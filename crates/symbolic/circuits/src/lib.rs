//! Encoding of a Machine as a sequential circuit, and checks of proofs about circuits.
//!
//! A Machine becomes a [`Circuit`]: its state is a vector of latches, frozen variables are latches that never
//! change, and inputs choose the next event. One formula then covers all arrangements, faults, initial states
//! and events. Engines search for runs and proofs; [`check_proof`] checks a proof with the same circuit and
//! an independent solver.
//!
//! *Sound*: the reference interpreter replays a run before it is reported. Queues, bags and inboxes without a
//! bound get room for a fixed number of messages; a run that needs more is reported ([`Encoded::overflow`]).
//!
//! *Refused*, by name: real time; the parts of digitised time that `clock.rs` lists; rules about the order of
//! activations of three nodes; counters; crashes during a broadcast and restarts with initial values; inboxes
//! that begin with messages where frozen variables have very many values; restrictions of initial values of
//! nodes that may be off; and everything that `bits` refuses.

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
