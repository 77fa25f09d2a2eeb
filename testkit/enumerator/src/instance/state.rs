//! A state, as it is counted: variables, modes, inboxes, outboxes, timers, messages on the way, fault budgets.
//!
//! Times are in units of the instance and relative to now: what matters of a moment is how far away it is.

use crate::instance::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

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
    /// It has stopped for ever.
    Crashed,
    /// It may come back.
    Stopped(Pause),
}

/// How a stopped node comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pause {
    /// With its initial values.
    pub fresh: bool,
    /// Its `start` was still to come.
    pub waiting: bool,
    /// When; none: at any time, or never.
    pub window: Option<Window>,
}

/// When something is due: not before `from`, not after `to`, both from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Window {
    pub from: i128,
    pub to: i128,
}

impl Window {
    /// Whether it may happen now.
    pub fn is_open(self) -> bool {
        self.from == 0
    }

    /// The same a unit later; none: it must happen before.
    pub fn later(self) -> Option<Window> {
        (self.to > 0).then_some(Window {
            from: (self.from - 1).max(0),
            to: self.to - 1,
        })
    }
}

/// A timer of a node: its place among those of the kind, and its index if it has one.
pub(crate) type Timer = (usize, Option<Value>);

/// A message on the way; with a window if it has to arrive at a time.
pub(crate) type Travelling = (Value, Option<Window>);

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeState {
    /// In the order of the declarations; shared by states that have the same.
    pub vars: Rc<Vec<Value>>,
    pub mode: Mode,
    /// What waits for room: the receiver and the message, first to go first.
    pub outbox: Vec<(usize, Value)>,
    /// What it holds, with the sender, in order.
    pub inbox: Vec<(usize, Value)>,
    /// How many more activations it has made than the slowest running node, in rounds.
    pub lead: i128,
    /// Its next activation, if that has a time.
    pub activation: Option<Window>,
    /// The timers that are set.
    pub timers: BTreeMap<Timer, Window>,
    /// The items of `faults` that have faulted it in the run, as far as that can make a difference.
    pub faulted: BTreeSet<usize>,
    /// What claims count, if they do.
    pub counts: BTreeMap<String, i128>,
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub nodes: Vec<NodeState>,
    /// Per edge, in the order of `Instance::edges`; unordered ones are kept sorted.
    pub channels: Vec<Vec<Travelling>>,
    /// What remains of each item of `lose` and `repeat`; none: no limit.
    pub budgets: Vec<Option<i128>>,
    /// The time, as far as the claim can tell; 0 if it does not ask.
    pub now: i128,
}

impl State {
    /// No nodes at all: for expressions that read none.
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
    /// Gives a variable a value.
    pub fn set_var(&mut self, place: usize, value: Value) {
        Rc::make_mut(&mut self.vars)[place] = value;
    }

    /// It does nothing any more, for now or for ever: its obligations end, and what it holds is gone.
    pub fn falls_silent(&mut self, mode: Mode) {
        self.mode = mode;
        self.inbox.clear();
        self.activation = None;
        self.timers.clear();
    }
}

/// What an event gave: the state after it, or the text of a run-time error.
pub(crate) type Outcome = Result<State, String>;
