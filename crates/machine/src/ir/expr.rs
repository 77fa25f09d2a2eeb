//! Expressions, statements and formulas: the code of blocks and the conditions of properties.

use crate::{
    Fault, FrozenId, KindId, LocalId, MapId, Mode, NodeId, Origin, RecordId, ResponseId, TimeSum,
    TimerId, Type, Value, VarId,
};
use rational::Rational;

/// An expression. Its type follows from its parts (see [`Typing`](crate::Typing)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// An expression with its source location. Error reports and explanations use the innermost location.
    At(Origin, Box<Expr>),
    /// A literal: truth value, integer, id, node or enum value.
    Const(Value),
    /// The absent optional value, with the type of the content that it could have.
    None(Type),
    /// A present optional value.
    Some(Box<Expr>),
    /// The content of an optional value; a runtime error if it is absent.
    Unwrap(Box<Expr>),
    /// The value of a local.
    Local(LocalId),
    /// A variable of the node that the expression denotes.
    Var(VarId, Box<Expr>),
    /// A frozen variable of the node that the expression denotes.
    Frozen(FrozenId, Box<Expr>),
    /// A record from its fields; a runtime error if a value is not of the field's type.
    Record(RecordId, Vec<Expr>),
    /// A field of a record.
    Field(Box<Expr>, u32),
    /// The array element at an index of this type; a runtime error if the index is not of the type.
    Index(Type, Box<Expr>, Box<Expr>),
    /// An array with this index type and the same value at every index.
    Fill(Type, Box<Expr>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands; `And`, `Or` and `Implies` are short-circuiting.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second operand if the condition holds, otherwise the third.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The body (last operand), evaluated with the local bound to the value of the other operand.
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// The value of the operand; a runtime error if it is not of the type.
    Within(Type, Box<Expr>),
    /// Whether the operand, a message of one of several types, is of this type.
    IsRecord(RecordId, Box<Expr>),
    /// The set of the given elements; a runtime error if one is not of the type.
    Set(Type, Vec<Expr>),
    /// The set of the integers from the first to the second, both included.
    Range(Box<Expr>, Box<Expr>),
    /// The set of all nodes, or of all nodes of a kind.
    Nodes(Option<KindId>),
    /// The set of all values of a type.
    Values(Type),
    /// The set of the nodes to which a node has an edge.
    Neighbours(Box<Expr>),
    /// The elements of the set (second operand) that satisfy the condition (third), with the local bound to the
    /// element.
    Filter(LocalId, Box<Expr>, Box<Expr>),
    /// A quantifier over the elements of a set, in ascending order: local, set, body.
    Quantified(Quantifier, LocalId, Box<Expr>, Box<Expr>),
    /// The element of a set with the largest (`true`) or smallest (`false`) value of the body; the first one if several
    /// tie.
    Extremum(bool, LocalId, Box<Expr>, Box<Expr>),
    /// The value of a function from nodes to nodes at a node.
    Map(MapId, Box<Expr>),
    /// Whether a node is in a mode.
    InMode(Mode, Box<Expr>),
    /// Whether a node has a fault from the start.
    HasFault(Fault, Box<Expr>),
    /// The set of messages of some types in a node's inbox. As the domain of a quantifier or loop it yields every copy,
    /// sorted by sender, then by message.
    Inbox(Vec<RecordId>, Box<Expr>),
    /// The set of senders of the messages in a node's inbox, restricted to one message type if one is given.
    Senders(Option<RecordId>, Box<Expr>),
    /// The number of messages of a type on the edge from one node to another.
    InFlight(RecordId, Box<Expr>, Box<Expr>),
    /// Whether no event but crashes and stops is enabled now or becomes enabled by the passage of time.
    Quiescent,
    /// Whether a timer of a node (first operand) is set. For a per-node timer, the second operand is the node that the
    /// timer is about.
    TimerSet(TimerId, Box<Expr>, Option<Box<Expr>>),
    /// Whether a node has no fault from the start and has suffered no runtime fault so far.
    Faultless(Box<Expr>),
    /// Comparison of the current time, measured from the start of the run, with a constant.
    Now(BinaryOp, Rational),
    /// Whether a bounded-response obligation is violated: its deadline has passed without the response.
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
    /// The remainder of Euclidean division, never negative.
    Mod,
    /// floor(a / b).
    FloorDiv,
    /// ceil(a / b) = -floor(-a / b).
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
    /// Whether all elements satisfy the body.
    All,
    /// Whether some element satisfies the body.
    Exists,
    /// Number of elements that satisfy the body.
    Count,
    /// The sum of the values of the body.
    Sum,
    /// The greatest value of the body; a runtime error if the set is empty.
    Max,
    /// The least value of the body; a runtime error if the set is empty.
    Min,
    /// The element that satisfies the body; a runtime error if none does or if two different elements do.
    The,
    /// The union of the sets that the body evaluates to.
    Union,
    /// The intersection of the sets that the body evaluates to; a runtime error if the domain is empty.
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
    /// Assignment; a runtime error if the value is not of the type of the place.
    Assign(Place, Expr),
    /// Conditional.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Loop over the elements of the set, in ascending order.
    For(LocalId, Expr, Vec<Stmt>),
    /// Binds a local to the value of an expression.
    Let(LocalId, Expr),
    /// Binds a local to a nondeterministically chosen element of the set; a runtime error if the set is empty.
    Choose(LocalId, Expr),
    /// Sends a message to a node, or to each node of a set in ascending order.
    Send(Expr, Expr),
    /// A runtime error unless the condition holds.
    Assert(Expr),
    /// Clears the node's inbox.
    ClearInbox,
    /// Halts the node permanently and ends the block.
    Halt,
    /// Sets a timer; of a per-node timer, the one about the given node. It expires after at least the first and at most
    /// the second duration. A runtime error if the first duration is negative or exceeds the second.
    SetTimer(TimerId, Option<Expr>, TimeSum, TimeSum),
    /// Cancels a timer; of a per-node timer, the one about the given node.
    CancelTimer(TimerId, Option<Expr>),
}

