//! The strategy as a table. A row is a method for a class of questions, with a limit; a method may have several rows.
//! The rows are tried from top to bottom.
//!
//! A row is tried if it accepts the Machine and the fairness of the question (`Accepts`) and its turn has come
//! (`Turn`). It answers the properties that are still open; decided properties stay decided. `play.rs` executes the
//! rows.

use machine::{Block, Channel, Delay, Machine, Trigger};
use verdict::{Question, Reason};

/// The limit of states for the first explicit search of a question. If it is reached, other methods are tried before a
/// search without this limit.
pub(crate) const FIRST_SEARCH: u64 = 3_000_000;

/// The limit of SAT queries per property before the explicit search without a limit of its own (`Step::WholeSearch`).
/// Most queries are short, so this takes some seconds.
pub(crate) const FEW_QUERIES: u64 = 40_000;

/// The limit of SAT queries per property in the last row of circuits.
pub(crate) const MANY_QUERIES: u64 = 1_000_000;

/// A row of the strategy.
pub struct Row {
    /// The name of the method.
    pub method: &'static str,
    /// The questions that the row accepts.
    pub accepts: Accepts,
    /// The limit under which the row runs.
    pub effort: Effort,
    /// When the row is tried.
    pub turn: Turn,
    /// What the row passes to the rows below it, for the documentation.
    pub hands_on: &'static str,
    pub(crate) step: Step,
}

/// The function of `play.rs` that executes a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    SearchUpToIsomorphism,
    EventOrder,
    FirstSearch,
    RandomRuns,
    Circuits,
    WholeSearch,
    OnlyCircuits,
    Digitisation,
}

/// A class of questions, determined by the Machine and by fairness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// A plain Machine (without time); the row is used only for a graph that represents all numberings of its nodes.
    UntimedGraph,
    /// No time.
    Untimed,
    /// Only activations of periodic nodes have times, and no channel is bounded.
    Periodic,
    /// Like `Periodic`, and the check does not assume fairness.
    PeriodicUnfair,
    /// Like `Periodic`, or all blocks are `every` blocks and messages have a delay with bounds.
    PeriodicOrDelayed,
    /// There are times other than those of activations: delays, timers, deadlines, `now` or runtime faults.
    Timed,
}

/// The limit under which a row runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The limits of the check.
    Limits,
    /// A number of states.
    States(u64),
    /// A number of SAT queries per property.
    Queries(u64),
    /// A fixed number of random runs.
    Runs,
}

/// When a row that accepts the question is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// If a property is open.
    Open,
    /// If a property is open and the budget allows more states than `FIRST_SEARCH`.
    Longer,
    /// If a property is open, the first search reached its own limit of states, and the budget allows more.
    Continue,
    /// If a property is open and the explicit search cannot represent the Machine.
    Refused,
}

