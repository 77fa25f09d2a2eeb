//! Expressions, statements and formulas: the bodies of blocks and the conditions of claims.

use crate::{
    Fault, FrozenId, KindId, LocalId, MapId, Mode, NodeId, Origin, RecordId, ResponseId, TimeSum,
    TimerId, Type, Value, VarId,
};
use rational::Rational;

/// An expression. Its type follows from its parts (see [`Typing`](crate::Typing)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// The same expression, with where it comes from. Errors and explanations name the innermost.
    At(Origin, Box<Expr>),
    /// A value that is a truth value, integer, id, node or enum name.
    Const(Value),
    /// Nothing, where a value of the type is optional.
    None(Type),
    /// The value, where one is optional.
    Some(Box<Expr>),
    /// The value of an optional one; an error if there is none.
    Unwrap(Box<Expr>),
    /// A local name.
    Local(LocalId),
    /// A variable of a node.
    Var(VarId, Box<Expr>),
    /// A frozen variable of a node.
    Frozen(FrozenId, Box<Expr>),
    /// A record with all its fields.
    Record(RecordId, Vec<Expr>),
    /// A field of a record.
    Field(Box<Expr>, u32),
    /// An element of an array over the type.
    Index(Type, Box<Expr>, Box<Expr>),
    /// The array over the type with the value everywhere.
    Fill(Type, Box<Expr>),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands; `And`, `Or`, `Implies` evaluate the second only if it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second if the first holds, otherwise the third.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The second, in which the local name is the value of the first.
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// The value; an error if it is not of the type.
    Within(Type, Box<Expr>),
    /// Whether a message, perhaps of several types, is of this one.
    IsRecord(RecordId, Box<Expr>),
    /// The set of the given values, all of the type.
    Set(Type, Vec<Expr>),
    /// The set of the integers from the first to the second.
    Range(Box<Expr>, Box<Expr>),
    /// The set of all nodes, or of all nodes of a kind.
    Nodes(Option<KindId>),
    /// The set of all values of a type.
    Values(Type),
    /// The set of the nodes to which a node has an edge.
    Neighbours(Box<Expr>),
    /// Those elements of the set for which the condition holds.
    Filter(LocalId, Box<Expr>, Box<Expr>),
    /// Goes through the elements of the set in their order.
    Quantified(Quantifier, LocalId, Box<Expr>, Box<Expr>),
    /// The element of the set for which the second is largest (if `true`) or smallest; the first of several.
    Extremum(bool, LocalId, Box<Expr>, Box<Expr>),
    /// A function from nodes to nodes.
    Map(MapId, Box<Expr>),
    /// Whether a node is in a mode.
    InMode(Mode, Box<Expr>),
    /// Whether that is wrong with a node.
    HasFault(Fault, Box<Expr>),
    /// The set of the messages of some types in a node's inbox; where it is the domain of a quantifier or
    /// loop, each copy by itself, by sender and message.
    Inbox(Vec<RecordId>, Box<Expr>),
    /// The set of those from whom there is something in a node's inbox, or something of a type.
    Senders(Option<RecordId>, Box<Expr>),
    /// The number of messages of a type on the edge from one node to another.
    InFlight(RecordId, Box<Expr>, Box<Expr>),
    /// Nothing can happen any more.
    Quiescent,
    /// Whether a timer of a node is set; of one for each node, that of a second node.
    TimerSet(TimerId, Box<Expr>, Option<Box<Expr>>),
    /// Whether nothing is wrong with a node and nothing has faulted it so far.
    Faultless(Box<Expr>),
    /// How the time since the start compares.
    Now(BinaryOp, Rational),
    /// Whether something that must follow within a time has not, and the time is over.
    Overdue(ResponseId),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// Not.
    Not,
    /// Minus.
    Neg,
    /// Number of elements.
    Size,
    /// Whether an optional value is there.
    IsSome,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Euclidean.
    Mod,
    /// The quotient, rounded down.
    FloorDiv,
    /// The quotient, rounded up.
    CeilDiv,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Implies,
    In,
    Subset,
    Union,
    Intersect,
    Minus,
    /// The length of a shortest way from a node to another; the number of nodes if there is none.
    Distance,
}

/// What is made of the values of the body over the elements of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// It holds for all.
    All,
    /// It holds for some.
    Exists,
    /// How many it holds for.
    Count,
    /// The sum.
    Sum,
    /// The greatest value; an error if there is none.
    Max,
    /// The least value; an error if there is none.
    Min,
    /// The one element for which it holds; an error if there is not exactly one.
    The,
    /// The union.
    Union,
    /// The intersection; an error if there is none.
    Intersect,
}

