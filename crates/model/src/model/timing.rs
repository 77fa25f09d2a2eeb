//! Schedules of activations, as declared after `every` and `timing t:`.

use crate::{Expr, TimingId};
use source::Span;

/// The schedule after `every`.
#[derive(Clone, Debug, PartialEq)]
pub enum Every {
    /// A schedule written after `every`.
    Own(Schedule),
    /// The schedule of a named `timing`, which worlds may replace.
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
    /// `round`, `round(Δ)`: no node gets more than Δ activations ahead of another; Δ is 1 if it is not given.
    Round(Option<Expr>),
    /// At real times, with gaps from an interval.
    Periodic(Box<Periodic>),
}

/// `a .. b [fixed] [, jitter …] [, first …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Periodic {
    /// The shortest and the longest gap, without jitter.
    pub gap: (Expr, Expr),
    /// Whether one gap is chosen for the whole run (true), or each gap separately (false).
    pub fixed: bool,
    /// The jitter.
    pub jitter: Option<Jitter>,
    /// The interval of the first activation. `None`: from 0 to the period, or to the longest gap if there is no fixed
    /// period.
    pub first: Option<(First, First)>,
    /// The span of the whole schedule.
    pub span: Span,
}

/// `jitter ± j per gap`, `jitter ± j on the grid`.
#[derive(Clone, Debug, PartialEq)]
pub struct Jitter {
    /// The maximum deviation in either direction.
    pub amount: Expr,
    /// Whether the jitter is relative to a strictly periodic grid and does not accumulate (true), or is added to each
    /// gap (false).
    pub on_the_grid: bool,
    /// The span of the whole clause.
    pub span: Span,
}

/// A bound on the time of the first activation.
#[derive(Clone, Debug, PartialEq)]
pub enum First {
    /// A given time.
    At(Expr),
    /// The period of the node; the longest gap if it has no fixed period.
    Period(Span),
}

/// `x .. y`: an interval of times, both ends included.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub from: Expr,
    /// The upper end.
    pub to: Expr,
    /// The span of the whole interval.
    pub span: Span,
}
