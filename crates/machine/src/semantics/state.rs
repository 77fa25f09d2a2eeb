//! States, clocks, and the choice of everything that is frozen during a run.

use crate::{EdgeId, Fault, Inbox, Mode, NodeId, Value};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// One choice of everything that never changes during a run: frozen variables, faults from the start, fixed periods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Frozen {
    /// The values of the frozen variables: `values[v][i]` is the value of variable v at the i-th node of its kind.
    pub values: Vec<Vec<Value>>,
    /// The fault of each node from the start, indexed by node; empty if the Machine has no node faults.
    pub faults: Vec<Option<Fault>>,
    /// Indexed by node: its fixed period; `None` if it has none. Empty if the Machine has no real times or they are
    /// abstracted to an order.
    pub periods: Vec<Option<Rational>>,
}

impl Frozen {
    /// The fault that a node has from the start.
    pub fn fault(&self, node: NodeId) -> Option<Fault> {
        self.faults.get(node.index()).copied().flatten()
    }

    /// The fixed period of a node; `None` if it has none.
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

/// A state: the states of the nodes, the messages in flight, the remaining message faults, the counters of the ordering
/// constraints, and the clock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct State {
    /// The states of the nodes, indexed by node.
    pub nodes: Vec<NodeState>,
    /// Indexed by edge: the messages on it, for a queue from its head, for a bag in ascending order.
    pub edges: Vec<Vec<Value>>,
    /// How often each message fault may still occur in the run; 0 for faults without a limit.
    pub budgets: Vec<u32>,
    /// The counters of the ordering constraints of activations; see [`OrderConstraints`](crate::OrderConstraints).
    pub order_state: Vec<i64>,
    /// The clock; `None` if the Machine has no real times or they are abstracted to an order.
    pub clock: Option<Clock>,
}

/// The clock of a state: the current time, and the past times that restrict later events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Clock {
    /// The current time.
    pub now: Rational,
    /// The activation histories, indexed by node.
    pub activations: Vec<ActivationHistory>,
    /// Indexed by edge: the sending time of each message, in the order of `State::edges`. Empty unless the delay is
    /// `Within`.
    pub sent: Vec<Vec<Rational>>,
    /// Indexed by node, then by timer: the interval in which the timer expires; `None` if it is not set.
    pub timers: Vec<Vec<Option<(Rational, Rational)>>>,
    /// Indexed by node: the time at which the node stopped; `None` if it is not stopped. Empty if no restart has a time
    /// limit.
    pub stopped: Vec<Option<Rational>>,
    /// Indexed by bounded-response obligation: the time since which it is pending; `None` if it is not pending.
    pub pending: Vec<Option<Rational>>,
}

/// The part of a node's activation history on which the times of later activations depend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct ActivationHistory {
    /// The time of the last restart of the node, or 0.
    pub since: Rational,
    /// Number of activations since `since`.
    pub count: u64,
    /// The time of the first activation since `since`.
    pub first: Option<Rational>,
    /// The time of the last activation since `since`.
    pub last: Option<Rational>,
}

/// The state of one node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeState {
    /// Its mode.
    pub mode: Mode,
    /// The values of its variables, in the order of [`Machine::vars_of`](crate::Machine::vars_of).
    pub vars: Vec<Value>,
    /// Messages sent but not yet in their channel; the first one is transmitted first.
    pub outbox: Vec<Outgoing>,
    /// Messages received and not yet cleared, with their senders, sorted.
    pub inbox: Vec<(NodeId, Value)>,
    /// Whether each of its timers is set, in the order of [`Machine::timers`](crate::Machine). A per-node timer has one
    /// entry for each node.
    pub timers: Vec<bool>,
    /// Indexed by runtime fault: whether it has affected the node. Recorded only if
    /// [`Machine::remembers`](crate::Machine::remembers) is true for the fault, otherwise false.
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
    /// Puts a message into the inbox, under the rules `inbox` for repeated messages.
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
