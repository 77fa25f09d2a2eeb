//! The structure of a Machine: its declarations.

use crate::{
    Abstraction, BlockId, Delay, EdgeId, Expr, Formula, KindId, LocalId, NodeId, Origin, RecordId,
    Response, RuntimeFault, Stmt, StmtKind, Timer, TimerId, Timing, Type, Value, VarId,
};
use serde::{Deserialize, Serialize};

/// One protocol at one size on one topology. Plain data: one table per section of the text form.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Machine {
    /// Kinds of node. Nodes are numbered kind by kind, in this order.
    pub kinds: Vec<Kind>,
    /// Number of ids, including ids that no node has; 0 if the protocol does not use ids.
    pub ids: u32,
    /// Enum types.
    pub enums: Vec<Enum>,
    /// Classes of counters.
    pub counters: Vec<Counter>,
    /// Message and struct types.
    pub records: Vec<Record>,
    /// Frozen variables: values that are chosen at the start and never change.
    pub frozen_vars: Vec<FrozenVar>,
    /// Variables of nodes.
    pub vars: Vec<Var>,
    /// Functions from nodes to nodes.
    pub maps: Vec<Map>,
    /// Directed edges (from, to), without duplicates.
    pub edges: Vec<(NodeId, NodeId)>,
    /// How messages travel along each edge.
    pub channel: Channel,
    /// The travel time of messages.
    pub delay: Delay,
    /// Which messages inboxes keep, and their initial contents.
    pub inbox: Inbox,
    /// Message faults: loss and duplication.
    pub faults: Vec<MessageFault>,
    /// Faults that nodes may have from the start.
    pub node_faults: Vec<NodeFault>,
    /// Runtime faults: crashes and stops during the run.
    pub runtime_faults: Vec<RuntimeFault>,
    /// Timers of nodes.
    pub timers: Vec<Timer>,
    /// Bounded-response obligations: whenever a condition holds, another one must hold within a given time.
    pub responses: Vec<Response>,
    /// How runs treat real times; without effect if the Machine has none.
    pub abstraction: Abstraction,
    /// Code blocks, in the order of declaration. Of several message blocks for one type the first whose guard holds
    /// runs.
    pub blocks: Vec<Block>,
    /// Restrictions of the initial states: conditions that every initial state satisfies.
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
    /// Message types that nodes of this kind discard on delivery.
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

/// A class of counters: integers that are compared with or assigned to each other. States are equivalent if they differ
/// only in a constant that is added to all counters of one class; see [`Machine::normalised`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// The range of values that engines with bounded integers represent. The semantics does not depend on it.
    pub window: Option<(i64, i64)>,
}

/// A message or struct type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<(String, Type)>,
    /// Whether the type is a message, which can be sent (true), or a struct (false).
    pub message: bool,
}

/// A frozen variable of the nodes of a kind: its values are chosen at the start and never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenVar {
    /// Its name.
    pub name: String,
    /// The kind of node that has it.
    pub kind: KindId,
    /// Its type.
    pub ty: Type,
    /// Which values it can have.
    pub order: Order,
    /// Source location.
    pub origin: Origin,
}

/// Which values a frozen variable can have at the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Any value of the type, independently at each node.
    Every,
    /// Distinct ids: no two nodes have the same value, and no two variables with this order share a value.
    Arrangement,
    /// The given values, one for each node of the kind.
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
    /// Whether the variable is an auxiliary variable for properties. Code reads it only in assignments to such
    /// variables.
    pub ghost: bool,
    /// Whether the variable keeps its value when its node restarts with fresh variables.
    pub persistent: bool,
    /// Source location.
    pub origin: Origin,
}

/// The initial value of a variable. The expression has one free local, local 0, the node. It reads no variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// Any value of its type.
    Any,
    /// Any element of a set.
    AnyIn(Scope, Expr),
    /// The value of an expression.
    Value(Scope, Expr),
}

/// A function from nodes to nodes, such as `next`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// Its value for each node, indexed by node.
    pub to: Vec<NodeId>,
}

/// How messages travel along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A FIFO queue with this capacity; unbounded if `None`.
    Fifo(Option<u32>),
    /// An unbounded bag (multiset).
    Unordered,
    /// No travel time: each receiver handles the message within the sending event.
    Instant,
}

impl Default for Channel {
    fn default() -> Self {
        Channel::Fifo(None)
    }
}

/// How inboxes keep messages. On delivery a message enters the inbox of its receiver if the receiver's kind has no code
/// for the message type, does not ignore the type, and reads its inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Inbox {
    /// Whether an inbox keeps only the last message of each type from each sender.
    pub latest: bool,
    /// Whether an inbox is a multiset (true) or keeps equal messages of one sender only once (false).
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
    /// At each node that can receive: from each neighbour that can send, one message. It is any message that the code
    /// of the neighbour could send in some state.
    OneFromEach,
    /// At each node that can receive: from each neighbour, even one that cannot send, one message as in `OneFromEach`
    /// or none.
    Anything,
}

