//! Items of a file, and the code of nodes.

use super::{Check, Expr, MatchArm, Name, Unit};
use source::Span;

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The text of the `//!` lines, joined.
    pub docs: String,
    /// The items, in the order of the text.
    pub items: Vec<Item>,
    /// The unit of every number that has one. In a file without any unit, times are written as plain numbers.
    pub units: Vec<Unit>,
    /// The whole file.
    pub span: Span,
}

/// An item at the top level; some items are also allowed in a world.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Item {
    Param(Param),
    Let(Let),
    Fn(Fn),
    Enum(Enum),
    /// `struct`.
    Struct(Struct),
    /// `message`.
    Message(Struct),
    Timing(Timing),
    Node(NodeKind),
    Network(Network),
    Faults(Faults),
    Initially(Expr),
    Claim(Claim),
    World(World),
    Variant(Variant),
    Check(Check),
}

/// `param x: T = v`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Param {
    pub name: Name,
    pub ty: Option<Type>,
    pub value: Expr,
    pub span: Span,
}

/// `let x = e`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Let {
    pub name: Name,
    pub value: Expr,
    pub span: Span,
}

/// `a: T` in a signature.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Parameter {
    pub name: Name,
    pub ty: Type,
}

/// `fn f(a: T): U = e`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Fn {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub result: Option<Type>,
    pub body: Expr,
    pub span: Span,
}

/// `enum E { A, B }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Enum {
    pub name: Name,
    pub values: Vec<Name>,
    pub span: Span,
}

/// `struct S { … }`, `message M { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Struct {
    pub name: Name,
    pub fields: Vec<Field>,
    pub span: Span,
}

/// A field of a struct or message.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Field {
    pub name: Name,
    pub ty: Type,
}

/// A type with its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The form of the type.
    pub kind: TypeKind,
    /// The span of the type.
    pub span: Span,
}

/// The form of a declared type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `Bool`, `Id`, `Node`, `Counter`, `Duration`, an enum, struct, message.
    Name(Name),
    /// `a .. b`.
    Range(Box<Expr>, Box<Expr>),
    /// `Option<T>`.
    Option(Box<Type>),
    /// `Set<T>`.
    Set(Box<Type>),
    /// `[T; I]`.
    Array(Box<Type>, Box<Type>),
    /// A type that could not be parsed; the parser has reported the error.
    Error,
}

/// `timing t: …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Timing {
    pub name: Name,
    pub every: Every,
    pub span: Span,
}

/// The timing of activations, after `every` or `timing t:`.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one per node")]
pub enum Every {
    /// `any`.
    Any(Span),
    /// `round`, `round(Δ)`.
    Round(Option<Expr>, Span),
    /// The name of a `timing`.
    Named(Name),
    /// `a .. b [fixed] [, jitter …] [, first …]`.
    Gap {
        /// The interval of gaps: `a .. b`, `x ± y`, or one value.
        interval: Expr,
        /// `fixed`: whether one gap is chosen for the whole run (true), or each gap separately (false).
        fixed: bool,
        /// The jitter.
        jitter: Option<Jitter>,
        /// The time of the first activation.
        first: Option<Expr>,
        /// The span of the whole timing.
        span: Span,
    },
}

/// `jitter ± j per gap | on the grid`; the amount is the expression after `jitter`, with its `±`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Jitter {
    pub amount: Expr,
    pub on_the_grid: bool,
    pub span: Span,
}

/// `node K[n] { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct NodeKind {
    pub name: Name,
    pub number: Option<Expr>,
    pub items: Vec<NodeItem>,
    pub span: Span,
}

/// `variant V of K { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Variant {
    pub name: Name,
    pub of: Name,
    pub items: Vec<NodeItem>,
    pub span: Span,
}

/// An item in the braces of a node or variant.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum NodeItem {
    Constant(Constant),
    Var(Var),
    /// `timer t`, `timer t[Node]`.
    Timer(Name, Option<Type>),
    Block(Block),
    /// `action f(a: T) { … }`.
    Action {
        name: Name,
        parameters: Vec<Parameter>,
        body: Vec<Stmt>,
        span: Span,
    },
    /// `ignore M`.
    Ignore(Name),
    /// `without on M` and similar; in variants only.
    Without(BlockHead, Span),
}

/// `c: T`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Constant {
    pub name: Name,
    pub ty: Type,
}

/// `[persistent | ghost] var x: T = …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Var {
    pub name: Name,
    pub ty: Type,
    pub init: VarInit,
    pub persistent: bool,
    pub ghost: bool,
    pub span: Span,
}

/// The initial value of a variable, after `=`; `= any` is `ExprKind::Any`.
pub type VarInit = Expr;

/// A block with its head.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Block {
    pub head: BlockHead,
    pub body: Vec<Stmt>,
    /// The span of the head.
    pub head_span: Span,
    pub span: Span,
}

/// The trigger of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockHead {
    /// `start`.
    Start,
    /// `every …`; `None` in `without every`.
    Every(Option<Every>),
    /// `on M as m from s when g` for a message, or `on t` for a timer. Name resolution distinguishes the two.
    On {
        /// Message type or timer.
        name: Name,
        /// `[j]` after a timer.
        index: Option<Name>,
        /// `as m`.
        binding: Option<Name>,
        /// `from s`.
        from: Option<Name>,
        /// `when g`.
        guard: Option<Expr>,
    },
    /// `when NAME: g`; the guard is `None` in `without when NAME`.
    When(Name, Option<Expr>),
    /// `action f` (in `without` only).
    Action(Name),
}

