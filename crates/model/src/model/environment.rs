//! The environment of the nodes: network, faults, and worlds that replace them.

use crate::{Expr, Interval, KindId, MessageId, Model, Schedule, TimingId};
use source::Span;

/// `network TOPOLOGY { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Network {
    pub topology: Topology,
    pub channel: Channel,
    /// The delay of messages; `None` for any delay.
    pub delay: Option<Delay>,
    pub to_self: bool,
    pub inbox: Inbox,
    pub span: Span,
}

/// The topology: which nodes can send to which.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// The shape.
    pub shape: TopologyShape,
    /// The numbers in parentheses after the name, such as rows and columns. For shapes with one number, the number of
    /// nodes, it may be missing.
    pub sizes: Vec<Expr>,
    /// The edges after `edges`; empty for other shapes.
    pub edges: Vec<TopologyEdge>,
    /// `where φ`: only instances that satisfy φ are checked.
    pub condition: Option<Expr>,
    /// The span of the whole topology.
    pub span: Span,
}

/// The shape of a topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyShape {
    /// An edge between each node and the next one, and between the last and the first.
    Ring,
    /// An edge between every two nodes.
    Complete,
    /// An edge between each node and the next one.
    Line,
    /// An edge between node 1 and every other node.
    Star,
    /// `grid(a, b)`: a rows and b columns; nodes are numbered row by row.
    Grid,
    /// A grid with additional edges between the last and the first row, and between the last and the first column.
    Torus,
    /// `tree(d, h)`: each inner node has d children, and there are h levels below the root; nodes are numbered level
    /// by level.
    Tree,
    /// Every connected undirected graph, up to isomorphism.
    Graphs,
    /// A list of edges.
    Edges,
}

/// `1 - 2`, `2 to 3`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct TopologyEdge {
    pub from: EdgeEnd,
    pub to: EdgeEnd,
    pub both_ways: bool,
    pub span: Span,
}

/// One end of an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeEnd {
    /// The node with this number; nodes are numbered from 1.
    Number(Expr),
    /// The only node of a kind.
    The(KindId),
}

/// How messages are stored between sending and delivery.
#[derive(Clone, Debug, PartialEq)]
pub enum Channel {
    /// A FIFO queue per edge, with a capacity if one is declared.
    Fifo(Option<Expr>),
    /// A multiset.
    Unordered,
    /// No channel: all receivers handle the message in the event that sends it.
    Instant,
}

/// When a message is delivered.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// `delivery within x .. y` after it is sent.
    Within(Interval),
    /// `delivery before next activation`: before the next activation of the sender.
    BeforeNextActivation,
}

/// `inbox …`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inbox {
    /// Whether an inbox keeps only the latest message of each type from each sender (true), or all messages (false).
    pub latest_per_sender: bool,
    /// The initial contents of the inbox.
    pub start: InboxStart,
}

/// The initial contents of inboxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum InboxStart {
    #[default]
    Empty,
    OneFromEachSender,
    Anything,
}

/// All `faults` items of a file or world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// `lose`, `repeat`.
    pub messages: Vec<MessageFault>,
    /// Faults of nodes that last for the whole run.
    pub nodes: Vec<NodeFault>,
    /// Faults of nodes that occur during the run.
    pub runtime_faults: Vec<RuntimeFault>,
}

/// `faults at most N nodes: … from start`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFault {
    /// `at most N`; `None` for any number.
    pub at_most: Option<Expr>,
    /// The kind of the nodes; `None` for any kind.
    pub of: Option<KindId>,
    /// The possible faults of such a node.
    pub faults: Vec<NodeFaultKind>,
    /// The span of the whole item.
    pub span: Span,
}

/// A fault of a node that lasts for the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum NodeFaultKind {
    Off,
    Mute,
    Deaf,
    Isolated,
}

/// `faults at most N nodes: crash, stop any time, …`.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeFault {
    /// `at most N`; `None` for any number.
    pub at_most: Option<Expr>,
    /// The kind of the nodes; `None` for any kind.
    pub of: Option<KindId>,
    /// `crash any time`.
    pub crash: Option<Crash>,
    /// `stop any time, restart …`.
    pub stop: Option<Restart>,
    /// The span of the whole item.
    pub span: Span,
}

/// `crash any time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// `during broadcast`: whether a crash can occur within an event, so that only a part of its messages is sent.
    pub during_broadcast: bool,
}

/// `restart fresh | keeping state [within x .. y]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// Whether the node restarts with its initial values, except for persistent variables (true), or with its state
    /// (false).
    pub fresh: bool,
    /// The time from the stop to the restart; `None` if the node may restart at any time or never.
    pub within: Option<Interval>,
}

/// `faults lose | repeat …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct MessageFault {
    pub repeat: bool,
    /// `at most L`; `None` for any number.
    pub at_most: Option<Expr>,
    /// `of M`; `None` for messages of every type.
    pub of: Option<MessageId>,
    pub span: Span,
}

impl Model {
    /// Whether nodes can fail during the run, in the environment of the file or of a world.
    pub fn has_runtime_faults(&self) -> bool {
        let worlds = self.worlds.iter().filter_map(|w| w.faults.as_ref());
        let mut all = worlds.chain([&self.faults]);
        all.any(|faults| !faults.runtime_faults.is_empty())
    }
}

/// `world W { … }`: replaces parts of the environment; `None` and missing timings are taken from the file.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct World {
    pub name: String,
    /// The timings that this world replaces.
    pub timings: Vec<(TimingId, Schedule)>,
    pub network: Option<Network>,
    pub faults: Option<Faults>,
    pub initially: Option<Vec<Expr>>,
    pub span: Span,
}