/// A statement with where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// Where it comes from.
    pub origin: Origin,
    /// What it does.
    pub kind: StmtKind,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Stores a value; an error if it is not of the place's type.
    Assign(Place, Expr),
    /// Either of two lists.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Once for each element of the set, in order.
    For(LocalId, Expr, Vec<Stmt>),
    /// Names a value.
    Let(LocalId, Expr),
    /// Names any element of the set; an error if it is empty.
    Choose(LocalId, Expr),
    /// Sends a message to a node, or to each node of a set in node order.
    Send(Expr, Expr),
    /// An error unless it holds.
    Assert(Expr),
    /// The node forgets what it has received.
    ClearInbox,
    /// The node stops for good; the block ends.
    Halt,
    /// A timer of the node, or the one for another node, expires at least and at most so much later; an error if that
    /// is never.
    SetTimer(TimerId, Option<Expr>, TimeSum, TimeSum),
    /// It does not expire any more.
    CancelTimer(TimerId, Option<Expr>),
}

/// Where a value is stored: a variable of the node that runs the block, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub var: VarId,
    /// Into it, from the outside.
    pub path: Vec<PlaceStep>,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceStep {
    /// A field of a record.
    Field(u32),
    /// An element of an array over the type.
    Index(Type, Expr),
    /// The value of an optional one; an error if there is none.
    Unwrap,
}

/// A formula of linear temporal logic over conditions on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The same formula, with where it comes from.
    At(Origin, Box<Formula>),
    /// A condition on the state.
    State(Expr),
    /// Not.
    Not(Box<Formula>),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// One of them.
    Or(Box<Formula>, Box<Formula>),
    /// If the first then the second.
    Implies(Box<Formula>, Box<Formula>),
    /// Now and at all later moments.
    Always(Box<Formula>),
    /// Now or at some later moment.
    Eventually(Box<Formula>),
    /// The second at some moment, and the first until then.
    Until(Box<Formula>, Box<Formula>),
    /// Always, if the first then eventually the second.
    LeadsTo(Box<Formula>, Box<Formula>),
    /// For all elements of a set that does not depend on the state.
    All(LocalId, Expr, Box<Formula>),
    /// For some element of a set that does not depend on the state.
    Exists(LocalId, Expr, Box<Formula>),
}

impl Expr {
    /// A truth value.
    pub fn bool(b: bool) -> Expr {
        Expr::Const(Value::Bool(b))
    }

    /// An integer.
    pub fn int(i: i64) -> Expr {
        Expr::Const(Value::Int(i))
    }

    /// A node.
    pub fn node(n: NodeId) -> Expr {
        Expr::Const(Value::Node(n))
    }

    /// `self op other`.
    pub fn binary(self, op: BinaryOp, other: Expr) -> Expr {
        Expr::Binary(op, Box::new(self), Box::new(other))
    }

    /// The expression below all marks of where it comes from.
    pub fn bare(&self) -> &Expr {
        match self {
            Expr::At(_, inner) => inner.bare(),
            other => other,
        }
    }

    /// The expression without any marks of where its parts come from, as far as it is made of options,
    /// fields and variables: for comparing two of them.
    pub fn unmarked(&self) -> Expr {
        let inner = |e: &Expr| Box::new(e.unmarked());
        match self {
            Expr::At(_, e) => e.unmarked(),
            Expr::Some(e) => Expr::Some(inner(e)),
            Expr::Unwrap(e) => Expr::Unwrap(inner(e)),
            Expr::Var(var, e) => Expr::Var(*var, inner(e)),
            Expr::Frozen(frozen, e) => Expr::Frozen(*frozen, inner(e)),
            Expr::Field(e, field) => Expr::Field(inner(e), *field),
            Expr::Map(map, e) => Expr::Map(*map, inner(e)),
            other => other.clone(),
        }
    }

    /// Whether its value depends on the state beyond what its parts say.
    pub fn reads_state(&self) -> bool {
        matches!(
            self,
            Expr::Var(..)
                | Expr::InMode(..)
                | Expr::Inbox(..)
                | Expr::Senders(..)
                | Expr::InFlight(..)
                | Expr::Quiescent
                | Expr::TimerSet(..)
                | Expr::Faultless(_)
                | Expr::Now(..)
                | Expr::Overdue(_)
        )
    }