/// A statement with its span.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The form of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `place = e`; the place is a name, field or index expression.
    Assign(Expr, Expr),
    /// `if c { } else { }`; for `else if`, the last part is one nested `if`.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `match e { … }`.
    Match(Expr, Vec<MatchArm<Vec<Stmt>>>),
    /// `for x in S { }`.
    For(Name, Expr, Vec<Stmt>),
    /// `let x = e`.
    Let(Name, Expr),
    /// `choose x in S`.
    Choose(Name, Expr),
    /// `send …`, `broadcast …`.
    Send(Send),
    /// `clear inbox`.
    ClearInbox,
    /// `assert e`.
    Assert(Expr),
    /// `halt`.
    Halt,
    /// `set t in a .. b`; the timer is a name or index expression.
    SetTimer(Expr, Expr),
    /// `cancel t`.
    CancelTimer(Expr),
    /// `f(a, b)`.
    Call(Name, Vec<Expr>),
    /// A statement that could not be parsed; the parser has reported the error.
    Error,
}

/// `send M { … } to e`, `broadcast M { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    /// A struct expression, or any expression of a message type; a bare name for a message without fields.
    pub message: Expr,
    /// The receivers; `None` for `broadcast`.
    pub to: Option<Expr>,
}

/// `network TOPOLOGY { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Network {
    pub topology: Topology,
    pub items: Vec<NetworkItem>,
    pub span: Span,
}

/// The topology: which nodes can send to which.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// `ring`, `complete`, `line`, `graphs`, `edges`, …
    pub name: Name,
    /// `(4)`, `(2, 3)`.
    pub arguments: Vec<Expr>,
    /// `1 - 2, 2 to 3`, the list after `edges`.
    pub edges: Vec<TopologyEdge>,
    /// `where φ`.
    pub condition: Option<Expr>,
    /// The span of the whole topology.
    pub span: Span,
}

/// An undirected edge `1 - 2`, or a directed edge `2 to 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct TopologyEdge {
    /// The expression before `to`; for an undirected edge, the whole expression `1 - 2`.
    pub from: Expr,
    /// The expression after `to`; `None` for an undirected edge.
    pub to: Option<Expr>,
    /// The span of the whole edge.
    pub span: Span,
}

/// An item in the braces of a network.
#[derive(Clone, Debug, PartialEq)]
pub enum NetworkItem {
    /// `channel …`, `delivery …`.
    Delivery(Delivery, Span),
    /// `to self`.
    ToSelf(Span),
    /// `inbox …`.
    Inbox(Inbox, Span),
}

/// How messages are delivered.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// `channel fifo`, `channel fifo(c)`.
    Fifo(Option<Expr>),
    /// `channel unordered`.
    Unordered,
    /// `delivery instant`.
    Instant,
    /// `delivery within x .. y [, fifo | unordered]`: `Some(true)` for `fifo`, `Some(false)` for `unordered`, `None`
    /// if neither is written.
    Within(Expr, Option<bool>),
    /// `delivery before next activation [, fifo | unordered]`, with the same values.
    BeforeNextActivation(Option<bool>),
}

/// `inbox all | latest per sender [, starts …]`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Inbox {
    pub latest_per_sender: bool,
    pub start: InboxStart,
}

/// The initial contents of inboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum InboxStart {
    Empty,
    OneFromEachSender,
    Anything,
}

/// `faults …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Faults {
    pub item: FaultItem,
    pub span: Span,
}

/// An item of `faults`.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultItem {
    /// `at most N nodes | any nodes | at most N Kind: …`.
    Nodes(FaultScope, Vec<Mode>),
    /// `lose …`, `repeat …`.
    Messages(MessageFault),
    /// `none`: no faults; useful in worlds.
    None,
}

/// The nodes that an item of `faults` is about.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultScope {
    /// `at most N`; `None` for `any`.
    pub at_most: Option<Expr>,
    /// The name of a kind; `None` for all nodes.
    pub kind: Option<Name>,
}

/// One fault in the list of an item of `faults`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// `off`, `mute`, `deaf`, `isolated`, `crash`, `stop`.
    pub name: Name,
    /// `Some(true)` for `from start`, `Some(false)` for `any time`, `None` if neither is written.
    pub from_start: Option<bool>,
    /// `, during broadcast`.
    pub during_broadcast: bool,
    /// `, restart …`.
    pub restart: Option<Restart>,
}

/// `restart fresh | keeping state [within x .. y]`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Restart {
    pub fresh: bool,
    pub within: Option<Expr>,
}

/// `lose | repeat  at most L messages | any messages [of M]`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct MessageFault {
    pub repeat: bool,
    pub at_most: Option<Expr>,
    pub of: Option<Name>,
}

/// `claim c(x: T): φ`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Claim {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub formula: Expr,
    pub span: Span,
}

/// `world W { … }`; the items are `timing`, `network`, `faults` and `initially`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct World {
    pub name: Name,
    pub items: Vec<Item>,
    pub span: Span,
}
