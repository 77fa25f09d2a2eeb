//! Test vectors for the code of a node: what it does in a few states, so that every outcome of every decision is met.
//!
//! [`Suite::of`] takes the blocks of a kind one after the other. `sites.rs` lists the outcomes in the code. A symbolic (`symbolic.rs`) is the
//! code over bits, in which everything it reads is an input: variables in their types, constants, inbox, the message that
//! is handed over, timers. A solver finds inputs for an outcome, for as many others as go with it, and then the smallest of
//! these inputs; or it proves that there are none. `replay.rs` runs every vector on the reference interpreter before anybody
//! sees it.
//!
//! *What counts as a state.* Variables have any values of their types, also such as no run comes to; when a node starts,
//! those with which they can begin. Nothing is wrong with any node. A message comes from a node that has an edge to this one
//! and whose code sends messages of its type; fields that depend on nothing but the sender and its constants are as the
//! sender writes them, others have any values. Where inboxes keep more than the latest message there is room for a few of
//! each sender and type: what is not met so is not proved to be unreachable.
//!
//! *Refused*, by name: what `bits` refuses, such as counters; nodes that hand messages to themselves at once.

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
    /// Something cannot be said over bits.
    Unsupported(String),
    /// The interpreter does something else than the solver believes: a mistake of this program.
    Disagrees(Disagrees),
    /// Somebody wanted to stop before there was anything to show.
    Stopped,
}

impl From<bits::Unsupported> for Refused {
    fn from(why: bits::Unsupported) -> Refused {
        Refused::Unsupported(why.to_string())
    }
}
