//! The engine "one node": proves claims about periodic nodes for every number of nodes, from the code of one node.
//!
//! **Method.** The rule of the crate `one_node`. Candidates for parts are the parts of all claims, without their
//! premises about counts. First, invariants among them are found by induction (the largest inductive subset). Then the
//! time T from which on a part is right is computed for one part after another, with the parts proved before, until no
//! T decreases any more. Last, each claim is proved from the T of its parts and the counts of one node.
//!
//! **Answers.** `Holds` with evidence, `Unknown` with a reason, or `Spent` with a limit. The engine never answers that a
//! claim fails: other engines search for a violating run at some size.
//!
//! **Scope.** The protocols of `one_node::Protocol`.

mod claims;
mod latest;
mod least;
mod solve;
mod stability;

pub use claims::{Analysis, Answer, Established, Failed, analyse, establish};
pub use stability::{MOST_BOUNDS, is_stable};
