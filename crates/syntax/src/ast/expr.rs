//! Expressions of code and of claims.

use super::Name;
use source::Span;

/// An expression with its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// The span of the expression, parentheses included.
    pub span: Span,
}

/// The form of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `3`, `0.5 ms`, `47/3 ms` (a fraction in `expect` only). The exact value is `numerator / denominator`, in
    /// `unit` if there is one.
    Number {
        /// Numerator.
        numerator: i128,
        /// Denominator, positive.
        denominator: i128,
        /// The unit after the number.
        unit: Option<Unit>,
    },
    /// `true`, `false`.
    Bool(bool),
    /// `none`.
    None,
    /// `self`.
    SelfNode,
    /// `any`, `any in S`.
    Any(Option<Box<Expr>>),
    /// A name: variable, constant, parameter, enum value, kind, `next`, `previous`, `neighbours`,
    /// `inbox`, `now`, `quiescent`, …
    Name(Name),
    /// `e.name`.
    Field(Box<Expr>, Name),
    /// `e[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `f(a, b)`, `max(a, b)`, `senders(inbox)`, `in_flight(M, a, b)`, `size(s)`.
    Call(Name, Vec<Expr>),
    /// `k.sent(M)`.
    MethodCall(Box<Expr>, Name, Vec<Expr>),
    /// `-e`, `not e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a .. b`.
    Range(Box<Expr>, Box<Expr>),
    /// `x ± y`, `± y`; `x ± 5 %`, `x ± 20 ppm`.
    PlusMinus {
        /// The middle of the interval, if given.
        middle: Option<Box<Expr>>,
        /// The deviation.
        deviation: Box<Expr>,
        /// The factor of a relative deviation: `Some((1, 100))` for percent, `Some((1, 1_000_000))` for ppm; `None`
        /// for an absolute deviation.
        relative: Option<(i128, i128)>,
    },
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match e { … }`.
    Match(Box<Expr>, Vec<MatchArm<Expr>>),
    /// `{ }`, `{ a, b }`.
    Set(Vec<Expr>),
    /// `{ x in S: φ }`: the elements of S that satisfy φ.
    Filter {
        /// The bound name.
        var: Name,
        /// The set over which the name ranges.
        domain: Box<Expr>,
        /// The condition of the filter.
        condition: Box<Expr>,
    },
    /// `Name { field: e, … }`.
    Struct(Name, Vec<FieldInit>),
    /// `all i, j in S: e`, `count k in S: e`, `intersect m in S: e`, …
    Quantifier {
        /// The quantifier.
        kind: QuantifierKind,
        /// The bound names, at least one.
        vars: Vec<Name>,
        /// The set over which the names range.
        domain: Box<Expr>,
        /// The body; for `the k in S: φ` the condition φ.
        body: Box<Expr>,
    },
    /// `largest k in S by e`, `smallest …`.
    Extremum {
        /// Whether the expression is `largest` (true) or `smallest` (false).
        largest: bool,
        /// The bound name.
        var: Name,
        /// The set over which the name ranges.
        domain: Box<Expr>,
        /// The expression whose values are compared.
        by: Box<Expr>,
    },
    /// `x is r`: x is not `none`, and r names its value; also `t is set` for a timer.
    Is(Box<Expr>, Name),
    /// `always e`, `eventually e`.
    Temporal(TemporalOp, Box<Expr>),
    /// `a until b`.
    Until(Box<Expr>, Box<Expr>),
    /// `a leads to b`, `a leads to b within x`.
    LeadsTo(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `( e )`. The tree keeps parentheses, because precedence warnings and the formatter need them.
    Paren(Box<Expr>),
    /// An expression that could not be parsed; the parser has reported the error.
    Error,
}

/// Units of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Unit {
    Ns,
    Us,
    Ms,
    S,
    Min,
    H,
}

impl Unit {
    /// The unit with this name, if there is one.
    pub fn named(word: &str) -> Option<Unit> {
        Some(match word {
            "ns" => Unit::Ns,
            "us" => Unit::Us,
            "ms" => Unit::Ms,
            "s" => Unit::S,
            "min" => Unit::Min,
            "h" => Unit::H,
            _ => return None,
        })
    }

    /// The name of the unit in the language.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Ns => "ns",
            Unit::Us => "us",
            Unit::Ms => "ms",
            Unit::S => "s",
            Unit::Min => "min",
            Unit::H => "h",
        }
    }

    /// Nanoseconds per unit.
    pub fn nanoseconds(self) -> i128 {
        match self {
            Unit::Ns => 1,
            Unit::Us => 1_000,
            Unit::Ms => 1_000_000,
            Unit::S => 1_000_000_000,
            Unit::Min => 60_000_000_000,
            Unit::H => 3_600_000_000_000,
        }
    }
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum UnaryOp {
    Neg,
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Union,
    Intersect,
    Minus,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    Subset,
    And,
    Or,
    Implies,
}

/// `always`, `eventually`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum TemporalOp {
    Always,
    Eventually,
}

/// Quantifiers: words that bind a name which ranges over a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum QuantifierKind {
    All,
    Exists,
    The,
    Max,
    Min,
    Count,
    Sum,
    Union,
    Intersect,
}

/// `field: e` in a struct or message.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldInit {
    /// The name of the field.
    pub name: Name,
    /// The value of the field.
    pub value: Expr,
}

/// `pattern => result` of a `match`; `T` is an expression or a block.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchArm<T> {
    /// The value or name that is matched; `None` for `_` and `else`.
    pub pattern: Option<Expr>,
    /// The result of the arm.
    pub result: T,
}
