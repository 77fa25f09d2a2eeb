//! When activations happen: what stands behind `every` and `timing t:`, and which times that gives.

use crate::{Expr, TimingId};
use source::Span;

/// What stands behind `every`.
#[derive(Clone, Debug, PartialEq)]
pub enum Every {
    /// A schedule of its own.
    Own(Schedule),
    /// That of a `timing`, which worlds may replace.
    Named(TimingId),
}

/// `timing t: …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Timing {
    pub name: String,
    pub schedule: Schedule,
    pub span: Span,
}

/// When a node is activated.
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// `any`: at any moment.
    Any,
    /// `round`, `round(Δ)`; without a number nobody is more than one ahead.
    Round(Option<Expr>),
    /// At real times.
    Periodic(Box<Periodic>),
}

/// `a .. b [fixed] [, jitter …] [, first …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Periodic {
    /// The shortest and the longest gap, jitter aside.
    pub gap: (Expr, Expr),
    /// One period for the whole run.
    pub fixed: bool,
    /// What is added.
    pub jitter: Option<Jitter>,
    /// The time of the first activation; none: at any time up to the period or the longest gap.
    pub first: Option<(First, First)>,
    /// The whole.
    pub span: Span,
}

/// `jitter ± j per gap`, `jitter ± j on the grid`.
#[derive(Clone, Debug, PartialEq)]
pub struct Jitter {
    /// How much at most.
    pub amount: Expr,
    /// Around a strict beat, so that it does not add up.
    pub on_the_grid: bool,
    /// The whole.
    pub span: Span,
}

/// A bound of the time of the first activation.
#[derive(Clone, Debug, PartialEq)]
pub enum First {
    /// This time.
    At(Expr),
    /// The node's period; the longest gap if it has none.
    Period(Span),
}

/// `x .. y`: from when until when, both included.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// Its first end.
    pub from: Expr,
    /// Its last end.
    pub to: Expr,
    /// The whole.
    pub span: Span,
}
