//! A state, as it is counted: variables, modes, inboxes, outboxes, messages on the way, fault budgets.

use crate::value::Value;
use std::collections::BTreeMap;

/// Whether a node takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// Its `start` is still to come.
    Waiting,
    /// It runs.
    Running,
    /// It has executed `halt`.
    Halted,
    /// It has done nothing from the start, and never will.
    Off,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeState {
    /// In the order of the declarations.
    pub vars: Vec<Value>,
    pub mode: Mode,
    /// What waits for room: the receiver and the message, first to go first.
    pub outbox: Vec<(usize, Value)>,
    /// What it holds, with the sender, in order.
    pub inbox: Vec<(usize, Value)>,
    /// How many more activations it has made than the slowest running node, in rounds.
    pub lead: i128,
    /// What claims count, if they do.
    pub counts: BTreeMap<String, i128>,
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub nodes: Vec<NodeState>,
    /// Per edge, in the order of `Instance::edges`; unordered ones are kept sorted.
    pub channels: Vec<Vec<Value>>,
    /// What remains of each item of `lose` and `repeat`; none: no limit.
    pub budgets: Vec<Option<i128>>,
}

impl State {
    /// No nodes at all: for expressions that read none.
    pub fn empty() -> State {
        State {
            nodes: Vec::new(),
            channels: Vec::new(),
            budgets: Vec::new(),
        }
    }
}
