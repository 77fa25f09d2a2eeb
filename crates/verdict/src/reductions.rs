//! Reductions of a search: whether each one was applied, or why it was not.

use machine::{NodeId, NodeOrderUse, Origin};
use serde::{Deserialize, Serialize};

/// A reduction of a search that was applied, or the reason why it was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reduction {
    /// Partial-order reduction was applied.
    PartialOrder,
    /// Partial-order reduction was not applied.
    NoPartialOrder(NoPartialOrder),
    /// Symmetry reduction of states was applied.
    Symmetry {
        /// The largest number of permutations of an instance.
        permutations: u64,
        /// The nodes that these permutations move.
        nodes: Vec<NodeId>,
    },
    /// Symmetry reduction of states was not applied.
    NoSymmetry(NoSymmetry),
    /// A temporal claim about each of several symmetric nodes was checked for one of them.
    Representative {
        /// The name of the claim.
        claim: String,
        /// The node for which it was checked.
        node: NodeId,
    },
    /// States were compressed, because plain ones exceeded the memory limit.
    TreeCompression,
}

/// Why partial-order reduction does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoPartialOrder {
    /// The delivery of messages is instant.
    InstantDelivery,
    /// The Machine has time.
    Time,
    /// Nodes may crash or stop.
    RuntimeFaults,
    /// Activations are in rounds.
    Rounds,
    /// The Machine has counters, which are shifted together.
    Counters,
    /// Code reads other nodes.
    ReadsOtherNodes,
    /// A property reads channels with a capacity.
    ReadsBoundedChannels,
    /// Hash compaction: only hashes of visited states are stored.
    HashCompaction,
    /// Which runs are fair may depend on the order of independent events.
    Fairness,
}

/// Why symmetry reduction of states does not apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoSymmetry {
    /// No permutation of nodes but the identity preserves the instance.
    NoPermutation,
    /// Code or a property uses the order of nodes.
    NodeOrder(NodeOrderUse),
    /// With instant delivery, a receiver reads other receivers of the same event.
    ReceiversReadOthers,
    /// The order of nodes may determine whether the evaluation of a premise is an error, because of the quantifier at
    /// this place.
    PremiseMayFail(Option<Origin>),
    /// The Machine has time and this temporal claim, given by its name.
    TimedTemporalClaim(String),
    /// A temporal claim, by its name, has a condition about one node of an outer quantifier.
    ClaimAboutOneNode(String),
    /// Another reduction excludes it.
    Excluded(ExcludedBy),
}

/// A reduction that excludes symmetry reduction of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExcludedBy {
    /// Lazy initial values.
    LazyInitialValues,
    /// Data abstraction.
    DataAbstraction,
    /// The search counts activations to find the last violation in rounds.
    LastViolation,
    /// Timed reductions: invisible deliveries and dead values.
    TimedReductions,
}
