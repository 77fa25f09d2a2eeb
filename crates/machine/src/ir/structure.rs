//! What a Machine consists of.

use crate::{
    Abstraction, BlockId, Delay, EdgeId, Expr, Formula, KindId, LocalId, NodeId, Origin, RecordId,
    Response, RuntimeFault, Stmt, StmtKind, Timer, TimerId, Timing, Type, Value, VarId,
};
use serde::{Deserialize, Serialize};

/// One protocol at one size on one topology.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Machine {
    /// Kinds of node; the nodes are numbered through in this order.
    pub kinds: Vec<Kind>,
    /// How many ids there are, those of strangers included; 0 if nothing uses them.
    pub ids: u32,
    /// Enum types.
    pub enums: Vec<Enum>,
    /// Classes of counters.
    pub counters: Vec<Counter>,
    /// Message and struct types.
    pub records: Vec<Record>,
    /// What is chosen at the start and never changes.
    pub frozen_vars: Vec<FrozenVar>,
    /// Variables of nodes.
    pub vars: Vec<Var>,
    /// Functions from nodes to nodes.
    pub maps: Vec<Map>,
    /// Directed edges, from and to, all different.
    pub edges: Vec<(NodeId, NodeId)>,
    /// How messages travel along an edge.
    pub channel: Channel,
    /// How long they are on their way.
    pub delay: Delay,
    /// What becomes of messages for which a kind has no code.
    pub inbox: Inbox,
    /// What may happen to messages.
    pub faults: Vec<MessageFault>,
    /// What may be wrong with nodes from the start.
    pub node_faults: Vec<NodeFault>,
    /// What may runtime_fault nodes in the run.
    pub runtime_faults: Vec<RuntimeFault>,
    /// Timers of nodes.
    pub timers: Vec<Timer>,
    /// What must follow within a time.
    pub responses: Vec<Response>,
    /// Which runs are meant where there is time.
    pub abstraction: Abstraction,
    /// Code, in the order of the text.
    pub blocks: Vec<Block>,
    /// Restrictions of the initial states.
    pub initially: Vec<Predicate>,
    /// What is asked.
    pub properties: Vec<Property>,
}

/// A kind of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// How many nodes of it there are.
    pub count: u32,
    /// Messages that its nodes drop.
    pub ignores: Vec<RecordId>,
}

/// An enum type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// The names of its values.
    pub values: Vec<String>,
}

/// A class of counters: integers that are compared with or assigned to each other. A state in which all of a class are so
/// much greater is the same state; see [`Machine::normalised`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// The integers for which somebody who needs a bound has room. What the Machine does never depends on it.
    pub window: Option<(i64, i64)>,
}

/// A message or struct type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<(String, Type)>,
    /// Whether it can be sent.
    pub message: bool,
}

/// A variable that is chosen at the start and never changes: a constant of the nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenVar {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub kind: KindId,
    /// Its type.
    pub ty: Type,
    /// Which values it takes.
    pub order: Order,
    /// Where it comes from.
    pub origin: Origin,
}

/// Which values a frozen variable takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every value, at every node.
    Every,
    /// The ids of the nodes: different from each other and from all others of this sort.
    Arrangement,
    /// These, one for each node.
    Given(Vec<Value>),
}

/// A variable of the nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub kind: KindId,
    /// Its type.
    pub ty: Type,
    /// What it begins with.
    pub init: Init,
    /// Added for claims only: no code reads it.
    pub ghost: bool,
    /// It keeps its value when the node restarts afresh.
    pub persistent: bool,
    /// Where it comes from.
    pub origin: Origin,
}

/// What a variable begins with. The expression's only local is the node (local 0); it reads no variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// Any value of its type.
    Any,
    /// Any value of a set.
    AnyIn(Scope, Expr),
    /// One value.
    Value(Scope, Expr),
}

/// A function from nodes to nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// Its value for each node.
    pub to: Vec<NodeId>,
}

/// How messages travel along an edge: a container with or without a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A queue (`Seq`), of that capacity if there is one.
    Fifo(Option<u32>),
    /// A bag (`Bag`) without bound.
    Unordered,
    /// No way at all: every receiver takes the message as part of the sending event.
    Instant,
}

impl Default for Channel {
    fn default() -> Self {
        Channel::Fifo(None)
    }
}

/// What inboxes are. A message enters the inbox of its receiver if the receiver's kind has no code for its
/// type and reads its inbox somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Inbox {
    /// Of the messages of one type from one sender only the last one is kept.
    pub latest: bool,
    /// How often the same message of the same sender is there is part of the state.
    pub copies: bool,
    /// What is there at first.
    pub start: InboxStart,
}

/// What is in the inboxes at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InboxStart {
    /// Nothing.
    #[default]
    Empty,
    /// From each node that can send to it and is able to, one message that its code could send from some
    /// state; for nodes that can receive.
    OneFromEach,
    /// The same or nothing, from each node that can send to it, whatever its fault.
    Anything,
}

/// What may be wrong with nodes from the start. A node has the fault of one item or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFault {
    /// Nodes of which kind; none: of any.
    pub of: Option<KindId>,
    /// How many nodes at most.
    pub limit: Option<u32>,
    /// What is wrong with such a node: one of these.
    pub faults: Vec<Fault>,
}

/// What is wrong with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Fault {
    /// It does nothing at all.
    Off,
    /// What it sends has no effect.
    Mute,
    /// It receives nothing.
    Deaf,
    /// Both.
    Isolated,
}

