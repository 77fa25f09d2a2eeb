//! Why an answer is unknown, as data. The crate `report` turns it into sentences.

mod bounds;
mod every;
mod label;
mod omission;
mod premise;
mod search;
mod spent;
mod time;

pub use bounds::{NoThreshold, NotMonotone, Sought, Undecided, Unsought};
pub use every::{NotForEvery, SizeBound, SizeGap, SizeMethod};
pub use label::Label;
pub use omission::Omission;
pub use premise::Premise;
pub use search::{Cause, Depth, Established, Goal, Searched};
pub use spent::Spent;
pub use time::{Inexact, OrderGap, Spurious};

use rational::Rational;
use serde::{Deserialize, Serialize};

/// Why an answer is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// A limit was reached before any method started.
    NotBegun(Spent),
    /// A method ended before the property was decided.
    Ended {
        /// Why the method ended.
        cause: Cause,
        /// What the method established before it ended.
        established: Established,
    },
    /// Hash compaction: a complete search found no run, but it may have missed states.
    MayBeOmitted(Omission, Goal),
    /// Hash compaction stores no states, so it cannot decide a claim about infinite runs.
    HashesOnly,
    /// The claim is too large for the method; the text says why.
    TooLarge(String),
    /// A method cannot represent a construct of the model or the claim.
    Unsupported {
        /// How the method represents the Machine.
        by: Representation,
        /// The construct, as a noun phrase.
        what: String,
    },
    /// Circuits decide only conditions on single states.
    NotAboutStates,
    /// The circuit represents at most this many messages in a channel or inbox, and a run may need more.
    NoRoom(usize),
    /// No method supports the question.
    NoMethod,
    /// No method supports real times together with bounded channels.
    BoundedChannels,
    /// No method proves the claim for every value of a parameter.
    ForEvery(Box<NotForEvery>),
    /// No method proves the claim for every graph.
    ForEveryGraph,
    /// A stored checkpoint cannot be used, for the reason given as text.
    Checkpoint(String),
    /// The method order of events does not decide the claim.
    EventOrder(OrderGap),
    /// Order abstraction: the counterexample found last is spurious.
    Spurious(Spurious),
    /// Digitisation: the ratio of the longest to the shortest time is too large to count units in integers.
    TimesTooFarApart,
    /// Digitisation: the longest time is more than `most` units.
    TooManyUnits {
        /// The longest time.
        longest: Rational,
        /// The unit.
        unit: Rational,
        /// The largest number of units.
        most: i64,
    },
    /// Digitisation: no run was found at multiples of a unit. This proves nothing, because the digitisation is not
    /// exact.
    NothingFound {
        /// The unit.
        unit: Rational,
        /// The unit was divided by each number up to this one.
        parts: u32,
        /// Why the digitisation is not exact.
        inexact: Inexact,
    },
    /// The search for a least or greatest value has no result.
    Bounds(Box<Unsought>),
    /// A bug of Scrutineer was detected.
    Defect(Defect),
}

/// How a method represents a Machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Representation {
    /// As packed states.
    States,
    /// As a circuit.
    Circuit,
    /// As a zone graph.
    Zones,
}

/// A finding that can only be caused by a bug of Scrutineer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Defect {
    /// The reference interpreter rejects the run of an engine, for this reason.
    Rejected(String),
    /// The reference interpreter rejects the random run with this number, for this reason.
    RejectedRandomRun(u64, String),
    /// A run of a reduced Machine cannot be lifted to the original.
    NotLifted,
    /// The cycle of a digitised run takes no time.
    LoopInZeroTime,
    /// A circuit represents too few messages although its channels are bounded.
    NoRoom,
    /// A trace of a circuit does not correspond to a run.
    NoRun,
}

/// A classification of reasons, for callers that react to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasonKind {
    /// A limit or an interruption; more time or memory may decide the question.
    Limit,
    /// The question, the model or the claim is outside the scope of the methods.
    OutOfScope,
    /// A method ended without a proof and without a run.
    Inconclusive,
    /// A bug of Scrutineer was detected: please report it.
    Defect,
}

impl Reason {
    /// The reason that a limit was reached and nothing was established.
    pub fn limit(spent: Spent) -> Reason {
        Reason::Ended {
            cause: Cause::Limit(spent),
            established: Established::Nothing,
        }
    }

    /// The reason that explicit search cannot represent a construct.
    pub fn no_states(what: impl Into<String>) -> Reason {
        Reason::Unsupported {
            by: Representation::States,
            what: what.into(),
        }
    }

    /// The reason that a circuit cannot represent a construct.
    pub fn no_circuit(what: impl Into<String>) -> Reason {
        Reason::Unsupported {
            by: Representation::Circuit,
            what: what.into(),
        }
    }

    /// The limit that ended a method or was reached before any method started. `None` for other reasons, even if they
    /// contain a limit, such as `EventOrder` and `Bounds`.
    pub fn spent(&self) -> Option<&Spent> {
        match self {
            Reason::NotBegun(spent) => Some(spent),
            Reason::Ended { cause, .. } => match cause {
                Cause::Limit(spent)
                | Cause::LimitAfter { spent, .. }
                | Cause::LimitInInfiniteRuns(spent) => Some(spent),
                Cause::CountersGrow { .. } => None,
            },
            _ => None,
        }
    }

    /// The kind of the reason.
    pub fn kind(&self) -> ReasonKind {
        match self {
            Reason::NotBegun(_) | Reason::Spurious(Spurious::Limit) => ReasonKind::Limit,
            Reason::Ended { cause, .. } => match cause {
                Cause::Limit(_) | Cause::LimitAfter { .. } | Cause::LimitInInfiniteRuns(_) => {
                    ReasonKind::Limit
                }
                Cause::CountersGrow { .. } => ReasonKind::Inconclusive,
            },
            Reason::EventOrder(gap) => gap.kind(),
            Reason::Bounds(unsought) => unsought.kind(),
            Reason::MayBeOmitted(..)
            | Reason::NoRoom(_)
            | Reason::Spurious(_)
            | Reason::NothingFound { .. } => ReasonKind::Inconclusive,
            Reason::HashesOnly
            | Reason::TooLarge(_)
            | Reason::Unsupported { .. }
            | Reason::NotAboutStates
            | Reason::NoMethod
            | Reason::BoundedChannels
            | Reason::ForEvery(_)
            | Reason::ForEveryGraph
            | Reason::Checkpoint(_)
            | Reason::TimesTooFarApart
            | Reason::TooManyUnits { .. } => ReasonKind::OutOfScope,
            Reason::Defect(_) => ReasonKind::Defect,
        }
    }
}
