//! Why a method for real times does not decide a property.

use super::{ReasonKind, Spent};
use serde::{Deserialize, Serialize};

/// Why the method order of events does not decide a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderGap {
    /// A limit was reached.
    Limit(Spent),
    /// The Machine or the claim has a construct that the method does not support, given as a noun phrase.
    OutOfScope(String),
    /// The property is a condition to be reached, not a claim.
    NotAClaim,
    /// The claim is not an invariant but about whole runs.
    NotAnInvariant,
    /// The code or the claim may be a runtime error.
    MayErr,
    /// There is no initial state, or the initial values cannot be computed.
    NoRunBegins,
    /// It is not decided whether the premise is ever true.
    PremiseOpen,
    /// A run of the reduced Machine cannot be lifted to the original.
    NotLifted,
    /// The order that was found has no times.
    NoTimes,
    /// The order that was found cannot be replayed on the reference interpreter, for the reason given as text.
    NotFollowed(String),
    /// No run violates the claim while some node has made at most this many activations. The claim is not inductive:
    /// from an arbitrary state it may be violated.
    NotInductive(u32),
    /// Two methods contradict each other.
    Contradiction,
}

impl OrderGap {
    pub(super) fn kind(&self) -> ReasonKind {
        match self {
            OrderGap::Limit(_) => ReasonKind::Limit,
            OrderGap::OutOfScope(_) | OrderGap::NotAClaim | OrderGap::NotAnInvariant => {
                ReasonKind::OutOfScope
            }
            OrderGap::Contradiction => ReasonKind::Defect,
            OrderGap::MayErr
            | OrderGap::NoRunBegins
            | OrderGap::PremiseOpen
            | OrderGap::NotLifted
            | OrderGap::NoTimes
            | OrderGap::NotFollowed(_)
            | OrderGap::NotInductive(_) => ReasonKind::Inconclusive,
        }
    }
}

/// Why the CEGAR loop ends with a spurious counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spurious {
    /// No order rule excludes the counterexample.
    NoRule,
    /// The abstraction has this many order rules, the maximum.
    MostRules(usize),
    /// A limit was reached.
    Limit,
}

/// Why a digitisation is not exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inexact {
    /// The nodes of this kind have one period, which is not known in advance, for the whole run.
    OnePeriod(String),
    /// A full channel can delay an event that is due.
    FullChannel,
    /// Infinitely many events may happen in zero time.
    ZeroTimeLoop,
    /// A violation requires several delays at the same time.
    SeveralDelays,
    /// A violation requires a delay and that a certain time has passed.
    DelayAndTime,
    /// `within` occurs below another temporal operator.
    NestedWithin,
}