impl Fault {
    /// Whether what the node sends has an effect.
    pub fn can_send(self) -> bool {
        self == Fault::Deaf
    }

    /// Whether the node receives what is sent to it.
    pub fn can_receive(self) -> bool {
        self == Fault::Mute
    }
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
    /// It does nothing at all, from the start.
    Off,
    /// It has crashed.
    Crashed,
    /// It has stopped and may begin again.
    Stopped,
}

impl Mode {
    /// Whether the node does something some day.
    pub fn runs(self) -> bool {
        matches!(self, Mode::Waiting | Mode::Running)
    }
}

/// What may happen to messages when they would be handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFault {
    /// What happens.
    pub effect: Effect,
    /// How often at most.
    pub limit: Option<u32>,
    /// To messages of which type; none: of any.
    pub of: Option<RecordId>,
}

/// What happens to a message instead of the plain hand-over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is gone.
    Lose,
    /// It is handed over and still there.
    Repeat,
}

/// A piece of code that runs without interruption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What people call it, such as `on Election`.
    pub name: String,
    /// Whose it is.
    pub kind: KindId,
    /// What starts it.
    pub trigger: Trigger,
    /// Its local names: 0 is the node itself; in a block for a message 1 is the message, 2 the sender; in one for a
    /// timer of which there is one for each node 1 is that node.
    pub scope: Scope,
    /// Its code.
    pub body: Vec<Stmt>,
    /// Where it comes from.
    pub origin: Origin,
}

/// What starts a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The first event of the node.
    Start,
    /// The hand-over of a message of the type, if the guard holds.
    On(RecordId, Option<Expr>),
    /// The guard holds.
    When(Expr),
    /// The node's rhythm.
    Every(Timing),
    /// A timer of the node expires.
    Timer(TimerId),
}

/// The local names of a block or condition, with their types.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Scope {
    /// By number.
    pub locals: Vec<Local>,
}

/// A local name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// What people call it.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A condition on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its local names.
    pub scope: Scope,
    /// The condition.
    pub condition: Expr,
}

/// Something asked of a Machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its local names.
    pub scope: Scope,
    /// What is asked.
    pub kind: PropertyKind,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Whether every run satisfies it.
    Claim(Formula),
    /// Whether some run reaches a state in which it holds.
    Possible(Expr),
}

impl Block {
    /// Whether its code may send.
    pub fn sends(&self) -> bool {
        let mut sends = false;
        for statement in &self.body {
            statement.walk(&mut |s| sends |= matches!(s.kind, StmtKind::Send(..)));
        }
        sends
    }
}

impl Scope {
    /// The locals of a block that no message starts.
    pub fn of_node() -> Scope {
        let mut scope = Scope::default();
        scope.add("self", Type::Node);
        scope
    }

    /// The locals of a block that a message starts.
    pub fn of_message(message: Type) -> Scope {
        let mut scope = Scope::of_node();
        scope.add("message", message);
        scope.add("sender", Type::Node);
        scope
    }

    /// The locals of a block that a timer starts of which there is one for each node.
    pub fn of_timer() -> Scope {
        let mut scope = Scope::of_node();
        scope.add("other", Type::Node);
        scope
    }

    /// Adds a local name.
    pub fn add(&mut self, name: impl Into<String>, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.into(),
            ty,
        });
        LocalId(self.locals.len() as u32 - 1)
    }
}

impl Machine {
    /// How many nodes there are.
    pub fn node_count(&self) -> u32 {
        self.kinds.iter().map(|k| k.count).sum()
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.node_count()).map(NodeId)
    }

    /// The nodes of a kind, in order.
    pub fn nodes_of(&self, kind: KindId) -> impl Iterator<Item = NodeId> + use<> {
        let first: u32 = self.kinds[..kind.index()].iter().map(|k| k.count).sum();
        (first..first + self.kinds[kind.index()].count).map(NodeId)
    }

    /// The kind of a node.
    pub fn kind_of(&self, node: NodeId) -> KindId {
        let mut first = 0;
        for (k, kind) in self.kinds.iter().enumerate() {
            first += kind.count;
            if node.0 < first {
                return KindId(k as u32);
            }
        }
        unreachable!("{node} is not a node of this machine")
    }

    /// The place of a node among those of its kind, from 0.
    pub fn place_in_kind(&self, node: NodeId) -> usize {
        let kind = self.kind_of(node);
        let first: u32 = self.kinds[..kind.index()].iter().map(|k| k.count).sum();
        (node.0 - first) as usize
    }

    /// The place of a variable among those of its kind: its index in [`NodeState::vars`](crate::NodeState).
    pub fn place_of_var(&self, var: VarId) -> usize {
        let kind = self.vars[var.index()].kind;
        self.vars[..var.index()]
            .iter()
            .filter(|v| v.kind == kind)
            .count()
    }

    /// The variables of a kind, in order.
    pub fn vars_of(&self, kind: KindId) -> impl Iterator<Item = &Var> {
        self.vars.iter().filter(move |v| v.kind == kind)
    }

    /// The edge between two nodes.
    pub fn edge(&self, from: NodeId, to: NodeId) -> Option<EdgeId> {
        self.edges
            .iter()
            .position(|e| *e == (from, to))
            .map(|e| EdgeId(e as u32))
    }

    /// The block with which a kind starts, if it has one.
    pub fn start_block(&self, kind: KindId) -> Option<BlockId> {
        self.blocks
            .iter()
            .position(|b| b.kind == kind && b.trigger == Trigger::Start)
            .map(|b| BlockId(b as u32))
    }
}
