//! The environment of the nodes: network, faults, and worlds that replace them.

use crate::{Expr, Interval, KindId, MessageId, Model, Schedule, TimingId};
use source::Span;

/// `network TOPOLOGY { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Network {
    pub topology: Topology,
    pub channel: Channel,
    /// The delay of messages; `None`: any delay.
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
    /// The numbers after the name, as many as the shape has. The number of nodes may be omitted where it is the only
    /// one.
    pub sizes: Vec<Expr>,
    /// `edges(…)`.
    pub edges: Vec<TopologyEdge>,
    /// `where φ`: restricts the instances to those that satisfy φ.
    pub condition: Option<Expr>,
    /// The whole topology.
    pub span: Span,
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyShape {
    /// Each node is joined to the next one, and the last to the first.
    Ring,
    /// Every node is joined to every other.
    Complete,
    /// Each node is joined to the next one.
    Line,
    /// Node 1 is joined to all others.
    Star,
    /// Rows and columns; nodes are numbered row by row.
    Grid,
    /// A grid whose last row and column are joined to the first.
    Torus,
    /// A tree given by the number of children of each inner node and the number of levels below the root; nodes are
    /// numbered level by level.
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

/// A node of an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeEnd {
    /// By its number, from 1.
    Number(Expr),
    /// The only node of its kind.
    The(KindId),
}

/// How messages travel along an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum Channel {
    /// A queue, with a capacity if one is declared.
    Fifo(Option<Expr>),
    /// A bag.
    Unordered,
    /// No channel: every receiver takes the message as part of the sending event.
    Instant,
}

/// The delay of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// `delivery within x .. y`.
    Within(Interval),
    /// `delivery before next activation`: before the next activation of the sender.
    BeforeNextActivation,
}

/// `inbox …`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inbox {
    /// Whether only the latest message of each type from each sender is kept.
    pub latest_per_sender: bool,
    /// The initial contents.
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
    /// Faults of nodes from the start.
    pub nodes: Vec<NodeFault>,
    /// Faults of nodes during the run.
    pub runtime_faults: Vec<RuntimeFault>,
}

/// `faults at most N nodes: … from start`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFault {
    /// `at most N`; `None`: any number.
    pub at_most: Option<Expr>,
    /// The kind of the nodes; `None`: any kind.
    pub of: Option<KindId>,
    /// The possible faults of such a node.
    pub faults: Vec<NodeFaultKind>,
    /// The whole item.
    pub span: Span,
}

/// A fault of a node from the start.
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
    /// `at most N`; `None`: any number.
    pub at_most: Option<Expr>,
    /// The kind of the nodes; `None`: any kind.
    pub of: Option<KindId>,
    /// `crash any time`.
    pub crash: Option<Crash>,
    /// `stop any time, restart …`.
    pub stop: Option<Restart>,
    /// The whole item.
    pub span: Span,
}

/// `crash any time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// `during broadcast`: a part of the messages of an event may still be sent.
    pub during_broadcast: bool,
}

/// `restart fresh | keeping state [within x .. y]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// Whether the node restarts with its initial values, except for persistent variables.
    pub fresh: bool,
    /// The time from the stop to the restart; `None`: at any time, or never.
    pub within: Option<Interval>,
}

/// `faults lose | repeat …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct MessageFault {
    pub repeat: bool,
    /// `at most L`; `None`: any number.
    pub at_most: Option<Expr>,
    /// `of M`; `None`: every type.
    pub of: Option<MessageId>,
    pub span: Span,
}

impl Model {
    /// Whether nodes can fail during the run, in the file or in a world.
    pub fn has_runtime_faults(&self) -> bool {
        let worlds = self.worlds.iter().filter_map(|w| w.faults.as_ref());
        let mut all = worlds.chain([&self.faults]);
        all.any(|faults| !faults.runtime_faults.is_empty())
    }
}

/// `world W { … }`: replaces parts of the environment; the rest stays.
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
