//! The structure of a Machine: its declarations.

use crate::{
    Abstraction, BlockId, Delay, EdgeId, Expr, Formula, KindId, LocalId, NodeId, Origin, RecordId,
    Response, RuntimeFault, Stmt, StmtKind, Timer, TimerId, Timing, Type, Value, VarId,
};
use serde::{Deserialize, Serialize};

/// One protocol at one size on one topology.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Machine {
    /// Kinds of node. Nodes are numbered in the order of their kinds.
    pub kinds: Vec<Kind>,
    /// Number of ids, including ids that no node has; 0 if nothing uses ids.
    pub ids: u32,
    /// Enum types.
    pub enums: Vec<Enum>,
    /// Classes of counters.
    pub counters: Vec<Counter>,
    /// Message and struct types.
    pub records: Vec<Record>,
    /// Frozen variables: chosen at the start, never changed.
    pub frozen_vars: Vec<FrozenVar>,
    /// Variables of nodes.
    pub vars: Vec<Var>,
    /// Functions from nodes to nodes.
    pub maps: Vec<Map>,
    /// Directed edges (from, to), without duplicates.
    pub edges: Vec<(NodeId, NodeId)>,
    /// How messages travel along an edge.
    pub channel: Channel,
    /// The travel time of messages.
    pub delay: Delay,
    /// How inboxes keep messages for which a kind has no code.
    pub inbox: Inbox,
    /// Message faults: losses and repetitions.
    pub faults: Vec<MessageFault>,
    /// Faults that nodes may have from the start.
    pub node_faults: Vec<NodeFault>,
    /// Runtime faults: crashes and stops during the run.
    pub runtime_faults: Vec<RuntimeFault>,
    /// Timers of nodes.
    pub timers: Vec<Timer>,
    /// Bounded-response obligations: conditions that must follow within a time.
    pub responses: Vec<Response>,
    /// Which runs the Machine has if it has real times.
    pub abstraction: Abstraction,
    /// Code blocks, in the order of the text.
    pub blocks: Vec<Block>,
    /// Restrictions of the initial states.
    pub initially: Vec<Predicate>,
    /// Properties to check.
    pub properties: Vec<Property>,
}

/// A kind of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Number of nodes of this kind.
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

/// A class of counters: integers that are compared with or assigned to each other. States that differ only by a shift
/// of all counters of one class are equivalent; see [`Machine::normalised`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// The range of values for engines that need a bound. The behaviour of the Machine does not depend on it.
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

/// A frozen variable of the nodes of a kind: chosen at the start, never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenVar {
    /// Its name.
    pub name: String,
    /// The kind of node that has it.
    pub kind: KindId,
    /// Its type.
    pub ty: Type,
    /// Which values are possible.
    pub order: Order,
    /// Source location.
    pub origin: Origin,
}

/// Which values a frozen variable can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every value of the type, independently at every node.
    Every,
    /// An arrangement of ids: the values at all nodes and of all such variables are distinct.
    Arrangement,
    /// The given values, one per node.
    Given(Vec<Value>),
}

/// A variable of the nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// The kind of node that has it.
    pub kind: KindId,
    /// Its type.
    pub ty: Type,
    /// Its initial value.
    pub init: Init,
    /// Auxiliary variable of properties: no code reads it.
    pub ghost: bool,
    /// It keeps its value when the node restarts with fresh variables.
    pub persistent: bool,
    /// Source location.
    pub origin: Origin,
}

/// The initial value of a variable. The only local of the expression is the node (local 0); the expression reads no
/// variables.
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

/// How messages travel along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A queue, with a capacity or unbounded.
    Fifo(Option<u32>),
    /// An unbounded bag (multiset).
    Unordered,
    /// No travel: each receiver takes the message within the sending event.
    Instant,
}

impl Default for Channel {
    fn default() -> Self {
        Channel::Fifo(None)
    }
}

/// How inboxes keep messages. A message enters the inbox of its receiver if the receiver's kind has no code for its
/// type and reads its inbox somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Inbox {
    /// An inbox keeps only the last message of each type from each sender.
    pub latest: bool,
    /// An inbox is a multiset: repeated messages from one sender are counted.
    pub copies: bool,
    /// The initial contents.
    pub start: InboxStart,
}

/// The initial contents of inboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InboxStart {
    /// Nothing.
    #[default]
    Empty,
    /// At each node that can receive: from each neighbour that can send, one message that the neighbour's code could
    /// send from some state.
    OneFromEach,
    /// From each neighbour, whatever its fault: one such message or none.
    Anything,
}

