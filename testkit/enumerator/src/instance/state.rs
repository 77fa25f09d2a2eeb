//! States, as they are counted: variables, modes, inboxes, outboxes, timers, messages in transit, fault budgets.
//!
//! Times are in units of the instance and relative to the current time.

use crate::instance::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The mode of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// It has not yet executed `start`.
    Waiting,
    /// It runs.
    Running,
    /// It has executed `halt`.
    Halted,
    /// It is off from the start and never acts.
    Off,
    /// It has crashed.
    Crashed,
    /// It has stopped and may restart.
    Stopped(Pause),
}

/// How a stopped node restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pause {
    /// Whether it restarts with its initial values.
    pub fresh: bool,
    /// Whether it had not yet executed `start`.
    pub waiting: bool,
    /// The window of the restart; `None`: at any time, or never.
    pub window: Option<Window>,
}

/// The window of an event relative to the current time: not before `from`, not after `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Window {
    pub from: i128,
    pub to: i128,
}

impl Window {
    /// Whether the event may happen now.
    pub fn is_open(self) -> bool {
        self.from == 0
    }

    /// The window one unit later; `None` if the event must happen before.
    pub fn later(self) -> Option<Window> {
        (self.to > 0).then_some(Window {
            from: (self.from - 1).max(0),
            to: self.to - 1,
        })
    }
}

/// A timer of a node: its position in the kind, and its index if it has one.
pub(crate) type Timer = (usize, Option<Value>);

/// A message in transit, with a window if its arrival has a time.
pub(crate) type Travelling = (Value, Option<Window>);

/// The state of one node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeState {
    /// Values in the order of declaration; shared by states with equal values.
    pub vars: Rc<Vec<Value>>,
    pub mode: Mode,
    /// Messages that wait for room: receiver and message, in sending order.
    pub outbox: Vec<(usize, Value)>,
    /// The messages in the inbox with their senders, sorted.
    pub inbox: Vec<(usize, Value)>,
    /// The number of activations ahead of the slowest running node, in rounds.
    pub lead: i128,
    /// The window of the next activation, if it has times.
    pub activation: Option<Window>,
    /// The timers that are set.
    pub timers: BTreeMap<Timer, Window>,
    /// The items of `faults` that have been applied to it in the run, as far as that matters.
    pub faulted: BTreeSet<usize>,
    /// Counts for claims.
    pub counts: BTreeMap<String, i128>,
}

/// A state of the whole system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub nodes: Vec<NodeState>,
    /// Per edge, in the order of `Instance::edges`; unordered channels are sorted.
    pub channels: Vec<Vec<Travelling>>,
    /// The remaining budget of each item of `lose` and `repeat`; `None`: no limit.
    pub budgets: Vec<Option<i128>>,
    /// The time, as far as the claim distinguishes it; 0 if the claim does not read it.
    pub now: i128,
}

impl State {
    /// A state without nodes, for expressions that read none.
    pub fn empty() -> State {
        State {
            nodes: Vec::new(),
            channels: Vec::new(),
            budgets: Vec::new(),
            now: 0,
        }
    }
}

impl NodeState {
    /// Sets a variable.
    pub fn set_var(&mut self, place: usize, value: Value) {
        Rc::make_mut(&mut self.vars)[place] = value;
    }

    /// Makes the node inactive: its activation and timers end, and its inbox is cleared.
    pub fn deactivate(&mut self, mode: Mode) {
        self.mode = mode;
        self.inbox.clear();
        self.activation = None;
        self.timers.clear();
    }
}

/// The result of an event: the state after it, or the text of a run-time error.
pub(crate) type Outcome = Result<State, String>;
