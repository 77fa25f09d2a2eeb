//! States, and what never changes during a run.

use crate::{EdgeId, Fault, Inbox, Mode, NodeId, Value};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// What is chosen at the start and never changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Frozen {
    /// The values of the frozen variables: for each, one per node of its kind.
    pub values: Vec<Vec<Value>>,
    /// What is wrong with each node; empty if nothing can be.
    pub faults: Vec<Option<Fault>>,
    /// The period of each node that has one, where times are exact; otherwise empty.
    pub periods: Vec<Option<Rational>>,
}

impl Frozen {
    /// What is wrong with a node.
    pub fn fault(&self, node: NodeId) -> Option<Fault> {
        self.faults.get(node.index()).copied().flatten()
    }

    /// The period of a node that has one, where times are exact.
    pub fn period(&self, node: NodeId) -> Option<&Rational> {
        self.periods.get(node.index()).and_then(Option::as_ref)
    }

    /// Whether what a node sends has an effect.
    pub fn can_send(&self, node: NodeId) -> bool {
        self.fault(node).is_none_or(Fault::can_send)
    }

    /// Whether a node receives what is sent to it.
    pub fn can_receive(&self, node: NodeId) -> bool {
        self.fault(node).is_none_or(Fault::can_receive)
    }
}

/// A state: per node variables, mode and outbox; per edge the messages on the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct State {
    /// By node.
    pub nodes: Vec<NodeState>,
    /// By edge: a queue from its head, or a bag in the order of values.
    pub edges: Vec<Vec<Value>>,
    /// How often each message fault with a limit may still happen; 0 for those without.
    pub budgets: Vec<u32>,
    /// What the order of activations so far means for the next ones; see [`OrderConstraints`](crate::Pace).
    pub order_state: Vec<i64>,
    /// The time, where times are exact.
    pub clock: Option<Clock>,
}

/// What time it is, and when activations were.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Clock {
    /// Now.
    pub now: Rational,
    /// By node: its activations.
    pub activations: Vec<ActivationHistory>,
    /// By edge: when each message on it was sent, in their order. Empty if they may travel any time.
    pub sent: Vec<Vec<Rational>>,
    /// By node: from when to when each timer that is set expires.
    pub timers: Vec<Vec<Option<(Rational, Rational)>>>,
    /// By node: when it stopped, if it must begin again. Empty if no node must.
    pub stopped: Vec<Option<Rational>>,
    /// By what must follow within a time: since when it has not.
    pub pending: Vec<Option<Rational>>,
}

/// The activations of a node so far, as far as the times of the next ones depend on them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct ActivationHistory {
    /// When the node began; time 0 unless it has begun again.
    pub since: Rational,
    /// How many there were since.
    pub count: u64,
    /// When the first was.
    pub first: Option<Rational>,
    /// When the last was.
    pub last: Option<Rational>,
}

/// The state of one node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeState {
    /// What the node is doing.
    pub mode: Mode,
    /// Its variables, in the order of the Machine.
    pub vars: Vec<Value>,
    /// What it has sent and could not put on its way yet, from the head.
    pub outbox: Vec<Outgoing>,
    /// What it has received and not cleared, with the senders, in order.
    pub inbox: Vec<(NodeId, Value)>,
    /// Whether each of its timers is set: in the order of the Machine, those for each node in the order of nodes.
    pub timers: Vec<bool>,
    /// Whether each item of what may runtime_fault nodes has faulted it, as far as anybody remembers that.
    pub faulted: Vec<bool>,
}

/// A message in an outbox.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Outgoing {
    /// Where it will go.
    pub edge: EdgeId,
    /// What it says.
    pub message: Value,
}

impl NodeState {
    /// Takes a message into the inbox.
    pub(crate) fn store(&mut self, inbox: Inbox, sender: NodeId, message: Value) {
        if inbox.latest {
            let other =
                |(from, old): &(NodeId, Value)| *from != sender || old.record() != message.record();
            self.inbox.retain(other);
        }
        let entry = (sender, message);
        if inbox.copies || !self.inbox.contains(&entry) {
            self.inbox.push(entry);
            self.inbox.sort();
        }
    }
}
