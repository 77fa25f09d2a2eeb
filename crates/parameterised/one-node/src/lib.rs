//! One node: the proof rule for claims about periodic nodes that hold for every number of nodes.
//!
//! *The rule* (rely-guarantee over times). Cut any run, of a network of any size, at any moment, and let times and
//! activations begin there. A *part* is a condition about the variables of one node ([`Part`]). It is *right from T on*
//! if after every such cut, at every moment strictly later than T, every running node satisfies it. For one node i, its
//! own code is unrolled from arbitrary values; what it reads at time t is constrained by the parts that are right from
//! an earlier time on, for each sender that has a name. If a part cannot be broken later than V under these
//! constraints, it is right from V on. A part may rely only on parts proved before it, so the order of proofs is well
//! founded. A claim with counts of activations then follows from the node's own times since the start of the run.
//!
//! Nothing is assumed about the number of nodes: only some nodes have names (`bits::Names`), and everything that is
//! assumed about other nodes is instantiated at names. Leaving out an instance is sound.
//!
//! The crate states the queries (`queries.rs`) and solves none: the engine in `every-size` solves them, and the audit
//! refutes them again. The head of each file argues why its step is sound: `protocol.rs` (what is in scope), `parts.rs`
//! (parts of claims), `moments.rs` (times), `looks.rs` (what a node finds in its inbox), `loops.rs` (loops over nodes),
//! `unrolled.rs` (one node's code), `queries.rs` (the rule).

pub mod defects;
mod looks;
mod loops;
mod moments;
mod parts;
mod protocol;
mod queries;
mod unrolled;
mod world;

pub use moments::{Durations, Moments, Start, Threshold};
pub use parts::{Part, candidates, parts};
pub use protocol::Protocol;
pub use queries::{Fact, Query, Right, Rule, Setting};
