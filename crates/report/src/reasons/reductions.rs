//! The sentences for reductions of a search.

use machine::{NodeId, NodeOrderUse, Origin};
use verdict::{ExcludedBy, Labels, NoPartialOrder, NoSymmetry, Reduction};

/// A reduction that was applied, or why it was not, without a full stop. `labels` are those of the instance.
pub fn reduction(reduction: &Reduction, labels: &Labels) -> String {
    match reduction {
        Reduction::PartialOrder => {
            "partial-order reduction: orders of independent events are left out".into()
        }
        Reduction::NoPartialOrder(why) => format!(
            "no partial-order reduction, every order of events is followed: {}",
            no_partial_order(*why)
        ),
        Reduction::Symmetry {
            permutations,
            nodes,
        } => format!(
            "symmetry reduction: {permutations} permutations of nodes {}",
            numbers(nodes)
        ),
        Reduction::NoSymmetry(why) => {
            format!("no symmetry reduction: {}", no_symmetry(why, labels))
        }
        Reduction::Representative { claim, node } => {
            format!("symmetry reduction of claims: {claim} is asked of {node} for all")
        }
        Reduction::TreeCompression => {
            "tree compression: there was no more memory for states as they are".into()
        }
    }
}

fn numbers(nodes: &[NodeId]) -> String {
    let numbers: Vec<String> = nodes.iter().map(|node| (node.0 + 1).to_string()).collect();
    numbers.join(", ")
}

fn no_partial_order(why: NoPartialOrder) -> &'static str {
    match why {
        NoPartialOrder::InstantDelivery => "messages arrive at once",
        NoPartialOrder::Time => "there is time",
        NoPartialOrder::RuntimeFaults => "nodes may crash or stop",
        NoPartialOrder::Rounds => "nodes keep pace with each other",
        NoPartialOrder::Counters => "counters of all nodes are shifted together",
        NoPartialOrder::ReadsOtherNodes => "code looks at other nodes",
        NoPartialOrder::ReadsBoundedChannels => "a property looks at channels with a bound",
        NoPartialOrder::HashCompaction => "only hashes of visited states are kept",
        NoPartialOrder::Fairness => "which runs are fair may depend on the order of events",
    }
}

fn no_symmetry(why: &NoSymmetry, labels: &Labels) -> String {
    match why {
        NoSymmetry::NoPermutation => "no two nodes are alike".into(),
        NoSymmetry::NodeOrder(used) => node_order(*used, labels),
        NoSymmetry::ReceiversReadOthers => {
            "what arrives at once is seen by other receivers of the same event".into()
        }
        NoSymmetry::PremiseMayFail(place) => {
            node_order(NodeOrderUse::PartialCondition(*place), labels)
        }
        NoSymmetry::TimedTemporalClaim(claim) => {
            format!("{claim}: a temporal claim, and time passes")
        }
        NoSymmetry::ClaimAboutOneNode(claim) => {
            format!("{claim}: a temporal claim about one node after the other")
        }
        NoSymmetry::Excluded(by) => match by {
            ExcludedBy::LazyInitialValues => {
                "initial values are lazy: they are decided when they are read"
            }
            ExcludedBy::DataAbstraction => "data abstraction is used: some data is not known",
            ExcludedBy::LastViolation => "activations are counted",
            ExcludedBy::TimedReductions => "invisible deliveries and dead values are left out",
        }
        .into(),
    }
}

/// What uses the order of nodes, with the line of the model.
fn node_order(used: NodeOrderUse, labels: &Labels) -> String {
    let line = |origin: Option<Origin>| {
        let label = origin.and_then(|origin| labels.origin(origin));
        label.map_or(String::new(), |label| format!(" in line {}", label.line))
    };
    match used {
        NodeOrderUse::OffNodes => {
            "a variable of a node that is off names the first of several nodes".into()
        }
        NodeOrderUse::CrossKindRead => {
            "a quantifier may look at a variable that a node of another kind does not have: whether it comes to that depends on the \
             order of nodes"
                .into()
        }
        NodeOrderUse::Extremum(origin) => format!(
            "`largest` or `smallest`{} takes the first of several nodes that are equal in this",
            line(origin)
        ),
        NodeOrderUse::PartialCondition(origin) => format!(
            "the condition of a quantifier{} may be an error for some nodes: whether it comes to that depends on the order of nodes",
            line(origin)
        ),
        NodeOrderUse::Loop(origin) => {
            let line = line(Some(origin));
            format!("what the loop{line} does may depend on the order of nodes")
        }
        NodeOrderUse::Broadcast(origin) => {
            let line = line(Some(origin));
            format!("messages{line} go to several nodes in their order, which can be seen")
        }
    }
}
