//! States, and what never changes during a run.

use crate::{EdgeId, Value};
use serde::{Deserialize, Serialize};

/// The values of the rigid variables: for each, one per node of its kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rigid(pub Vec<Vec<Value>>);

/// A state: per node variables, mode and outbox; per edge the messages on the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct State {
    /// By node.
    pub nodes: Vec<NodeState>,
    /// By edge: a queue from its head, or a bag in the order of values.
    pub edges: Vec<Vec<Value>>,
    /// How often each message fault with a limit may still happen; 0 for those without.
    pub budgets: Vec<u32>,
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
}

/// What a node is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// It has not started.
    Waiting,
    /// It runs.
    Running,
    /// It has halted.
    Halted,
}

/// A message in an outbox.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Outgoing {
    /// Where it will go.
    pub edge: EdgeId,
    /// What it says.
    pub message: Value,
}
