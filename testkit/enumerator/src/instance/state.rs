//! States: variables, modes, inboxes, outboxes, timers, messages in transit, budgets of faults.
//!
//! Times are in units of the instance, relative to the current time.

use crate::instance::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The mode of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// The node has not yet executed `start`.
    Waiting,
    /// The node is running.
    Running,
    /// The node has executed `halt`.
    Halted,
    /// The node is off from the start and never acts.
    Off,
    /// The node has crashed.
    Crashed,
    /// The node has stopped and may restart.
    Stopped(Pause),
}

/// How a stopped node restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pause {
    /// Whether the node restarts with its initial values.
    pub fresh: bool,
    /// Whether the node had not yet executed `start`.
    pub waiting: bool,
    /// The window of the restart; `None` if the node may restart at any time, or never.
    pub window: Option<Window>,
}

/// The interval in which an event may occur, relative to the current time: not before `from`, not after `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Window {
    pub from: i128,
    pub to: i128,
}

impl Window {
    /// Whether the event may occur now.
    pub fn is_open(self) -> bool {
        self.from == 0
    }

    /// The window after one unit has passed; `None` if the event must occur before that.
    pub fn later(self) -> Option<Window> {
        (self.to > 0).then_some(Window {
            from: (self.from - 1).max(0),
            to: self.to - 1,
        })
    }
}

/// A timer of a node: its position in the kind, and its index if it has one.
pub(crate) type Timer = (usize, Option<Value>);

/// A message in transit, with the window of its arrival if delays are bounded.
pub(crate) type Travelling = (Value, Option<Window>);

/// The state of one node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeState {
    /// The values of variables in the order of declaration; shared between states with equal values.
    pub vars: Rc<Vec<Value>>,
    pub mode: Mode,
    /// Messages that wait for room on their edge: receiver and message, in the order of sending.
    pub outbox: Vec<(usize, Value)>,
    /// The messages in the inbox with their senders, sorted.
    pub inbox: Vec<(usize, Value)>,
    /// In rounds: the number of activations ahead of the slowest running node.
    pub lead: i128,
    /// The window of the next activation; `None` if it has no time bounds.
    pub activation: Option<Window>,
    /// The timers that are set, each with its window.
    pub timers: BTreeMap<Timer, Window>,
    /// The indices of the `faults` items that have affected the node in the run, if a limit or a claim depends on them.
    pub faulted: BTreeSet<usize>,
    /// The counts that claims read, by name.
    pub counts: BTreeMap<String, i128>,
}

/// A state of the whole system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub nodes: Vec<NodeState>,
    /// By edge, in the order of `Instance::edges`: the messages in transit. Bags are sorted.
    pub channels: Vec<Vec<Travelling>>,
    /// By `lose` or `repeat` item: how often it may still occur; `None` without a limit.
    pub budgets: Vec<Option<i128>>,
    /// The time, up to the last value that the claim distinguishes; 0 if the claim does not read the time.
    pub now: i128,
}

impl State {
    /// A state without nodes, for expressions that read no state.
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

    /// Makes the node inactive: removes its next activation and its timers, and clears its inbox.
    pub fn deactivate(&mut self, mode: Mode) {
        self.mode = mode;
        self.inbox.clear();
        self.activation = None;
        self.timers.clear();
    }
}

/// The result of an event: the state after it, or the text of a run-time error.
pub(crate) type Outcome = Result<State, String>;
