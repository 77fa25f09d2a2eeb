//! Expressions, statements and formulas: the code of blocks and the conditions of properties.

use crate::{
    Fault, FrozenId, KindId, LocalId, MapId, Mode, NodeId, Origin, RecordId, ResponseId, TimeSum,
    TimerId, Type, Value, VarId,
};
use rational::Rational;

/// An expression. Its type follows from its parts (see [`Typing`](crate::Typing)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// An expression with its source location. Errors and explanations report the innermost location.
    At(Origin, Box<Expr>),
    /// A value that is a truth value, integer, id, node or enum name.
    Const(Value),
    /// The absent value of the option type over this type.
    None(Type),
    /// A present optional value.
    Some(Box<Expr>),
    /// The content of an optional value; an error if it is absent.
    Unwrap(Box<Expr>),
    /// A local.
    Local(LocalId),
    /// A variable of a node.
    Var(VarId, Box<Expr>),
    /// A frozen variable of a node.
    Frozen(FrozenId, Box<Expr>),
    /// A record with all its fields.
    Record(RecordId, Vec<Expr>),
    /// A field of a record.
    Field(Box<Expr>, u32),
    /// An element of an array indexed by the type.
    Index(Type, Box<Expr>, Box<Expr>),
    /// An array indexed by the type with the same value everywhere.
    Fill(Type, Box<Expr>),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands; `And`, `Or` and `Implies` are short-circuiting.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second if the first holds, otherwise the third.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The third operand evaluated with the local bound to the value of the second.
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// The value, checked: an error if it is not of the type.
    Within(Type, Box<Expr>),
    /// Whether a message of several possible types is of this type.
    IsRecord(RecordId, Box<Expr>),
    /// A set literal of values of the type.
    Set(Type, Vec<Expr>),
    /// The set of the integers from the first to the second, both included.
    Range(Box<Expr>, Box<Expr>),
    /// The set of all nodes, or of all nodes of a kind.
    Nodes(Option<KindId>),
    /// The set of all values of a type.
    Values(Type),
    /// The set of the nodes to which a node has an edge.
    Neighbours(Box<Expr>),
    /// The elements of the set that satisfy the condition.
    Filter(LocalId, Box<Expr>, Box<Expr>),
    /// A quantifier over the elements of the set in their order.
    Quantified(Quantifier, LocalId, Box<Expr>, Box<Expr>),
    /// The element of the set with the largest (`true`) or smallest value of the body; the first one if several tie.
    Extremum(bool, LocalId, Box<Expr>, Box<Expr>),
    /// A function from nodes to nodes, applied.
    Map(MapId, Box<Expr>),
    /// Whether a node is in a mode.
    InMode(Mode, Box<Expr>),
    /// Whether a node has a fault.
    HasFault(Fault, Box<Expr>),
    /// The set of messages of some types in a node's inbox. As the domain of a quantifier or loop it yields each copy
    /// separately, ordered by sender and message.
    Inbox(Vec<RecordId>, Box<Expr>),
    /// The set of senders of messages, or of messages of one type, in a node's inbox.
    Senders(Option<RecordId>, Box<Expr>),
    /// The number of messages of a type on the edge from one node to another.
    InFlight(RecordId, Box<Expr>, Box<Expr>),
    /// Whether no event is enabled now or later, runtime faults aside.
    Quiescent,
    /// Whether a timer of a node is set; for a per-node timer, the one of the second node.
    TimerSet(TimerId, Box<Expr>, Option<Box<Expr>>),
    /// Whether a node has no fault from the start and has suffered no runtime fault so far.
    Faultless(Box<Expr>),
    /// Comparison of the time since the start with a constant.
    Now(BinaryOp, Rational),
    /// Whether a bounded-response obligation is violated: its time has passed without the response.
    Overdue(ResponseId),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// Logical negation.
    Not,
    /// Arithmetic negation.
    Neg,
    /// Number of elements of a set.
    Size,
    /// Whether an optional value is present.
    IsSome,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// The remainder of Euclidean division.
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
    /// The length of a shortest path from one node to another; the number of nodes if there is none.
    Distance,
}

