//! States, clocks, and the frozen choices of a run.

use crate::{EdgeId, Fault, Inbox, Mode, NodeId, Value};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// One choice of everything that never changes during a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Frozen {
    /// The values of the frozen variables: for each, one value per node of its kind.
    pub values: Vec<Vec<Value>>,
    /// The fault of each node; empty if the Machine has no node faults.
    pub faults: Vec<Option<Fault>>,
    /// The period of each node with a fixed period if time is exact or digitised; otherwise empty.
    pub periods: Vec<Option<Rational>>,
}

impl Frozen {
    /// The fault of a node.
    pub fn fault(&self, node: NodeId) -> Option<Fault> {
        self.faults.get(node.index()).copied().flatten()
    }

    /// The fixed period of a node, if it has one.
    pub fn period(&self, node: NodeId) -> Option<&Rational> {
        self.periods.get(node.index()).and_then(Option::as_ref)
    }

    /// Whether messages that a node sends have an effect.
    pub fn can_send(&self, node: NodeId) -> bool {
        self.fault(node).is_none_or(Fault::can_send)
    }

    /// Whether a node receives messages.
    pub fn can_receive(&self, node: NodeId) -> bool {
        self.fault(node).is_none_or(Fault::can_receive)
    }
}

/// A state: the states of the nodes, the messages in flight, counters of faults, ordering constraints and clock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct State {
    /// Indexed by node.
    pub nodes: Vec<NodeState>,
    /// Indexed by edge: a queue from its head, or a bag in the order of values.
    pub edges: Vec<Vec<Value>>,
    /// How often each message fault with a limit may still occur; 0 for faults without a limit.
    pub budgets: Vec<u32>,
    /// The counters of the ordering constraints of activations; see [`OrderConstraints`](crate::OrderConstraints).
    pub order_state: Vec<i64>,
    /// The clock, if time is exact or digitised.
    pub clock: Option<Clock>,
}

/// The clock of a state: the current time, and the times on which later events depend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Clock {
    /// The current time.
    pub now: Rational,
    /// Indexed by node.
    pub activations: Vec<ActivationHistory>,
    /// Indexed by edge: when each message on it was sent, in their order. Empty if delays are unbounded.
    pub sent: Vec<Vec<Rational>>,
    /// Indexed by node: the interval in which each set timer expires.
    pub timers: Vec<Vec<Option<(Rational, Rational)>>>,
    /// Indexed by node: when it stopped. Empty if no restart has a time limit.
    pub stopped: Vec<Option<Rational>>,
    /// Indexed by bounded-response obligation: since when it is pending.
    pub pending: Vec<Option<Rational>>,
}

/// The activation history of a node, as far as the times of later activations depend on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct ActivationHistory {
    /// When the node started: time 0, or its last restart.
    pub since: Rational,
    /// Number of activations since then.
    pub count: u64,
    /// The time of the first activation.
    pub first: Option<Rational>,
    /// The time of the last activation.
    pub last: Option<Rational>,
}

/// The state of one node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeState {
    /// Its mode.
    pub mode: Mode,
    /// Its variables, in the order of the Machine.
    pub vars: Vec<Value>,
    /// Messages sent but not yet in their channel, from the head.
    pub outbox: Vec<Outgoing>,
    /// Messages received and not cleared, with their senders, sorted.
    pub inbox: Vec<(NodeId, Value)>,
    /// Whether each of its timers is set: in the order of the Machine, per-node timers in the order of nodes.
    pub timers: Vec<bool>,
    /// Whether each runtime fault has affected the node, if [`Machine::remembers`](crate::Machine::remembers) it.
    pub faulted: Vec<bool>,
}

/// A message in an outbox.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Outgoing {
    /// The edge it will enter.
    pub edge: EdgeId,
    /// Its content.
    pub message: Value,
}

impl NodeState {
    /// Puts a message into the inbox.
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
