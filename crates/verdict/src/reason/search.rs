//! Why a method ends without a decision, and what it has established.

use super::Spent;
use machine::PropertyKind;
use serde::{Deserialize, Serialize};

/// Why a method ended without a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// A limit was reached.
    Limit(Spent),
    /// A limit was reached in an explicit search.
    LimitAfter {
        /// The limit.
        spent: Spent,
        /// The number of visited states.
        states: u64,
        /// The depth in events that the search reached; `None` if no state of the current instance was visited.
        depth: Option<u64>,
    },
    /// A limit was reached in the search for accepting cycles.
    LimitInInfiniteRuns(Spent),
    /// The differences of counters exceed the widest bounds that are tried.
    CountersGrow {
        /// The counters: the name of each, and the kind or message type that has it.
        counters: Vec<(String, String)>,
        /// The largest difference of two counters that is tried.
        most: i64,
    },
}

/// The kind of run that is searched for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// A run that violates the claim.
    Break,
    /// A run that reaches the condition.
    Reach,
}

impl Goal {
    /// The goal of a property.
    pub fn of(kind: &PropertyKind) -> Goal {
        match kind {
            PropertyKind::Claim(_) => Goal::Break,
            PropertyKind::Possible(_) => Goal::Reach,
        }
    }
}

/// What a method established before it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Established {
    /// Nothing that can be reported.
    Nothing,
    /// An explicit search visited some states.
    Searched(Searched),
    /// No run of fewer steps than this violates the claim or reaches the condition.
    FewerSteps(usize),
}

/// The part of the instances and runs that an explicit search has covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// The kind of run that is searched for the property.
    pub goal: Goal,
    /// Number of instances that were searched completely.
    pub instances: u64,
    /// The number of all instances; `None` if it was not counted.
    pub of: Option<u64>,
    /// Whether there is more than one instance.
    pub several: bool,
    /// How far the search covered the instance in which it ended.
    pub depth: Depth,
    /// The number of bits per hash, if states were identified by hashes.
    pub hash_bits: Option<u32>,
}

/// How far a search covered an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Depth {
    /// Not known.
    Unknown,
    /// The claim is about infinite runs, and nothing is known about these.
    InfiniteRuns,
    /// All runs of up to this many events are covered.
    Events(u64),
    /// All states are covered.
    AllStates,
}
