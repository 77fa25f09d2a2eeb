//! Timers of nodes, and how code and claims name one.

use crate::{Expr, TimerId};
use source::Span;

/// `timer t`, `timer t[Node]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Its name.
    pub name: String,
    /// Whether there is one for each node.
    pub per_node: bool,
    /// Of the name.
    pub span: Span,
}

/// A timer where it is set, cancelled or asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct TimerUse {
    /// Which.
    pub timer: TimerId,
    /// For which node, if there is one for each.
    pub index: Option<Expr>,
}
