//! Events: what can happen next, and what fairness owes to whom.

use crate::{
    BlockId, Channel, EdgeId, FaultId, Instance, Machine, NodeId, RuntimeFaultId, Timing, Value,
};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// An event with the values chosen in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// What happens.
    pub event: Event,
    /// What each `choose` that was met picked, in order; of a restart before that what each variable that begins with
    /// several values begins with; of a crash during an event after that the set of the places of what is sent.
    pub picks: Vec<Value>,
    /// When it happens, where times are exact.
    pub time: Option<Rational>,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Event {
    /// A node runs a block of its own accord: its start, a `when`, its rhythm.
    Run(NodeId, BlockId),
    /// The message, the head of its queue or one of its bag, reaches the end of the edge.
    Deliver(EdgeId, Value, Outcome),
    /// The head of a node's outbox goes onto its channel.
    Transmit(NodeId),
    /// A timer of a node, by its place in [`NodeState::timers`](crate::NodeState), expires and the block runs.
    Expire(NodeId, u32, BlockId),
    /// A fault: a node crashes.
    Crash(NodeId, RuntimeFaultId),
    /// A fault: the node of an event crashes instead; some of what its code would have sent is sent.
    CrashDuring(RuntimeFaultId, Box<Event>),
    /// A fault: a node stops.
    Stop(NodeId, RuntimeFaultId),
    /// A node that has stopped begins again.
    Restart(NodeId),
    /// Nothing; time passes.
    Wait,
}

/// What becomes of a message at the end of its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// It is handed over and the block runs.
    HandOver(BlockId),
    /// It enters the inbox.
    Store,
    /// The receiver has no use for it: it has halted, is off or deaf, or ignores this type.
    Drop,
    /// Nobody has told the receiver what to do with it: an error.
    Unhandled,
    /// A fault: it is gone.
    Lose(FaultId),
    /// A fault: it is handed over, and it is still there. The block runs; without one it enters the inbox.
    Repeat(FaultId, Option<BlockId>),
}

/// What weak fairness is about: if it stays possible from some moment on, it happens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Unit {
    /// A block of a node.
    Block(NodeId, BlockId),
    /// The outbox of a node.
    Transmit(NodeId),
    /// A queue.
    Edge(EdgeId),
    /// A message in a bag.
    Message(EdgeId, Value),
}

impl Machine {
    /// At which node an event happens; that time passes happens at none.
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
    /// The node whose activation an event is, if it is one, and its rhythm.
    pub fn activation(&self, event: &Event) -> Option<(NodeId, &Timing)> {
        match event {
            Event::Run(node, block) => self.block_timing(*block).map(|timing| (*node, timing)),
            _ => None,
        }
    }

    /// The node whose activation an event is, if it is one.
    pub fn activates(&self, event: &Event) -> Option<NodeId> {
        self.activation(event).map(|(node, _)| node)
    }
}

impl Instance<'_> {
    /// What fairness counts an event as.
    pub fn units(&self, event: &Event) -> Vec<Unit> {
        match event {
            Event::Run(node, block) => vec![Unit::Block(*node, *block)],
            Event::Expire(node, _, block) => vec![Unit::Block(*node, *block)],
            Event::Transmit(node) => vec![Unit::Transmit(*node)],
            // Faults and repairs are never owed, and time passes by itself.
            Event::Crash(..)
            | Event::CrashDuring(..)
            | Event::Stop(..)
            | Event::Restart(_)
            | Event::Wait => vec![],
            Event::Deliver(edge, message, outcome) => {
                let travel = match self.machine.channel {
                    Channel::Fifo(_) | Channel::Instant => Unit::Edge(*edge),
                    Channel::Unordered => Unit::Message(*edge, message.clone()),
                };
                match outcome {
                    Outcome::HandOver(block) | Outcome::Repeat(_, Some(block)) => {
                        vec![travel, Unit::Block(self.receiver(*edge), *block)]
                    }
                    Outcome::Store
                    | Outcome::Repeat(_, None)
                    | Outcome::Drop
                    | Outcome::Unhandled
                    | Outcome::Lose(_) => vec![travel],
                }
            }
        }
    }
}
