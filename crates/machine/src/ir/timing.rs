//! Declared times: periodic activations, delays, timers, runtime faults, bounded responses, and the abstraction of
//! time.

use crate::{Expr, KindId, Origin, Scope};
use rational::Rational;

/// The travel time of messages.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Delay {
    /// Any finite time, without a bound.
    #[default]
    Any,
    /// Between the first and the second time, both included.
    Within(Rational, Rational),
    /// Until the next activation of the sender: the activation is disabled while messages of the sender are in flight.
    BeforeNext,
}

/// A timer of the nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Its name.
    pub name: String,
    /// The kind of node that has it.
    pub kind: KindId,
    /// Whether each node has one such timer per node of the network (true) or only one (false).
    pub per_node: bool,
    /// Source location.
    pub origin: Origin,
}

/// A time that depends on the state: a linear combination of integer expressions plus a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSum {
    /// Integer expressions with their coefficients.
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

/// A group of runtime faults: nodes may crash or stop at any time during the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeFault {
    /// The affected kind; `None` means every kind.
    pub of: Option<KindId>,
    /// Maximum number of distinct affected nodes; `None` means no limit.
    pub limit: Option<u32>,
    /// How nodes may crash; `None` if they do not.
    pub crash: Option<Crash>,
    /// How nodes that stop restart; `None` if nodes do not stop.
    pub stop: Option<Restart>,
}

/// How nodes crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Whether a node may also crash within an event whose code sends messages. Then any subset of the messages is
    /// sent, and no assignment takes effect.
    pub during_broadcast: bool,
}

/// How stopped nodes restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// If true, the non-persistent variables get initial values and the start block runs. If false, the node continues
    /// with the values its variables had.
    pub fresh: bool,
    /// Minimum and maximum time from stop to restart. `None` means any time, and the node may stay stopped for ever.
    pub within: Option<(Rational, Rational)>,
}

/// A bounded-response obligation: whenever `from` holds at a time t, `to` holds at some time in [t, t + `within`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The locals of `from` and `to`.
    pub scope: Scope,
    /// The triggering condition.
    pub from: Expr,
    /// The response.
    pub to: Expr,
    /// Maximum time from trigger to response.
    pub within: Rational,
}

/// When activations happen. The declaration contains no clock constraints; each engine derives its own from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// At any time.
    Any,
    /// Without times: an activation of a node is enabled if after it the node has made at most this many more
    /// activations than each running node with this timing.
    Round(u32),
    /// At real times.
    Periodic(Periodic),
}

/// Activations at real times. The interval `first` bounds the time from the start of the node to its first activation.
/// Consecutive activations are separated by gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// The shortest and the longest gap, without jitter.
    pub gap: (Rational, Rational),
    /// Whether each node has one period from `gap`, constant during the run (true), or each gap is chosen anew (false).
    pub fixed: bool,
    /// How much activation times may deviate.
    pub jitter: Jitter,
    /// The earliest and the latest first activation.
    pub first: (First, First),
}

/// Deviation of activation times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// No deviation.
    None,
    /// At most this deviation in every gap; deviations accumulate.
    PerGap(Rational),
    /// At most this deviation from a multiple of the period after the first activation. Deviations do not accumulate.
    OnGrid(Rational),
}

/// A bound of the time of the first activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// A constant.
    At(Rational),
    /// The node's fixed period, or the longest gap if the node has none.
    Period,
}

/// How the runs of a Machine treat its real times.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Abstraction {
    /// Runs have the declared times: every choice has a time.
    #[default]
    Exact,
    /// Runs have no times: they are all orders of activations that the rules allow. The rules allow every order that an
    /// exact run has.
    Order(Vec<OrderRule>, Vec<ChainRule>),
    /// Times are multiples of a unit and pass unit by unit.
    Digitised(Digitisation),
}

/// Digitised time: all times are multiples of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digitisation {
    /// The unit.
    pub unit: Rational,
    /// Number of units after which the time since the start no longer changes the value of any condition.
    pub horizon: u32,
}

/// A bound on how often one node is activated in a window of another node: at least `least` and at most `most` times.
/// It applies to every two distinct nodes of the two kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderRule {
    /// The kind of the node whose activations delimit the window.
    pub of: KindId,
    /// The kind of the counted node: the node whose activations are counted.
    pub with: KindId,
    /// The window.
    pub window: Window,
    /// Minimum count; required only if the counted node is running.
    pub least: u32,
    /// Maximum count; `None` means no bound.
    pub most: Option<u32>,
}

/// A constraint on every three distinct nodes a, b, c of the three kinds: within their first `activations` activations
/// it is impossible that a was ahead of b by `leads.0` and b was ahead of c by `leads.1`.
///
/// A node is ahead of a running node by k if at the node's n-th activation, for some n, the other has made at most n -
/// k activations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChainRule {
    /// The kind of a.
    pub of: KindId,
    /// The kind of b.
    pub with: KindId,
    /// The kind of c.
    pub then: KindId,
    /// Number of activations per node to which the rule applies.
    pub activations: u32,
    /// The two leads that exclude each other, each at least 1.
    pub leads: (u32, u32),
}

/// A window that ends at an activation of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Window {
    /// From the start of the run to the n-th activation, counted from 1.
    Start(u32),
    /// A window that begins at an activation and spans this many gaps. `least` applies only if the counted node was
    /// activated before the window, unless `early` is set.
    Gaps {
        /// Number of gaps.
        gaps: u32,
        /// Whether `least` also applies to windows that begin before the first activation of the counted node.
        early: bool,
    },
}