/// How a quantifier combines the values of its body over the elements of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Universal.
    All,
    /// Existential.
    Exists,
    /// Number of elements that satisfy the body.
    Count,
    /// The sum.
    Sum,
    /// The greatest value; an error if the set is empty.
    Max,
    /// The least value; an error if the set is empty.
    Min,
    /// The unique element that satisfies the body; an error if there is not exactly one.
    The,
    /// The union of sets.
    Union,
    /// The intersection of sets; an error if the domain is empty.
    Intersect,
}

/// A statement with its source location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// Source location.
    pub origin: Origin,
    /// The statement itself.
    pub kind: StmtKind,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Assignment; an error if the value is not of the type of the place.
    Assign(Place, Expr),
    /// Conditional.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Loop over the elements of the set, in their order.
    For(LocalId, Expr, Vec<Stmt>),
    /// Binds a local.
    Let(LocalId, Expr),
    /// Binds a local to a nondeterministically chosen element of the set; an error if the set is empty.
    Choose(LocalId, Expr),
    /// Sends a message to a node, or to each node of a set in node order.
    Send(Expr, Expr),
    /// An error unless the condition holds.
    Assert(Expr),
    /// Clears the node's inbox.
    ClearInbox,
    /// The node halts for good; the block ends.
    Halt,
    /// Sets a timer, or the per-node timer of a node: it expires between the two times from now; an error if that
    /// interval is empty or negative.
    SetTimer(TimerId, Option<Expr>, TimeSum, TimeSum),
    /// Cancels a timer, or the per-node timer of a node.
    CancelTimer(TimerId, Option<Expr>),
}

/// The target of an assignment: a variable of the node that runs the block, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub var: VarId,
    /// The path into its value, from the outside.
    pub path: Vec<PlaceStep>,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceStep {
    /// A field of a record.
    Field(u32),
    /// An element of an array over the type.
    Index(Type, Expr),
    /// The content of an optional value; an error if it is absent.
    Unwrap,
}

/// A formula of linear temporal logic over conditions on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A formula with its source location.
    At(Origin, Box<Formula>),
    /// A condition on the state.
    State(Expr),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Box<Formula>, Box<Formula>),
    /// Disjunction.
    Or(Box<Formula>, Box<Formula>),
    /// Implication.
    Implies(Box<Formula>, Box<Formula>),
    /// Globally: now and at every later position.
    Always(Box<Formula>),
    /// Finally: now or at some later position.
    Eventually(Box<Formula>),
    /// Until: the second holds at some position, and the first at every position before it.
    Until(Box<Formula>, Box<Formula>),
    /// Globally, the first implies finally the second.
    LeadsTo(Box<Formula>, Box<Formula>),
    /// Conjunction over a set that does not depend on the state.
    All(LocalId, Expr, Box<Formula>),
    /// Disjunction over a set that does not depend on the state.
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

    /// The expression below all source locations.
    pub fn bare(&self) -> &Expr {
        match self {
            Expr::At(_, inner) => inner.bare(),
            other => other,
        }
    }

    /// The expression without source locations in options, fields and variables: for comparison of two expressions.
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

    /// Whether the node of the expression itself reads the state, its children aside.
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

    /// The direct children, in order.
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

    /// Calls `visit` on this expression and on all its descendants.
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

    /// The formula below all source locations.
    pub fn bare(&self) -> &Formula {
        match self {
            Formula::At(_, inner) => inner.bare(),
            other => other,
        }
    }
}

impl Stmt {
    /// Calls `visit` on every expression of the statement and of the statements inside it.
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

    /// Calls `visit` on this statement and on the statements inside it.
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