    /// The direct parts, in order.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_)
            | Expr::None(_)
            | Expr::Local(_)
            | Expr::Nodes(_)
            | Expr::Values(_)
            | Expr::Quiescent
            | Expr::Now(..)
            | Expr::Overdue(_) => {
                vec![]
            }
            Expr::At(_, a)
            | Expr::Some(a)
            | Expr::Unwrap(a)
            | Expr::Var(_, a)
            | Expr::Frozen(_, a)
            | Expr::Field(a, _)
            | Expr::Fill(_, a)
            | Expr::Within(_, a)
            | Expr::IsRecord(_, a)
            | Expr::Unary(_, a)
            | Expr::Neighbours(a)
            | Expr::Map(_, a)
            | Expr::InMode(_, a)
            | Expr::HasFault(_, a)
            | Expr::Faultless(a)
            | Expr::TimerSet(_, a, None)
            | Expr::Inbox(_, a)
            | Expr::Senders(_, a) => vec![a],
            Expr::Index(_, a, b)
            | Expr::Binary(_, a, b)
            | Expr::Range(a, b)
            | Expr::Let(_, a, b)
            | Expr::Filter(_, a, b)
            | Expr::Quantified(_, _, a, b)
            | Expr::Extremum(_, _, a, b)
            | Expr::TimerSet(_, a, Some(b))
            | Expr::InFlight(_, a, b) => vec![a, b],
            Expr::If(a, b, c) => vec![a, b, c],
            Expr::Record(_, items) | Expr::Set(_, items) => items.iter().collect(),
        }
    }

    /// Calls `visit` on this expression and on all its parts.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

impl Formula {
    /// Calls `visit` on every condition and set in the formula.
    pub fn walk_exprs<'f>(&'f self, visit: &mut dyn FnMut(&'f Expr)) {
        match self {
            Formula::State(e) => e.walk(visit),
            Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
                a.walk_exprs(visit)
            }
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Until(a, b)
            | Formula::LeadsTo(a, b) => {
                a.walk_exprs(visit);
                b.walk_exprs(visit);
            }
            Formula::All(_, domain, a) | Formula::Exists(_, domain, a) => {
                domain.walk(visit);
                a.walk_exprs(visit);
            }
        }
    }

    /// The formula below all marks of where it comes from.
    pub fn bare(&self) -> &Formula {
        match self {
            Formula::At(_, inner) => inner.bare(),
            other => other,
        }
    }
}

impl Stmt {
    /// Calls `visit` on every expression of the statement and of those inside it.
    pub fn walk_exprs<'s>(&'s self, visit: &mut dyn FnMut(&'s Expr)) {
        match &self.kind {
            StmtKind::Assign(place, value) => {
                for step in &place.path {
                    if let PlaceStep::Index(_, index) = step {
                        index.walk(visit);
                    }
                }
                value.walk(visit);
            }
            StmtKind::If(condition, then, otherwise) => {
                condition.walk(visit);
                then.iter()
                    .chain(otherwise)
                    .for_each(|s| s.walk_exprs(visit));
            }
            StmtKind::For(_, domain, body) => {
                domain.walk(visit);
                body.iter().for_each(|s| s.walk_exprs(visit));
            }
            StmtKind::Let(_, e) | StmtKind::Choose(_, e) | StmtKind::Assert(e) => e.walk(visit),
            StmtKind::Send(message, to) => {
                message.walk(visit);
                to.walk(visit);
            }
            StmtKind::SetTimer(_, other, from, to) => {
                let sums = from.terms.iter().chain(&to.terms).map(|(e, _)| e);
                other.iter().chain(sums).for_each(|e| e.walk(visit));
            }
            StmtKind::CancelTimer(_, other) => other.iter().for_each(|e| e.walk(visit)),
            StmtKind::ClearInbox | StmtKind::Halt => {}
        }
    }

    /// Calls `visit` on this statement and on those inside it.
    pub fn walk<'s>(&'s self, visit: &mut dyn FnMut(&'s Stmt)) {
        visit(self);
        match &self.kind {
            StmtKind::If(_, then, otherwise) => {
                then.iter().chain(otherwise).for_each(|s| s.walk(visit))
            }
            StmtKind::For(_, _, body) => body.iter().for_each(|s| s.walk(visit)),
            _ => {}
        }
    }
}