/// The rows, in the order in which they are tried.
pub const TABLE: &[Row] = &[
    Row {
        method: "explicit search up to isomorphism",
        accepts: Accepts::UntimedGraph,
        effort: Effort::Limits,
        turn: Turn::Open,
        hands_on: "answers for all numberings of the graph; no row follows",
        step: Step::SearchUpToIsomorphism,
    },
    Row {
        method: "order of events",
        accepts: Accepts::PeriodicOrDelayed,
        effort: Effort::Limits,
        turn: Turn::Open,
        hands_on: "proofs, runs with times; the rows below get the open properties only",
        step: Step::EventOrder,
    },
    Row {
        method: "explicit search",
        accepts: Accepts::Untimed,
        effort: Effort::States(FIRST_SEARCH),
        turn: Turn::Open,
        hands_on: "answers, the explored depth, a checkpoint",
        step: Step::FirstSearch,
    },
    Row {
        method: "CEGAR over explicit search",
        accepts: Accepts::Periodic,
        effort: Effort::States(FIRST_SEARCH),
        turn: Turn::Open,
        hands_on: "answers, the explored depth",
        step: Step::FirstSearch,
    },
    Row {
        method: "random simulation",
        accepts: Accepts::Untimed,
        effort: Effort::Runs,
        turn: Turn::Longer,
        hands_on: "runs",
        step: Step::RandomRuns,
    },
    Row {
        method: "random simulation",
        accepts: Accepts::Periodic,
        effort: Effort::Runs,
        turn: Turn::Longer,
        hands_on: "runs",
        step: Step::RandomRuns,
    },
    Row {
        method: "circuits",
        accepts: Accepts::Untimed,
        effort: Effort::Queries(FEW_QUERIES),
        turn: Turn::Longer,
        hands_on: "proofs, runs; proved claims are lemmas for the others",
        step: Step::Circuits,
    },
    Row {
        method: "explicit search",
        accepts: Accepts::Untimed,
        effort: Effort::Limits,
        turn: Turn::Continue,
        hands_on: "answers",
        step: Step::WholeSearch,
    },
    Row {
        method: "CEGAR over explicit search",
        accepts: Accepts::Periodic,
        effort: Effort::Limits,
        turn: Turn::Continue,
        hands_on: "answers",
        step: Step::WholeSearch,
    },
    Row {
        method: "circuits",
        accepts: Accepts::Untimed,
        effort: Effort::Limits,
        turn: Turn::Refused,
        hands_on: "answers; no row follows",
        step: Step::OnlyCircuits,
    },
    Row {
        method: "circuits",
        accepts: Accepts::Untimed,
        effort: Effort::Queries(MANY_QUERIES),
        turn: Turn::Longer,
        hands_on: "proofs, runs",
        step: Step::Circuits,
    },
    Row {
        method: "digitisation",
        accepts: Accepts::Timed,
        effort: Effort::Limits,
        turn: Turn::Open,
        hands_on: "answers",
        step: Step::Digitisation,
    },
    Row {
        method: "digitisation",
        accepts: Accepts::PeriodicUnfair,
        effort: Effort::Limits,
        turn: Turn::Open,
        hands_on: "answers: without fairness a node may seem to stand still in orders that times do not allow",
        step: Step::Digitisation,
    },
];

impl Accepts {
    /// Whether the question belongs to this class.
    pub fn accepts(self, question: &Question<'_>) -> bool {
        let machine = question.machine;
        let timed = digitisation::is_needed(machine);
        match self {
            Accepts::UntimedGraph => crate::explicit_search::is_plain(machine),
            Accepts::Untimed => !machine.has_time(),
            Accepts::Periodic => is_periodic(machine),
            Accepts::PeriodicUnfair => is_periodic(machine) && !question.fair,
            Accepts::PeriodicOrDelayed => {
                let by_period = |block: &Block| matches!(block.trigger, Trigger::Every(_));
                let delayed = matches!(machine.delay, Delay::Within(..));
                is_periodic(machine) || timed && delayed && machine.blocks.iter().all(by_period)
            }
            Accepts::Timed => timed,
        }
    }
}

/// Whether only activations have times, and no channel is bounded: a full channel could delay an activation.
fn is_periodic(machine: &Machine) -> bool {
    machine.has_time()
        && !digitisation::is_needed(machine)
        && !matches!(machine.channel, Channel::Fifo(Some(_)))
}

/// The reason of the answer `unknown` if no row accepts the question.
pub(crate) fn accepted_by_none(machine: &Machine) -> Reason {
    match machine.channel {
        Channel::Fifo(Some(_)) if machine.has_time() => Reason::BoundedChannels,
        _ => Reason::NoMethod,
    }
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Effort::Limits => f.write_str("within the limits"),
            Effort::States(most) => write!(f, "up to {most} states"),
            Effort::Queries(most) => write!(f, "up to {most} queries"),
            Effort::Runs => f.write_str("a fixed number of runs"),
        }
    }
}
