//! The code of nodes: bodies, blocks, statements, targets of assignments.

use crate::{
    Domain, Every, Expr, ExprKind, FieldId, Interval, LocalId, Match, MessageId, RecordId, TimerId,
    TimerUse,
};
use source::Span;

/// The body of a node kind: constants, variables, timers and blocks.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Body {
    pub constants: Vec<NodeConstant>,
    pub vars: Vec<Var>,
    pub timers: Vec<TimerId>,
    /// The blocks, in the order of the text.
    pub blocks: Vec<Block>,
    /// `ignore M`: messages of type M are removed when they are delivered.
    pub ignored: Vec<MessageId>,
}

/// `c: T`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct NodeConstant {
    pub field: FieldId,
    pub domain: Domain,
    pub span: Span,
}

/// `var x: T = …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Var {
    pub field: FieldId,
    pub domain: Domain,
    pub start: VarStart,
    /// Whether a fresh restart keeps the value (true) or sets the initial value again (false).
    pub persistent: bool,
    pub span: Span,
}

/// The initial value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum VarStart {
    /// One value. The expression reads no variables.
    Value(Expr),
    /// Any value of the type.
    Any,
    /// Any element of a set.
    AnyIn(Expr),
}

/// A block with its trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The trigger.
    pub head: Head,
    /// The guard.
    pub guard: Option<Expr>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// The span of the head.
    pub head_span: Span,
    /// The span of the whole block.
    pub span: Span,
}

/// The trigger of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Head {
    /// `start`.
    Start,
    /// `every …`.
    Every(Every),
    /// `on M as m from s`.
    On {
        /// The message type.
        message: MessageId,
        /// `as m`: the name of the message.
        binding: Option<LocalId>,
        /// `from s`: the name of the sender.
        from: Option<LocalId>,
    },
    /// `on t`, `on t[j]`: the timer, and the name of the index node.
    Timer(TimerId, Option<LocalId>),
    /// `when NAME: …`.
    When(String),
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
    /// `place = e`: sets a variable of the node, or a part of one.
    Assign(Place, Expr),
    /// `if c { } else { }`.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `let x = e`. Also the binding of r by a condition `x is r` before a block.
    Let(LocalId, Expr),
    /// `choose x in S`.
    Choose(LocalId, Expr),
    /// `for x in S { }`, in ascending order of the elements.
    For(LocalId, Expr, Vec<Stmt>),
    /// `send e to …`, `broadcast e`.
    Send(Expr, Receivers),
    /// `set t in a .. b`; the times may depend on the variables of the node.
    SetTimer(TimerUse, Interval),
    /// `cancel t`.
    CancelTimer(TimerUse),
    /// `clear inbox`.
    ClearInbox,
    /// `match e { … }`.
    Match(Match<Vec<Stmt>>),
    /// `f(a, b)`: a call of an action.
    Call(Call),
    /// `assert e`.
    Assert(Expr),
    /// `halt`.
    Halt,
}

/// The target of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The variable.
    pub field: FieldId,
    /// The path from the variable to the assigned part.
    pub path: Vec<PlaceStep>,
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceStep {
    /// The n-th field of a message or struct.
    Field(RecordId, u32),
    /// An element of an array.
    Index(Expr),
    /// The value of an option: a run-time error if it is `none`.
    Unwrap,
}

/// A call of an action: its statements, in which its parameters are bound to the arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name of the action.
    pub name: String,
    /// Each parameter with its domain and its argument. The arguments are evaluated in this order before the first
    /// statement.
    pub arguments: Vec<(LocalId, Domain, Expr)>,
    /// The statements of the action.
    pub body: Vec<Stmt>,
}

/// The receivers of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Receivers {
    /// One node.
    Node(Expr),
    /// Every node of a set.
    Set(Expr),
    /// Every neighbour.
    Neighbours,
}

impl Body {
    /// Whether the blocks read the inbox.
    pub fn reads_inbox(&self) -> bool {
        let mut reads = false;
        self.walk_exprs(&mut |e| {
            reads |= matches!(e.kind, ExprKind::Inbox(_) | ExprKind::Senders(_));
        });
        reads
    }

    /// Calls `visit` on every expression of the blocks, subexpressions included.
    pub fn walk_exprs(&self, visit: &mut dyn FnMut(&Expr)) {
        for block in &self.blocks {
            if let Some(guard) = &block.guard {
                guard.walk(visit);
            }
            for statement in &block.body {
                statement.walk_exprs(visit);
            }
        }
    }
}

impl Stmt {
    /// Calls `visit` on this statement and on every statement inside it, outermost first.
    pub fn walk<'s>(&'s self, visit: &mut dyn FnMut(&'s Stmt)) {
        visit(self);
        let inside: Vec<&'s [Stmt]> = match &self.kind {
            StmtKind::If(_, then, otherwise) => vec![then, otherwise],
            StmtKind::For(_, _, body) => vec![body],
            StmtKind::Match(cases) => cases.arms.iter().map(|arm| &arm.result[..]).collect(),
            StmtKind::Call(call) => vec![&call.body],
            _ => Vec::new(),
        };
        for statement in inside.into_iter().flatten() {
            statement.walk(visit);
        }
    }

    /// Calls `visit` on every expression of this statement and of the statements inside it, subexpressions included.
    pub fn walk_exprs(&self, visit: &mut dyn FnMut(&Expr)) {
        self.walk(&mut |statement| match &statement.kind {
            StmtKind::Assign(place, e) => {
                for step in &place.path {
                    if let PlaceStep::Index(index) = step {
                        index.walk(visit);
                    }
                }
                e.walk(visit);
            }
            StmtKind::If(e, ..)
            | StmtKind::Let(_, e)
            | StmtKind::Choose(_, e)
            | StmtKind::For(_, e, _)
            | StmtKind::Assert(e)
            | StmtKind::Send(e, Receivers::Neighbours) => e.walk(visit),
            StmtKind::Send(e, Receivers::Node(to) | Receivers::Set(to)) => {
                e.walk(visit);
                to.walk(visit);
            }
            StmtKind::SetTimer(timer, interval) => {
                timer.index.iter().for_each(|index| index.walk(visit));
                interval.from.walk(visit);
                interval.to.walk(visit);
            }
            StmtKind::CancelTimer(timer) => {
                timer.index.iter().for_each(|index| index.walk(visit));
            }
            StmtKind::Match(cases) => cases.walk_heads(visit),
            StmtKind::Call(call) => call.arguments.iter().for_each(|(_, _, e)| e.walk(visit)),
            StmtKind::ClearInbox | StmtKind::Halt => {}
        });
    }
}