/// The target of an assignment: a variable of the executing node, or a part of the variable's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub var: VarId,
    /// The path from the whole value to the assigned part.
    pub path: Vec<PlaceStep>,
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceStep {
    /// A field of a record.
    Field(u32),
    /// The element of an array at an index of this type.
    Index(Type, Expr),
    /// The content of an optional value; a runtime error if it is absent.
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
    /// Globally: at the current and at every later position.
    Always(Box<Formula>),
    /// Finally: at the current or at some later position.
    Eventually(Box<Formula>),
    /// `a until b`: b holds at the current or some later position, and a at every position before that one.
    Until(Box<Formula>, Box<Formula>),
    /// `always (a implies eventually b)`.
    LeadsTo(Box<Formula>, Box<Formula>),
    /// Conjunction over the elements of a set that does not depend on the state.
    All(LocalId, Expr, Box<Formula>),
    /// Disjunction over the elements of a set that does not depend on the state.
    Exists(LocalId, Expr, Box<Formula>),
}

impl Expr {
    /// The literal of a truth value.
    pub fn bool(b: bool) -> Expr {
        Expr::Const(Value::Bool(b))
    }

    /// The literal of an integer.
    pub fn int(i: i64) -> Expr {
        Expr::Const(Value::Int(i))
    }

    /// The literal of a node.
    pub fn node(n: NodeId) -> Expr {
        Expr::Const(Value::Node(n))
    }

    /// `self op other`.
    pub fn binary(self, op: BinaryOp, other: Expr) -> Expr {
        Expr::Binary(op, Box::new(self), Box::new(other))
    }

    /// The expression without its outermost source locations.
    pub fn bare(&self) -> &Expr {
        match self {
            Expr::At(_, inner) => inner.bare(),
            other => other,
        }
    }

    /// The expression without its outermost source locations, also below options, fields, variables and maps: for
    /// comparing expressions that denote places.
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

    /// Whether the outermost operator reads the state; the operands are not considered.
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

    /// Calls `visit` on this expression and on all its descendants, parents first.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        cancellation::poll();
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

impl Formula {
    /// Calls `visit` on every condition and every quantifier domain of the formula, and on all their descendants.
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

    /// The formula without its outermost source locations.
    pub fn bare(&self) -> &Formula {
        match self {
            Formula::At(_, inner) => inner.bare(),
            other => other,
        }
    }
}

impl Stmt {
    /// Calls `visit` on every expression of the statement and of nested statements, and on all their descendants.
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

    /// Calls `visit` on this statement and on all nested statements.
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
