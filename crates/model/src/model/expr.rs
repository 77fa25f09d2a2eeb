//! Typed expressions over states, and temporal formulas over runs.

use crate::{
    EnumId, FieldId, FnId, KindId, LetId, LocalId, Match, MessageId, NodeFaultKind, ParamId,
    RecordId, TimerUse, Type,
};
use rational::Rational;
use source::Span;
use syntax::ast;

/// An expression: it has a value in every state.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// The span of the expression.
    pub span: Span,
}

/// The form of an expression. Conversions are explicit: see `Some`, `Unwrap`, `Fill`, `TheNode`.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An expression with a reported error.
    Error,
    /// A number.
    Int(i64),
    /// A duration, in the unit of the file.
    Duration(Rational),
    /// `true`, `false`.
    Bool(bool),
    /// The n-th value of an enum.
    EnumValue(EnumId, u32),
    /// `none`.
    None,
    /// A value converted to an option.
    Some(Box<Expr>),
    /// An option converted to a value: a run-time error if it is `none`.
    Unwrap(Box<Expr>),
    /// Whether an option has a value: `x is r`. A use of `r` is `Unwrap(x)` or a local name for it.
    IsSome(Box<Expr>),
    /// A parameter.
    Param(ParamId),
    /// A top-level abbreviation.
    Let(LetId),
    /// A name bound by a quantifier, block, `let` or `choose`, or a parameter of a claim, function or action.
    Local(LocalId),
    /// `self`.
    SelfNode,
    /// `next`.
    Next,
    /// `previous`.
    Previous,
    /// `neighbours`.
    Neighbours,
    /// All nodes of a kind, as a set.
    KindNodes(KindId),
    /// All nodes, as a set.
    AllNodes,
    /// All values of an enum, as a set.
    EnumValues(EnumId),
    /// The only node of a kind, written by the name of the kind.
    TheNode(KindId),
    /// A constant or variable of the node whose code is executed.
    Own(FieldId),
    /// A constant or variable of the given node, which is of this kind; not in node code.
    NodeField(Box<Expr>, KindId, FieldId),
    /// `k.halted`.
    Halted(Box<Expr>),
    /// `k.off`, `k.faultless` and other conditions on the faults of a node.
    Status(Box<Expr>, Status),
    /// `k.sent(M)`.
    Sent(Box<Expr>, MessageId),
    /// `k.activations`: the number of executions of the `every` block of k.
    Activations(Box<Expr>),
    /// `in_flight(M, a, b)`.
    InFlight(MessageId, Box<Expr>, Box<Expr>),
    /// `distance(a, b)`: the length of a shortest path.
    Distance(Box<Expr>, Box<Expr>),
    /// `k.neighbours` of any node k; not in node code.
    NeighboursOf(Box<Expr>),
    /// `quiescent`.
    Quiescent,
    /// `now`: the time since the start. Only comparisons with a constant time contain it, in claims, abbreviations and
    /// functions.
    Now,
    /// `t is set`, and in claims `k.t is set`: the node, its kind, and the timer.
    TimerSet(Box<Expr>, KindId, Box<TimerUse>),
    /// `inbox`, `inbox(M)`: the messages of these types in the inbox of the node. A quantifier or loop visits each
    /// copy of a message; in other uses the value is a set.
    Inbox(Vec<MessageId>),
    /// `senders(inbox)`, `senders(inbox(M))`.
    Senders(Option<MessageId>),
    /// Whether a message, which may be of several types, is of this type.
    IsMessage(Box<Expr>, MessageId),
    /// A message, which may be of several types, as one of this type; a test before it guarantees the type.
    AsMessage(Box<Expr>, MessageId),
    /// A message or struct, with the fields in the order of its declaration.
    Record(RecordId, Vec<Expr>),
    /// The n-th field of a message or struct.
    RecordField(Box<Expr>, RecordId, u32),
    /// `a[i]`: a run-time error if the index is outside of the array.
    Index(Box<Expr>, Box<Expr>),
    /// An array with this value at every index.
    Fill(Box<Expr>),
    /// `-e`.
    Neg(Box<Expr>),
    /// `not e`.
    Not(Box<Expr>),
    /// `a op b`; `and`, `or` and `implies` evaluate b only if a does not determine the result.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match e { … }`.
    Match(Box<Match<Expr>>),
    /// `f(a, b)`: a call of a function of the file.
    Call(FnId, Vec<Expr>),
    /// `{ a, b }`.
    Set(Vec<Expr>),
    /// `a .. b` as a set.
    Range(Box<Expr>, Box<Expr>),
    /// `{ x in S: φ }`.
    Filter {
        /// The bound name.
        var: LocalId,
        /// The set over which the name ranges.
        domain: Box<Expr>,
        /// The condition of the filter.
        condition: Box<Expr>,
    },
    /// `size(S)`.
    Size(Box<Expr>),
    /// `all k in S: e` and other quantifiers; each binds one name.
    Quantifier {
        /// The quantifier.
        kind: Quantifier,
        /// The bound name.
        var: LocalId,
        /// The set over which the name ranges.
        domain: Box<Expr>,
        /// The body.
        body: Box<Expr>,
    },
    /// `largest k in S by e`, `smallest …`: the element of S for which e is largest or smallest.
    Extremum {
        /// Whether the expression is `largest` (true) or `smallest` (false).
        largest: bool,
        /// The bound name.
        var: LocalId,
        /// The set over which the name ranges.
        domain: Box<Expr>,
        /// The expression whose values are compared.
        by: Box<Expr>,
    },
}

