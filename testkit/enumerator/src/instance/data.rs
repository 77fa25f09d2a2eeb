//! An instance: a model with fixed parameters, nodes, edges, ids and constants.

use crate::instance::counter_classes::Classes;
use crate::instance::fault::{Fault, Item};
use crate::instance::kind::Kind;
use crate::instance::unit::Clock;
use crate::instance::value::Value;
use syntax::ast::{self, InboxStart};

/// How an edge transports messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// A queue, with a capacity if it is bounded.
    Fifo(Option<usize>),
    /// A bag.
    Unordered,
    /// No messages in transit: the receiver takes a message as part of the sending event.
    Instant,
}

/// The bounds on activation times, in the numbers of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gaps {
    /// The time between two activations, including jitter.
    pub gap: (i128, i128),
    /// The time before the first activation.
    pub first: (i128, i128),
}

/// A `lose` or `repeat` item; items of the same sort for the same message type are merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loss<'a> {
    pub repeat: bool,
    /// The message type that it affects; `None` for every type.
    pub of: Option<&'a str>,
    /// How often it may occur in a run; `None` for any number of times.
    pub at_most: Option<i128>,
}

/// How inboxes store messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inbox {
    /// Whether only the latest message of each sender and type is kept.
    pub latest: bool,
    /// Whether several copies of a message are kept.
    pub copies: bool,
    pub start: InboxStart,
}

impl Inbox {
    pub fn empty_set() -> Inbox {
        Inbox {
            latest: false,
            copies: false,
            start: InboxStart::Empty,
        }
    }
}

/// Everything that does not change during a run. Plain data: one table per kind of declaration.
#[derive(Clone)]
pub(crate) struct Instance<'a> {
    pub params: Vec<(&'a str, Value)>,
    /// The names of the parameters of type `Duration`.
    pub durations: Vec<&'a str>,
    pub lets: Vec<&'a ast::Let>,
    pub fns: Vec<&'a ast::Fn>,
    pub enums: Vec<&'a ast::Enum>,
    /// Structs and messages; the flag is true for messages.
    pub records: Vec<(&'a ast::Struct, bool)>,
    pub kinds: Vec<Kind<'a>>,
    /// By node: its kind.
    pub kind_of: Vec<usize>,
    /// By node: the rank of its id among all ids, from 1. Empty if no node has a constant of type `Id`.
    pub ranks: Vec<i128>,
    /// The number of ids that belong to no node of the network.
    pub strangers: usize,
    /// By node: its constants in the order of declaration.
    pub constants: Vec<Vec<Value>>,
    pub ring: bool,
    /// Directed edges (from, to), sorted.
    pub edges: Vec<(usize, usize)>,
    pub channel: Channel,
    /// The bounds on the delay of a message, for `within`.
    pub delay: Option<(i128, i128)>,
    /// Whether a message is delivered before the next activation of its sender.
    pub before_next: bool,
    pub inbox: Inbox,
    pub losses: Vec<Loss<'a>>,
    /// The declared faults of nodes.
    pub fault_items: Vec<Item>,
    /// By node: its fault from the start. Empty if no node has one.
    pub faults: Vec<Option<Fault>>,
    /// By kind: the largest number of activations by which a node may be ahead; `None` if the kind does not run in
    /// rounds.
    pub rounds: Vec<Option<i128>>,
    /// By kind: the bounds on activation times; `None` if it has none.
    pub gaps: Vec<Option<Gaps>>,
    /// The clock; `None` if the model has no time.
    pub clock: Option<Clock>,
    /// Whether the file uses units of time. If so, times are in nanoseconds, and plain numbers are not times.
    pub units: bool,
    /// The classes of counters.
    pub classes: Classes,
    /// The conditions on initial states: `initially` items and `Setup::assuming`.
    pub conditions: Vec<&'a ast::Expr>,
    /// Whether states contain ghost variables. True only when a claim is evaluated, not when states are counted.
    pub ghosts: bool,
    /// The bound up to which activations and messages are counted. Set only when a claim reads such counts.
    pub count_to: Option<i128>,
}

impl<'a> Instance<'a> {
    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.kind_of.len()
    }

    /// The kind of a node.
    pub fn kind(&self, node: usize) -> &Kind<'a> {
        &self.kinds[self.kind_of[node]]
    }

    /// The nodes of a kind.
    pub fn nodes_of(&self, kind: usize) -> Vec<usize> {
        (0..self.size())
            .filter(|&n| self.kind_of[n] == kind)
            .collect()
    }

    /// The nodes to which a node has an edge.
    pub fn neighbours(&self, node: usize) -> Vec<usize> {
        let out = self.edges.iter().filter(|(from, _)| *from == node);
        out.map(|(_, to)| *to).collect()
    }

    /// The index of an edge; `None` if there is none.
    pub fn edge(&self, from: usize, to: usize) -> Option<usize> {
        self.edges.iter().position(|e| *e == (from, to))
    }

    /// Whether another message fits on an edge that holds `held` messages.
    pub fn has_room(&self, held: usize) -> bool {
        match self.channel {
            Channel::Fifo(Some(capacity)) => held < capacity,
            _ => true,
        }
    }

    /// The struct or message type with this name.
    pub fn record(&self, name: &str) -> Option<&'a ast::Struct> {
        let found = self.records.iter().find(|(r, _)| r.name.text == name);
        found.map(|(r, _)| *r)
    }

    /// Whether this is the name of a message type.
    pub fn is_message(&self, name: &str) -> bool {
        self.records.iter().any(|(r, m)| *m && r.name.text == name)
    }

    /// What distinguishes each node: the rank of its id (if nodes have ids), its constants, and its fault from the
    /// start.
    pub fn labels(&self) -> Vec<(Option<i128>, Vec<Value>, Option<Fault>)> {
        let constants = self.constants.iter().cloned().enumerate();
        constants
            .map(|(node, values)| (self.ranks.get(node).copied(), values, self.fault(node)))
            .collect()
    }
}