/// A fault that nodes may have from the start. Each node has the fault of one item or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFault {
    /// The affected kind; `None` affects every kind.
    pub of: Option<KindId>,
    /// Maximum number of nodes.
    pub limit: Option<u32>,
    /// The possible faults; an affected node has one of them.
    pub faults: Vec<Fault>,
}

/// A fault that a node has from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Fault {
    /// The node takes no events.
    Off,
    /// Messages that the node sends have no effect.
    Mute,
    /// The node receives no messages.
    Deaf,
    /// `Mute` and `Deaf`.
    Isolated,
}

impl Fault {
    /// Whether messages that the node sends have an effect.
    pub fn can_send(self) -> bool {
        self == Fault::Deaf
    }

    /// Whether the node receives messages.
    pub fn can_receive(self) -> bool {
        self == Fault::Mute
    }
}

/// The mode of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// The node has not started.
    Waiting,
    /// The node runs.
    Running,
    /// The node has halted.
    Halted,
    /// The node is off from the start.
    Off,
    /// The node has crashed.
    Crashed,
    /// The node has stopped and may restart.
    Stopped,
}

impl Mode {
    /// Whether the node takes events now or after its start.
    pub fn runs(self) -> bool {
        matches!(self, Mode::Waiting | Mode::Running)
    }
}

/// A message fault: an alternative outcome of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFault {
    /// The alternative outcome.
    pub effect: Effect,
    /// Maximum number of occurrences.
    pub limit: Option<u32>,
    /// The affected message type; `None` affects every type.
    pub of: Option<RecordId>,
}

/// The outcome of a message fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The message is lost.
    Lose,
    /// The message is handed over and stays on its edge.
    Repeat,
}

/// A block of code that runs atomically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Display name, such as `on Election`.
    pub name: String,
    /// The kind of node that runs it.
    pub kind: KindId,
    /// The event that runs it.
    pub trigger: Trigger,
    /// Its locals. Local 0 is the node. In a message block local 1 is the message and local 2 the sender. In the block
    /// of a per-node timer local 1 is the timer's node.
    pub scope: Scope,
    /// Its code.
    pub body: Vec<Stmt>,
    /// Source location.
    pub origin: Origin,
}

/// The event that runs a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The first event of the node.
    Start,
    /// Delivery of a message of the type, if the guard holds.
    On(RecordId, Option<Expr>),
    /// The guard holds.
    When(Expr),
    /// An activation of the node.
    Every(Timing),
    /// A timer of the node expires.
    Timer(TimerId),
}

/// The locals of a block or condition, with their types.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Scope {
    /// Indexed by [`LocalId`].
    pub locals: Vec<Local>,
}

/// A local.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Display name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A condition on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its locals.
    pub scope: Scope,
    /// The condition.
    pub condition: Expr,
}

/// A property of a Machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its locals.
    pub scope: Scope,
    /// The property itself.
    pub kind: PropertyKind,
}

/// The kinds of property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Every run satisfies the formula.
    Claim(Formula),
    /// Some run reaches a state that satisfies the condition.
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
    /// The locals of a block without a message.
    pub fn of_node() -> Scope {
        let mut scope = Scope::default();
        scope.add("self", Type::Node);
        scope
    }

    /// The locals of a message block.
    pub fn of_message(message: Type) -> Scope {
        let mut scope = Scope::of_node();
        scope.add("message", message);
        scope.add("sender", Type::Node);
        scope
    }

    /// The locals of the block of a per-node timer.
    pub fn of_timer() -> Scope {
        let mut scope = Scope::of_node();
        scope.add("other", Type::Node);
        scope
    }

    /// Adds a local.
    pub fn add(&mut self, name: impl Into<String>, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.into(),
            ty,
        });
        LocalId(self.locals.len() as u32 - 1)
    }
}

impl Machine {
    /// Number of nodes.
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

    /// The index of a node among the nodes of its kind.
    pub fn place_in_kind(&self, node: NodeId) -> usize {
        let kind = self.kind_of(node);
        let first: u32 = self.kinds[..kind.index()].iter().map(|k| k.count).sum();
        (node.0 - first) as usize
    }

    /// The index of a variable among the variables of its kind, which is its index in
    /// [`NodeState::vars`](crate::NodeState).
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

    /// The edge from one node to another.
    pub fn edge(&self, from: NodeId, to: NodeId) -> Option<EdgeId> {
        self.edges
            .iter()
            .position(|e| *e == (from, to))
            .map(|e| EdgeId(e as u32))
    }

    /// The start block of a kind, if it has one.
    pub fn start_block(&self, kind: KindId) -> Option<BlockId> {
        self.blocks
            .iter()
            .position(|b| b.kind == kind && b.trigger == Trigger::Start)
            .map(|b| BlockId(b as u32))
    }
}