/// A condition on the faults of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The node has this fault for the whole run.
    Fault(NodeFaultKind),
    /// The node has crashed.
    Crashed,
    /// The node has stopped and not restarted yet.
    Stopped,
    /// The node has no fault and has had none.
    Faultless,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Euclidean remainder: never negative.
    Mod,
    /// `floor(a / b)`.
    FloorDiv,
    /// `ceil(a / b)`.
    CeilDiv,
    /// Exact division of a time by a number.
    Div,
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
    Union,
    Intersect,
    Minus,
    In,
    Subset,
}

/// Quantifiers: words that bind a name which ranges over a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Quantifier {
    All,
    Exists,
    /// The only element that satisfies the body.
    The,
    Max,
    Min,
    Count,
    Sum,
    /// Union of the sets that the body gives.
    Union,
    /// Intersection of the sets that the body gives.
    Intersect,
}

/// A temporal formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// The form of the formula.
    pub kind: FormulaKind,
    /// The span of the formula.
    pub span: Span,
}

/// The form of a formula. Its quantifiers range over sets that do not change during a run.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum FormulaKind {
    /// A condition on the state, of type `Bool`.
    State(Expr),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    LeadsTo(Box<Formula>, Box<Formula>),
    /// `p leads to q within x`. Only `always`, `and` and `all` may contain it.
    LeadsToWithin {
        from: Expr,
        to: Expr,
        within: Expr,
    },
    All {
        var: LocalId,
        domain: Expr,
        body: Box<Formula>,
    },
    Exists {
        var: LocalId,
        domain: Expr,
        body: Box<Formula>,
    },
}

impl Expr {
    /// A placeholder for an expression with a reported error.
    pub fn error(span: Span) -> Expr {
        Expr {
            kind: ExprKind::Error,
            ty: Type::Error,
            span,
        }
    }

    /// The expression of which this is a part: for `a[i].f` it is `a`.
    pub(crate) fn whole(&self) -> &Expr {
        match &self.kind {
            ExprKind::RecordField(base, ..) | ExprKind::Index(base, _) | ExprKind::Unwrap(base) => {
                base.whole()
            }
            _ => self,
        }
    }

