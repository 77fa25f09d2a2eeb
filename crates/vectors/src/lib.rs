//! Test vectors for the code of a node: a small set of states in which the code takes every branch of every
//! decision.
//!
//! [`Suite::of`] covers the blocks of a kind one by one. `sites.rs` lists the branches in the code. A
//! symbolic block (`symbolic.rs`) is the code over bits with everything it reads as inputs: variables within
//! their types, constants, inbox, the delivered message, timers. A solver finds inputs for a branch, extends
//! them to as many other branches as possible, and then minimises them; or it proves that there are none.
//! `replay.rs` runs every vector on the reference interpreter before it is reported.
//!
//! *States.* Variables have any values of their types, including values that no run reaches; at the start of
//! a node they have initial values. No node is faulty. A message comes from a node that has an edge to this
//! one and whose code sends messages of its type; fields that depend only on the sender and its constants
//! have the values that the sender writes, other fields have any values. Inboxes that keep more than the
//! latest message have room for a few messages of each sender and type: a branch that is not covered this way
//! is not proved unreachable.
//!
//! *Refused*, by name: everything that `bits` refuses, such as counters; nodes that deliver messages to
//! themselves instantly.

mod cover;
mod json;
mod replay;
mod sites;
mod symbolic;
mod text;

pub use cover::{Fate, Outcome, Suite};
pub use json::{About, json, text};
pub use replay::{Disagrees, End, Vector};
pub use text::{coverage, outcome_text, place_of};

/// The reason why there are no vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A construct has no circuit.
    Unsupported(String),
    /// The interpreter and the solver disagree: a bug in this program.
    Disagrees(Disagrees),
    /// The search was stopped before it had a result.
    Stopped,
}

impl From<bits::Unsupported> for Refused {
    fn from(why: bits::Unsupported) -> Refused {
        Refused::Unsupported(why.to_string())
    }
}