/// A group of faults that nodes may have from the start. A node has a fault from at most one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFault {
    /// The affected kind; `None` means every kind.
    pub of: Option<KindId>,
    /// Maximum number of affected nodes; `None` means no limit.
    pub limit: Option<u32>,
    /// The possible faults. Each affected node has one of them.
    pub faults: Vec<Fault>,
}

/// A fault that a node has from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Fault {
    /// The node executes no events and discards its messages.
    Off,
    /// Messages that the node sends have no effect.
    Mute,
    /// The node receives no messages.
    Deaf,
    /// `Mute` and `Deaf`.
    Isolated,
}

impl Fault {
    /// Whether messages that a node with this fault sends have an effect.
    pub fn can_send(self) -> bool {
        self == Fault::Deaf
    }

    /// Whether a node with this fault receives messages.
    pub fn can_receive(self) -> bool {
        self == Fault::Mute
    }
}

/// The mode of a node: its position in its life cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// The start block of the node has not run yet.
    Waiting,
    /// The node executes events.
    Running,
    /// The node has executed `halt`.
    Halted,
    /// The node has the fault `Off`.
    Off,
    /// The node has crashed.
    Crashed,
    /// The node has stopped and may restart.
    Stopped,
}

impl Mode {
    /// Whether the node executes events now or will do so after its start block.
    pub fn runs(self) -> bool {
        matches!(self, Mode::Waiting | Mode::Running)
    }
}

/// A message fault: an alternative outcome of delivering a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFault {
    /// The alternative outcome.
    pub effect: Effect,
    /// Maximum number of occurrences in a run; `None` means no limit.
    pub limit: Option<u32>,
    /// The affected message type; `None` means every type.
    pub of: Option<RecordId>,
}

/// The outcome of a message fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The message is lost.
    Lose,
    /// The receiver handles the message, and a copy stays on the edge.
    Repeat,
}

/// A block of code that is executed atomically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Display name, such as `on Election`.
    pub name: String,
    /// The kind of node that executes it.
    pub kind: KindId,
    /// The event that executes it.
    pub trigger: Trigger,
    /// Its locals. Local 0 is the node that executes the block. In a message block, local 1 is the message and local 2
    /// the sender. In the block of a per-node timer, local 1 is the node that the timer is about.
    pub scope: Scope,
    /// Its code.
    pub body: Vec<Stmt>,
    /// Source location.
    pub origin: Origin,
}

/// The event that executes a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The start of the node, before all its other events.
    Start,
    /// Delivery of a message of this type, if the guard is absent or holds.
    On(RecordId, Option<Expr>),
    /// Enabled whenever the guard holds.
    When(Expr),
    /// An activation of the node, at times that the timing allows.
    Every(Timing),
    /// The expiry of a timer of the node.
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

/// A condition on single states.
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

/// The two kinds of property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Every run satisfies the formula.
    Claim(Formula),
    /// Some run reaches a state that satisfies the condition.
    Possible(Expr),
}

impl Block {
    /// Whether its code contains a `send`.
    pub fn sends(&self) -> bool {
        let mut sends = false;
        for statement in &self.body {
            statement.walk(&mut |s| sends |= matches!(s.kind, StmtKind::Send(..)));
        }
        sends
    }
}

impl Scope {
    /// The scope whose only local is the node that executes the block.
    pub fn of_node() -> Scope {
        let mut scope = Scope::default();
        scope.add("self", Type::Node);
        scope
    }

    /// The locals of a message block: the node, the message and the sender.
    pub fn of_message(message: Type) -> Scope {
        let mut scope = Scope::of_node();
        scope.add("message", message);
        scope.add("sender", Type::Node);
        scope
    }

    /// The locals of the block of a per-node timer: the node and the node that the timer is about.
    pub fn of_timer() -> Scope {
        let mut scope = Scope::of_node();
        scope.add("other", Type::Node);
        scope
    }

    /// Appends a local and returns its id.
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

    /// All nodes, in ascending order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.node_count()).map(NodeId)
    }

    /// The nodes of a kind, in ascending order.
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

    /// The index of a variable among the variables of its kind. It is also its index in
    /// [`NodeState::vars`](crate::NodeState).
    pub fn place_of_var(&self, var: VarId) -> usize {
        let kind = self.vars[var.index()].kind;
        self.vars[..var.index()]
            .iter()
            .filter(|v| v.kind == kind)
            .count()
    }

    /// The variables of a kind, in the order of declaration.
    pub fn vars_of(&self, kind: KindId) -> impl Iterator<Item = &Var> {
        self.vars.iter().filter(move |v| v.kind == kind)
    }

    /// The edge from one node to another; `None` if there is none.
    pub fn edge(&self, from: NodeId, to: NodeId) -> Option<EdgeId> {
        self.edges
            .iter()
            .position(|e| *e == (from, to))
            .map(|e| EdgeId(e as u32))
    }

    /// The start block of a kind; `None` if it has none.
    pub fn start_block(&self, kind: KindId) -> Option<BlockId> {
        self.blocks
            .iter()
            .position(|b| b.kind == kind && b.trigger == Trigger::Start)
            .map(|b| BlockId(b as u32))
    }
}