    /// Calls `visit` on this expression and on all its subexpressions, outermost first.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::Duration(_)
            | ExprKind::Bool(_)
            | ExprKind::EnumValue(..)
            | ExprKind::None
            | ExprKind::Param(_)
            | ExprKind::Let(_)
            | ExprKind::Local(_)
            | ExprKind::SelfNode
            | ExprKind::Next
            | ExprKind::Previous
            | ExprKind::Neighbours
            | ExprKind::KindNodes(_)
            | ExprKind::AllNodes
            | ExprKind::EnumValues(_)
            | ExprKind::TheNode(_)
            | ExprKind::Own(_)
            | ExprKind::Inbox(_)
            | ExprKind::Senders(_)
            | ExprKind::Quiescent
            | ExprKind::Now => {}
            ExprKind::TimerSet(node, _, timer) => {
                node.walk(visit);
                timer.index.iter().for_each(|index| index.walk(visit));
            }
            ExprKind::Some(e)
            | ExprKind::Unwrap(e)
            | ExprKind::IsSome(e)
            | ExprKind::NodeField(e, ..)
            | ExprKind::Halted(e)
            | ExprKind::NeighboursOf(e)
            | ExprKind::Status(e, _)
            | ExprKind::Sent(e, _)
            | ExprKind::Activations(e)
            | ExprKind::IsMessage(e, _)
            | ExprKind::AsMessage(e, _)
            | ExprKind::RecordField(e, ..)
            | ExprKind::Fill(e)
            | ExprKind::Neg(e)
            | ExprKind::Not(e)
            | ExprKind::Size(e) => e.walk(visit),
            ExprKind::InFlight(_, a, b)
            | ExprKind::Distance(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Range(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::If(c, a, b) => {
                c.walk(visit);
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::Match(cases) => {
                cases.walk_heads(visit);
                cases.arms.iter().for_each(|arm| arm.result.walk(visit));
            }
            ExprKind::Record(_, parts) | ExprKind::Set(parts) | ExprKind::Call(_, parts) => {
                for part in parts {
                    part.walk(visit);
                }
            }
            ExprKind::Filter {
                domain,
                condition: body,
                ..
            }
            | ExprKind::Quantifier { domain, body, .. }
            | ExprKind::Extremum {
                domain, by: body, ..
            } => {
                domain.walk(visit);
                body.walk(visit);
            }
        }
    }

    /// A binary operation of type `ty`. If an operand has a reported error, the type is `Error` instead, so that the
    /// error is reported once; but a Boolean operation stays Boolean.
    pub(crate) fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
        let ty = match ty {
            Type::Bool => Type::Bool,
            _ if a.ty.is_error() || b.ty.is_error() => Type::Error,
            other => other,
        };
        Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            ty,
            span,
        }
    }
}

impl BinaryOp {
    /// The operator for an operator of the AST; `None` for `/`, whose meaning depends on the operands.
    pub(crate) fn from_ast(op: ast::BinaryOp) -> Option<BinaryOp> {
        Some(match op {
            ast::BinaryOp::Add => BinaryOp::Add,
            ast::BinaryOp::Sub => BinaryOp::Sub,
            ast::BinaryOp::Mul => BinaryOp::Mul,
            ast::BinaryOp::Div => return None,
            ast::BinaryOp::Mod => BinaryOp::Mod,
            ast::BinaryOp::Union => BinaryOp::Union,
            ast::BinaryOp::Intersect => BinaryOp::Intersect,
            ast::BinaryOp::Minus => BinaryOp::Minus,
            ast::BinaryOp::Eq => BinaryOp::Eq,
            ast::BinaryOp::Ne => BinaryOp::Ne,
            ast::BinaryOp::Lt => BinaryOp::Lt,
            ast::BinaryOp::Le => BinaryOp::Le,
            ast::BinaryOp::Gt => BinaryOp::Gt,
            ast::BinaryOp::Ge => BinaryOp::Ge,
            ast::BinaryOp::In => BinaryOp::In,
            ast::BinaryOp::Subset => BinaryOp::Subset,
            ast::BinaryOp::And => BinaryOp::And,
            ast::BinaryOp::Or => BinaryOp::Or,
            ast::BinaryOp::Implies => BinaryOp::Implies,
        })
    }
}
