//! The structure of time: rhythms, delays, timers, what runtime_faults nodes in the run, what must follow in time, and which
//! runs are meant.

use crate::{Expr, KindId, Origin, Scope};
use rational::Rational;

/// How long messages are on their way.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Delay {
    /// Any time.
    #[default]
    Any,
    /// At least and at most so long after they are sent.
    Within(Rational, Rational),
    /// Until the next activation of the sender at the latest, which waits for them.
    BeforeNext,
}

/// A timer of the nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub kind: KindId,
    /// There is one for each node of the network.
    pub per_node: bool,
    /// Where it comes from.
    pub origin: Origin,
}

/// A time that depends on the state: the sum of the products, and the constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSum {
    /// Integers and what each is multiplied by.
    pub terms: Vec<(Expr, Rational)>,
    /// What is added.
    pub constant: Rational,
}

impl TimeSum {
    /// A time that depends on nothing.
    pub fn constant(constant: Rational) -> TimeSum {
        let terms = Vec::new();
        TimeSum { terms, constant }
    }
}

/// What may runtime_fault nodes in the run, any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeFault {
    /// Nodes of which kind; none: of any.
    pub of: Option<KindId>,
    /// How many different nodes at most.
    pub limit: Option<u32>,
    /// They may crash.
    pub crash: Option<Crash>,
    /// They may stop.
    pub stop: Option<Restart>,
}

/// How nodes crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Also in the middle of an event whose code sends: part of it is sent, nothing is assigned.
    pub during_broadcast: bool,
}

/// How nodes that have stopped begin again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// With initial values, except for persistent variables, and the code of the start; otherwise as they were.
    pub fresh: bool,
    /// At least and at most so long after they have stopped; without it at any time, or never.
    pub within: Option<(Rational, Rational)>,
}

/// Something that must follow within a time: whenever the first holds, the second holds then or at most so much later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The local names of both.
    pub scope: Scope,
    /// What asks for it.
    pub from: Expr,
    /// What must follow.
    pub to: Expr,
    /// How much later at most.
    pub within: Rational,
}

/// When activations happen. Structure, never clock guards: each engine derives what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// At any moment.
    Any,
    /// Without times: if afterwards the node has made at most so many more than every running node with
    /// such a rhythm.
    Round(u32),
    /// At real times.
    Periodic(Periodic),
}

/// Activations at real times: the first within `first` after the start of the run, the others by gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// The shortest and the longest gap, jitter aside.
    pub gap: (Rational, Rational),
    /// Whether a node has one period within `gap` for the whole run.
    pub fixed: bool,
    /// What is added.
    pub jitter: Jitter,
    /// The earliest and the latest first activation.
    pub first: (First, First),
}

/// What is added to the times of activations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// Nothing.
    None,
    /// At most so much more or less in every gap: it adds up.
    PerGap(Rational),
    /// At most so much more or less than a multiple of the period after the first: it does not add up.
    OnGrid(Rational),
}

/// A bound of the time of the first activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// This time.
    At(Rational),
    /// The node's period; the longest gap if it has none.
    Period,
}

/// Which runs are meant where activations have real times.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Abstraction {
    /// As declared: choices have times.
    #[default]
    Exact,
    /// Without times: whatever these rules allow, which includes every order of events that exact runs have.
    Order(Vec<OrderRule>, Vec<ChainRule>),
    /// Times that are multiples of a unit, which pass one by one.
    Digitised(Digitisation),
}

/// Times that are multiples of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digitisation {
    /// The unit.
    pub unit: Rational,
    /// From so many units on all times since the start are the same to everybody.
    pub horizon: u32,
}

/// How many activations of a node there are in a window of another node's: `least ..= most`, for every
/// two different nodes of the kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderRule {
    /// Whose activations begin and end the window.
    pub of: KindId,
    /// Whose are counted.
    pub with: KindId,
    /// Which windows.
    pub window: Window,
    /// At least so many, while the counted node runs.
    pub least: u32,
    /// At most so many.
    pub most: Option<u32>,
}

/// Of every three different nodes of the kinds: within their first so many activations the first has not been ahead
/// of the second by one number, and the second ahead of the third by the other.
///
/// A node is ahead by so many if at its activation of number n the other, which runs, has made at most n less so many.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChainRule {
    /// The first node's kind.
    pub of: KindId,
    /// The second node's.
    pub with: KindId,
    /// The third node's.
    pub then: KindId,
    /// Within so many activations.
    pub activations: u32,
    /// By which numbers, each at least 1.
    pub leads: (u32, u32),
}

/// A window between two moments of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Window {
    /// From the start of the run to the n-th activation, counted from 1.
    Start(u32),
    /// So many gaps, from an activation. `least` counts only if the counted node has been activated before
    /// the window, unless `early`.
    Gaps {
        /// How many.
        gaps: u32,
        /// Whether `least` counts from the start of the run on.
        early: bool,
    },
}
