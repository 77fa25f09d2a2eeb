//! Events, choices, outcomes of deliveries, and units of fairness.

use crate::{BlockId, EdgeId, FaultId, Machine, NodeId, RuntimeFaultId, Timing, Value};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// An event with the values chosen in it: the label of a transition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// The event.
    pub event: Event,
    /// The values picked, in order: for a restart first the initial values of variables that have several; then the
    /// value of each `choose`; for a crash during an event then the set of the indices of the messages that are sent.
    pub picks: Vec<Value>,
    /// When it happens, if time is exact.
    pub time: Option<Rational>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Event {
    /// A node runs a block by itself: its start, a `when`, an activation.
    Run(NodeId, BlockId),
    /// Delivery of a message: the head of a queue, or any message of a bag.
    Deliver(EdgeId, Value, Outcome),
    /// The head of a node's outbox enters its channel.
    Transmit(NodeId),
    /// A timer of a node, by its index in [`NodeState::timers`](crate::NodeState), expires and its block runs.
    Expire(NodeId, u32, BlockId),
    /// Runtime fault: a node crashes.
    Crash(NodeId, RuntimeFaultId),
    /// Runtime fault: the node crashes within the event; a subset of the messages of its code is sent.
    CrashDuring(RuntimeFaultId, Box<Event>),
    /// Runtime fault: a node stops.
    Stop(NodeId, RuntimeFaultId),
    /// A stopped node restarts.
    Restart(NodeId),
    /// Time passes.
    Wait,
}

/// The outcome of the delivery of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// The block for it runs.
    HandOver(BlockId),
    /// It enters the inbox.
    Store,
    /// The receiver discards it: the receiver has halted, is off or deaf, or ignores the type.
    Drop,
    /// The receiver has no code for it: a runtime error.
    Unhandled,
    /// Message fault: it is lost.
    Lose(FaultId),
    /// Message fault: it is handed over and stays on its edge. The block runs; without a block it enters the inbox.
    Repeat(FaultId, Option<BlockId>),
}

/// A unit of weak fairness: if it is enabled from some position on for ever, it is taken infinitely often.
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
    /// The node at which an event happens; `None` if time passes.
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
    /// The node and timing of an activation; `None` for other events.
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
