//! Schedules of activations, as declared after `every` and `timing t:`.

use crate::{Expr, TimingId};
use source::Span;

/// The schedule after `every`.
#[derive(Clone, Debug, PartialEq)]
pub enum Every {
    /// A schedule of its own.
    Own(Schedule),
    /// The schedule of a `timing`, which worlds may replace.
    Named(TimingId),
}

/// `timing t: …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Timing {
    pub name: String,
    pub schedule: Schedule,
    pub span: Span,
}

/// The schedule of the activations of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// `any`: at any time.
    Any,
    /// `round`, `round(Δ)`: a node is at most Δ rounds ahead of the others; Δ is 1 if it is not given.
    Round(Option<Expr>),
    /// At real times.
    Periodic(Box<Periodic>),
}

/// `a .. b [fixed] [, jitter …] [, first …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Periodic {
    /// The shortest and the longest gap, without jitter.
    pub gap: (Expr, Expr),
    /// Whether one period applies for the whole run.
    pub fixed: bool,
    /// The jitter.
    pub jitter: Option<Jitter>,
    /// The interval of the first activation; `None`: from 0 to the period, or to the longest gap.
    pub first: Option<(First, First)>,
    /// The whole schedule.
    pub span: Span,
}

/// `jitter ± j per gap`, `jitter ± j on the grid`.
#[derive(Clone, Debug, PartialEq)]
pub struct Jitter {
    /// The maximum deviation.
    pub amount: Expr,
    /// Whether the jitter is relative to a strictly periodic grid, so that it does not accumulate.
    pub on_the_grid: bool,
    /// The whole clause.
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

/// `x .. y`: an interval of times, both ends included.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub from: Expr,
    /// The upper end.
    pub to: Expr,
    /// The whole interval.
    pub span: Span,
}
