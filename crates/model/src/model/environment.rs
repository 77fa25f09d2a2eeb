//! What stands around the nodes: who can send to whom, what may go wrong, and worlds in which that differs.

use crate::{Expr, Interval, KindId, MessageId, Model, Schedule, TimingId};
use source::Span;

/// `network TOPOLOGY { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Network {
    pub topology: Topology,
    pub channel: Channel,
    /// How long messages are on the way; none: as long as they like.
    pub delay: Option<Delay>,
    pub to_self: bool,
    pub inbox: Inbox,
    pub span: Span,
}

/// Who can send to whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// What it looks like.
    pub shape: TopologyShape,
    /// The numbers behind its name: those that its shape has; where that is one, the number of nodes, none may stand.
    pub sizes: Vec<Expr>,
    /// `edges(…)`.
    pub edges: Vec<TopologyEdge>,
    /// `where φ`: only instances in which this is true.
    pub condition: Option<Expr>,
    /// The whole.
    pub span: Span,
}

/// What a network looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyShape {
    /// Each node beside the next one, the last beside the first.
    Ring,
    /// All with all.
    Complete,
    /// Each node beside the next one.
    Line,
    /// Node 1 with all others.
    Star,
    /// Rows and columns, numbered row by row.
    Grid,
    /// The same, the last row and column beside the first.
    Torus,
    /// Children of each inner node, levels below the root; numbered level by level.
    Tree,
    /// Every connected undirected graph, up to isomorphism.
    Graphs,
    /// As it is written.
    Edges,
}

/// `1 - 2`, `2 to 3`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
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
    /// The only one of its kind.
    The(KindId),
}

/// How messages travel along an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum Channel {
    /// A queue, with a capacity if it says one.
    Fifo(Option<Expr>),
    /// A bag.
    Unordered,
    /// None: every receiver takes the message as part of the sending event.
    Instant,
}

/// How long a message is on the way.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// `delivery within x .. y`.
    Within(Interval),
    /// `delivery before next activation`, of its sender.
    BeforeNextActivation,
}

/// `inbox …`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inbox {
    /// Of the messages of one type from one sender only the last one is kept.
    pub latest_per_sender: bool,
    /// What is there at first.
    pub start: InboxStart,
}

/// What inboxes begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum InboxStart {
    #[default]
    Empty,
    OneFromEachSender,
    Anything,
}

/// What may go wrong: all `faults` items of a file or world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// `lose`, `repeat`.
    pub messages: Vec<MessageFault>,
    /// Of nodes, from the start.
    pub nodes: Vec<NodeFault>,
    /// Of nodes, in the run.
    pub runtime_faults: Vec<RuntimeFault>,
}

/// `faults at most N nodes: … from start`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFault {
    /// `at most N`; none: any number.
    pub at_most: Option<Expr>,
    /// Nodes of which kind; none: of any.
    pub of: Option<KindId>,
    /// What is wrong with such a node: one of these.
    pub faults: Vec<NodeFaultKind>,
    /// The whole.
    pub span: Span,
}

/// What can be wrong with a node from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum NodeFaultKind {
    Off,
    Mute,
    Deaf,
    Isolated,
}

/// `faults at most N nodes: crash, stop any time, …`.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeFault {
    /// `at most N`; none: any number.
    pub at_most: Option<Expr>,
    /// Nodes of which kind; none: of any.
    pub of: Option<KindId>,
    /// `crash any time`.
    pub crash: Option<Crash>,
    /// `stop any time, restart …`.
    pub stop: Option<Restart>,
    /// The whole.
    pub span: Span,
}

/// `crash any time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// `during broadcast`: a part of what an event sends may still go out.
    pub during_broadcast: bool,
}

/// `restart fresh | keeping state [within x .. y]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// With its first values, except those of persistent variables.
    pub fresh: bool,
    /// How long after it stopped; none: at any time, or never.
    pub within: Option<Interval>,
}

/// `faults lose | repeat …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct MessageFault {
    pub repeat: bool,
    /// `at most L`; none: any number.
    pub at_most: Option<Expr>,
    /// `of M`; none: every type.
    pub of: Option<MessageId>,
    pub span: Span,
}

impl Model {
    /// Whether nodes can fail in the run, in the file's own environment or in a world.
    pub fn has_runtime_faults(&self) -> bool {
        let worlds = self.worlds.iter().filter_map(|w| w.faults.as_ref());
        let mut all = worlds.chain([&self.faults]);
        all.any(|faults| !faults.runtime_faults.is_empty())
    }
}

/// `world W { … }`: what it does not mention stays.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct World {
    pub name: String,
    /// The timings that are others here.
    pub timings: Vec<(TimingId, Schedule)>,
    pub network: Option<Network>,
    pub faults: Option<Faults>,
    pub initially: Option<Vec<Expr>>,
    pub span: Span,
}
