//! Declared times: periodic activations, delays, timers, runtime faults, bounded responses, and the abstraction of
//! time.

use crate::{Expr, KindId, Origin, Scope};
use rational::Rational;

/// The travel time of messages.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Delay {
    /// Unbounded.
    #[default]
    Any,
    /// At least and at most this time after sending.
    Within(Rational, Rational),
    /// Until the sender's next activation at the latest: that activation is disabled while its messages travel.
    BeforeNext,
}

/// A timer of the nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Its name.
    pub name: String,
    /// The kind of node that has it.
    pub kind: KindId,
    /// Each node has one such timer per node of the network.
    pub per_node: bool,
    /// Source location.
    pub origin: Origin,
}

/// A time that depends on the state: a linear sum of integer expressions plus a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSum {
    /// Integer expressions with their factors.
    pub terms: Vec<(Expr, Rational)>,
    /// The constant term.
    pub constant: Rational,
}

impl TimeSum {
    /// A constant time.
    pub fn constant(constant: Rational) -> TimeSum {
        let terms = Vec::new();
        TimeSum { terms, constant }
    }
}

/// A runtime fault: nodes may crash or stop at any time during the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeFault {
    /// The affected kind; `None` affects every kind.
    pub of: Option<KindId>,
    /// Maximum number of distinct affected nodes.
    pub limit: Option<u32>,
    /// Nodes may crash.
    pub crash: Option<Crash>,
    /// Nodes may stop, and restart in this way.
    pub stop: Option<Restart>,
}

/// How nodes crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// A node may also crash within an event whose code sends: a subset of the messages is sent, no assignment takes
    /// effect.
    pub during_broadcast: bool,
}

/// How stopped nodes restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// If true, variables get initial values, except persistent ones, and the start block runs; otherwise the node
    /// resumes with its variables.
    pub fresh: bool,
    /// Minimum and maximum time from stop to restart; `None`: any time, or never.
    pub within: Option<(Rational, Rational)>,
}

/// A bounded-response obligation: whenever `from` holds, `to` holds at that time or at most `within` later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The locals of both conditions.
    pub scope: Scope,
    /// The triggering condition.
    pub from: Expr,
    /// The required condition.
    pub to: Expr,
    /// Maximum time from trigger to response.
    pub within: Rational,
}

/// When activations happen. This is declared structure, not clock guards: each engine derives its own constraints from
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// At any time.
    Any,
    /// Without times: an activation is enabled if afterwards the node has made at most this many more activations than
    /// every running node with this timing.
    Round(u32),
    /// At real times.
    Periodic(Periodic),
}

/// Activations at real times: the first within `first` after the start of the node, the others separated by gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// The shortest and the longest gap, without jitter.
    pub gap: (Rational, Rational),
    /// Whether a node has one constant period within `gap` for the whole run.
    pub fixed: bool,
    /// Deviation of the activation times.
    pub jitter: Jitter,
    /// The earliest and the latest first activation.
    pub first: (First, First),
}

/// Deviation of activation times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// Nothing.
    None,
    /// At most this deviation in every gap; deviations accumulate.
    PerGap(Rational),
    /// At most this deviation from a multiple of the period after the first activation; deviations do not accumulate.
    OnGrid(Rational),
}

/// A bound of the first activation time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// A constant.
    At(Rational),
    /// The node's period, or the longest gap if the node has no fixed period.
    Period,
}

/// Which runs a Machine with real times has.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Abstraction {
    /// The declared times: every choice has a time.
    #[default]
    Exact,
    /// No times: every order of activations that the rules allow. The rules allow at least the orders of exact runs.
    Order(Vec<OrderRule>, Vec<ChainRule>),
    /// Times are multiples of a unit and pass unit by unit.
    Digitised(Digitisation),
}

/// Digitised time: all times are multiples of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digitisation {
    /// The unit.
    pub unit: Rational,
    /// Number of units after which the time since the start no longer influences any condition.
    pub horizon: u32,
}

/// A bound on the number of activations of one node in a window of another node: `least ..= most`, for every two
/// distinct nodes of the two kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderRule {
    /// The kind of the node whose activations delimit the window.
    pub of: KindId,
    /// The kind of the node whose activations are counted.
    pub with: KindId,
    /// The window.
    pub window: Window,
    /// Minimum count, while the counted node runs.
    pub least: u32,
    /// Maximum count.
    pub most: Option<u32>,
}

/// A constraint on three distinct nodes of the three kinds: within their first `activations` activations it excludes
/// that the first was ahead of the second by `leads.0` and the second ahead of the third by `leads.1`.
///
/// A node is ahead of a running node by k if at its n-th activation the other has made at most n - k activations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChainRule {
    /// The first node's kind.
    pub of: KindId,
    /// The second node's kind.
    pub with: KindId,
    /// The third node's kind.
    pub then: KindId,
    /// Number of activations to which the rule applies.
    pub activations: u32,
    /// The two excluded leads, each at least 1.
    pub leads: (u32, u32),
}

/// A window between two activations of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Window {
    /// From the start of the run to the n-th activation, counted from 1.
    Start(u32),
    /// This many gaps, starting at an activation. `least` applies only if the counted node was activated before the
    /// window, unless `early`.
    Gaps {
        /// Number of gaps.
        gaps: u32,
        /// Whether `least` applies to windows before the counted node's first activation too.
        early: bool,
    },
}
