//! Events, choices, outcomes of deliveries, and the units to which weak fairness applies.

use crate::{BlockId, EdgeId, FaultId, Machine, NodeId, RuntimeFaultId, Timing, Value};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// An event with the values that are chosen in it: the label of a transition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// The event.
    pub event: Event,
    /// The values picked, in order. A restart picks first the initial value of each variable that has several. Then
    /// follow the values of `choose` statements. A crash during an event picks last the set of the indices of the
    /// messages that are sent.
    pub picks: Vec<Value>,
    /// The time of the event; `None` unless time is exact.
    pub time: Option<Rational>,
}

/// An event: the part of a transition label without the picked values and the time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Event {
    /// A node runs a block that no message or timer triggers: its start block, a `when` block, or an activation.
    Run(NodeId, BlockId),
    /// Delivery of a message: the head of a queue, or any message of a bag.
    Deliver(EdgeId, Value, Outcome),
    /// The head of a node's outbox enters its channel.
    Transmit(NodeId),
    /// A timer of a node expires, and its block runs. The number is the index of the timer in
    /// [`NodeState::timers`](crate::NodeState).
    Expire(NodeId, u32, BlockId),
    /// Runtime fault: a node crashes.
    Crash(NodeId, RuntimeFaultId),
    /// Runtime fault: a node crashes within the inner event; a subset of the messages of that event's code is sent.
    CrashDuring(RuntimeFaultId, Box<Event>),
    /// Runtime fault: a node stops.
    Stop(NodeId, RuntimeFaultId),
    /// A stopped node restarts.
    Restart(NodeId),
    /// Time passes without another event.
    Wait,
}

/// The outcome of the delivery of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// A block of the receiver handles the message.
    HandOver(BlockId),
    /// The message enters the inbox of the receiver.
    Store,
    /// The receiver discards the message: it does not run, cannot receive, or ignores the message type.
    Drop,
    /// The receiver has no code for the message: a runtime error.
    Unhandled,
    /// Message fault: the message is lost.
    Lose(FaultId),
    /// Message fault: the message stays on its edge, and the receiver handles a copy by the block, or stores it in the
    /// inbox if there is no block.
    Repeat(FaultId, Option<BlockId>),
}

/// A unit of weak fairness: if a unit is enabled in all states from some position on, its events occur infinitely
/// often.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Unit {
    /// A block of a node.
    Block(NodeId, BlockId),
    /// The outbox of a node.
    Transmit(NodeId),
    /// The queue of an edge.
    Edge(EdgeId),
    /// A message in a bag.
    Message(EdgeId, Value),
}

impl Machine {
    /// The node at which an event happens, for a delivery the receiver; `None` for `Wait`.
    pub fn node_of(&self, event: &Event) -> Option<NodeId> {
        Some(match event {
            Event::Run(node, _)
            | Event::Transmit(node)
            | Event::Expire(node, ..)
            | Event::Crash(node, _)
            | Event::Stop(node, _)
            | Event::Restart(node) => *node,
            Event::CrashDuring(_, event) => return self.node_of(event),
            Event::Wait => return None,
            Event::Deliver(edge, ..) => self.edges[edge.index()].1,
        })
    }
}

impl Machine {
    /// The node and the timing of an activation; `None` for other events.
    pub fn activation(&self, event: &Event) -> Option<(NodeId, &Timing)> {
        match event {
            Event::Run(node, block) => self.block_timing(*block).map(|timing| (*node, timing)),
            _ => None,
        }
    }

    /// The node of an activation; `None` for other events.
    pub fn activates(&self, event: &Event) -> Option<NodeId> {
        self.activation(event).map(|(node, _)| node)
    }
}
