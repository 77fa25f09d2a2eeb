//! Checks: a question and the expected answer.

use super::{Expr, Name, Topology};
use source::Span;

/// `check …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The question.
    pub question: Question,
    /// `in W`.
    pub world: Option<Name>,
    /// `with V, …`.
    pub variants: Vec<Name>,
    /// `for …`.
    pub ranges: Vec<ForClause>,
    /// `assuming e`.
    pub assuming: Option<Expr>,
    /// `unfair`.
    pub unfair: Option<Span>,
    /// `expect …`: one answer, or one per claim.
    pub expect: Vec<Answer>,
    /// The whole check.
    pub span: Span,
}

/// The question of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// `c1, c2(4)`: calls or names of claims.
    Claims(Vec<Expr>),
    /// `possible: φ`.
    Possible(Expr),
    /// `least x: c(x), …`, or `greatest x: c(x), …`: the least or greatest x for which the claims hold.
    Least {
        /// Whether the question is `greatest` (true) or `least` (false).
        greatest: bool,
        /// The name of the sought parameter.
        name: Name,
        /// The claims.
        claims: Vec<Expr>,
    },
}

/// One clause after `for`.
#[derive(Clone, Debug, PartialEq)]
pub enum ForClause {
    /// `n in 2..6`.
    In(Name, Expr),
    /// `n = 3`, `strangers = 1`.
    Is(Name, Expr),
    /// `ids = [ … ]`, `c = [ … ]`.
    List(Name, Vec<Expr>, Span),
    /// `every p`, `every graph`.
    Every(Name, Span),
    /// `line(4)`.
    Topology(Topology),
}

/// An answer after `expect`.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// `holds`.
    Holds(Span),
    /// `fails`.
    Fails(Span),
    /// `fails for every bound`.
    FailsForEveryBound(Span),
    /// `possible`.
    Possible(Span),
    /// `impossible`.
    Impossible(Span),
    /// `error`.
    Error(Span),
    /// `unknown`.
    Unknown(Span),
    /// `14`, `47/3 ms`; with `below` or `above` if the value is a bound that is not attained.
    Value {
        /// The number, with its unit.
        value: Expr,
        /// `below` or `above`; `None` for an attained value.
        bound: Option<Name>,
    },
}
