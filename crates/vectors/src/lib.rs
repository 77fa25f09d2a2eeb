//! Test vectors for the code of a node: a small set of states in which the code takes every branch of every decision.
//!
//! [`Suite::of`] covers the blocks of a node kind one by one. `sites.rs` lists the branches of the code.
//! `symbolic.rs` builds a symbolic block: the circuit of a block whose inputs are everything that the code reads,
//! that is, variables within their types, constants, inbox, delivered message and timers. A SAT solver finds inputs
//! for a branch, extends them to as many other branches as possible and minimises them, or it proves that no inputs
//! reach the branch. `replay.rs` executes every vector on the reference interpreter before it is reported.
//!
//! *States.* Variables have any values of their types, also values that no run reaches; in a `start` block all but the
//! persistent ones have initial values. No node is faulty. A message comes from a node that has an edge to this node
//! and whose code sends messages of its type. Fields that depend only on the sender and its constants have the values
//! that the sender writes; other fields have any values. Inboxes that keep more than the latest message hold only a few
//! messages of each sender and type. A branch that is not reached with so few messages is not proved unreachable.
//!
//! *Refused*, with the reason: everything that `bits` refuses, such as counters; and nodes that send messages to
//! themselves with instant delivery.

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

/// Why there are no vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The code contains a construct that cannot be translated to a circuit.
    Unsupported(String),
    /// The reference interpreter and the circuit disagree: a bug in this program.
    Disagrees(Disagrees),
}

impl From<bits::Unsupported> for Refused {
    fn from(why: bits::Unsupported) -> Refused {
        Refused::Unsupported(why.to_string())
    }
}
