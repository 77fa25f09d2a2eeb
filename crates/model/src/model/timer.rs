//! Timers of nodes, and references to them.

use crate::{Expr, TimerId};
use source::Span;

/// `timer t`, `timer t[Node]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Its name.
    pub name: String,
    /// Whether it exists once per node.
    pub per_node: bool,
    /// The place of the name.
    pub span: Span,
}

/// A reference to a timer that is set, cancelled or tested.
#[derive(Clone, Debug, PartialEq)]
pub struct TimerUse {
    /// The timer.
    pub timer: TimerId,
    /// The node, if the timer exists once per node.
    pub index: Option<Expr>,
}
