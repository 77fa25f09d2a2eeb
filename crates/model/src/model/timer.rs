//! Timers of nodes, and their uses.

use crate::{Expr, TimerId};
use source::Span;

/// `timer t`, `timer t[Node]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// The name of the timer.
    pub name: String,
    /// Whether a node has one such timer for each node (`timer t[Node]`).
    pub per_node: bool,
    /// The span of the name.
    pub span: Span,
}

/// A timer that a statement sets or cancels, or that a condition tests.
#[derive(Clone, Debug, PartialEq)]
pub struct TimerUse {
    /// The timer.
    pub timer: TimerId,
    /// The index node, for a timer `t[Node]`.
    pub index: Option<Expr>,
}
