//! An instance: parameters, nodes, edges, ids and constants are fixed.

use crate::instance::counter_classes::Classes;
use crate::instance::fault::{Fault, Item};
use crate::instance::kind::Kind;
use crate::instance::unit::Clock;
use crate::instance::value::Value;
use syntax::ast::{self, InboxStart};

/// How messages travel on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// In order; with a capacity if there is one.
    Fifo(Option<usize>),
    /// A bag.
    Unordered,
    /// Every receiver takes it as part of the sending event.
    Instant,
}

/// The times of activations, in the numbers of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gaps {
    /// Between two activations, jitter included.
    pub gap: (i128, i128),
    /// Before the first activation.
    pub first: (i128, i128),
}

/// `lose …`, `repeat …`: items of the same sort for the same messages add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loss<'a> {
    pub repeat: bool,
    /// The message type; `None`: every type.
    pub of: Option<&'a str>,
    /// The budget; `None`: any number.
    pub at_most: Option<i128>,
}

/// The kind of inboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inbox {
    /// Whether only the latest message of each sender and type is kept.
    pub latest: bool,
    /// Whether copies of a message are counted.
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

/// Everything that does not change during a run.
#[derive(Clone)]
pub(crate) struct Instance<'a> {
    pub params: Vec<(&'a str, Value)>,
    /// The parameters that are times.
    pub durations: Vec<&'a str>,
    pub lets: Vec<&'a ast::Let>,
    pub fns: Vec<&'a ast::Fn>,
    pub enums: Vec<&'a ast::Enum>,
    /// Structs and messages; `true` for messages.
    pub records: Vec<(&'a ast::Struct, bool)>,
    pub kinds: Vec<Kind<'a>>,
    /// The kind of each node.
    pub kind_of: Vec<usize>,
    /// The rank of each node's id among all ids, from 1; empty if no node has a constant of type `Id`.
    pub ranks: Vec<i128>,
    /// The number of ids that belong to no node.
    pub strangers: usize,
    /// Per node, its constants in the order of declaration.
    pub constants: Vec<Vec<Value>>,
    pub ring: bool,
    /// Directed edges (from, to), sorted.
    pub edges: Vec<(usize, usize)>,
    pub channel: Channel,
    /// `within`: the delay of a message.
    pub delay: Option<(i128, i128)>,
    /// Whether a message is handed over before its sender's next activation.
    pub before_next: bool,
    pub inbox: Inbox,
    pub losses: Vec<Loss<'a>>,
    /// Faults of nodes.
    pub fault_items: Vec<Item>,
    /// The fault of each node from the start; empty if there is none.
    pub faults: Vec<Option<Fault>>,
    /// Per kind: the round limit of its nodes, if they are activated in rounds.
    pub rounds: Vec<Option<i128>>,
    /// Per kind: the times of activations, if they have times.
    pub gaps: Vec<Option<Gaps>>,
    /// The clock, if there is time.
    pub clock: Option<Clock>,
    /// Whether the file writes units: then its times are in nanoseconds, and plain numbers are not times.
    pub units: bool,
    /// The classes of counters.
    pub classes: Classes,
    /// `initially` items and `assuming`.
    pub conditions: Vec<&'a ast::Expr>,
    /// Whether ghost variables are part of the state (for claims; never for counts).
    pub ghosts: bool,
    /// The bound up to which activations and messages are counted (for claims; never for counts).
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

    /// The targets of a node's edges.
    pub fn neighbours(&self, node: usize) -> Vec<usize> {
        let out = self.edges.iter().filter(|(from, _)| *from == node);
        out.map(|(_, to)| *to).collect()
    }

    /// The number of an edge.
    pub fn edge(&self, from: usize, to: usize) -> Option<usize> {
        self.edges.iter().position(|e| *e == (from, to))
    }

    /// Whether a further message fits on an edge that holds `held` messages.
    pub fn has_room(&self, held: usize) -> bool {
        match self.channel {
            Channel::Fifo(Some(capacity)) => held < capacity,
            _ => true,
        }
    }

    /// A struct or message by name.
    pub fn record(&self, name: &str) -> Option<&'a ast::Struct> {
        let found = self.records.iter().find(|(r, _)| r.name.text == name);
        found.map(|(r, _)| *r)
    }

    /// Whether this is the name of a message.
    pub fn is_message(&self, name: &str) -> bool {
        self.records.iter().any(|(r, m)| *m && r.name.text == name)
    }

    /// The labels of each node: the rank of its id (if ids differ), its constants, its fault.
    pub fn labels(&self) -> Vec<(Option<i128>, Vec<Value>, Option<Fault>)> {
        let constants = self.constants.iter().cloned().enumerate();
        constants
            .map(|(node, values)| (self.ranks.get(node).copied(), values, self.fault(node)))
            .collect()
    }
}
