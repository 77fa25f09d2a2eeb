//! Why the search for a least or greatest value has no result.

use super::{Premise, Reason, ReasonKind};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// A value that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sought {
    /// A number.
    Number(i64),
    /// A time.
    Time(Rational),
}

/// Why the claim is not decided for a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Undecided {
    /// The answer is unknown, for this reason.
    Open(Reason),
    /// The claim holds, but its premise is never true or not known to be ever true.
    Vacuous(Premise),
    /// The model is not valid for the value.
    NoModel,
    /// A run ends in a runtime error.
    Error,
    /// If periods may vary from gap to gap, a run violates the claim. So the claim can hold only because periods are
    /// fixed.
    RestsOnFixedPeriods,
    /// Grid jitter cannot be expressed by bounds of gaps, so fixed periods cannot be relaxed.
    JitterOnGrid,
}

/// Why a search for a value has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unsought {
    /// The range of the parameter is empty.
    EmptyRange,
    /// The parameter has no range.
    NoRange,
    /// The claim is not decided for a value that was tried.
    At {
        /// The value.
        value: Sought,
        /// Why the claim is not decided.
        undecided: Undecided,
        /// Whether the claim fails for every value that was tried before.
        fails_before: bool,
    },
    /// The result is beyond the last value that was tried.
    Beyond {
        /// The last value that was tried.
        value: Sought,
        /// Whether the values were tried in ascending order (true) or in descending order (false).
        ascending: bool,
        /// Whether the claim holds (true) or fails (false) for all values up to the last one.
        holds: bool,
        /// A value beyond the last one for which the claim is not decided, and why.
        open: Option<(Sought, Undecided)>,
    },
    /// The claim is not monotone in the time, or not in the required direction.
    NotMonotone(NotMonotone),
    /// The search for a threshold of a time parameter has no result.
    NoThreshold(NoThreshold),
    /// On this graph the claim is not decided for the value that another graph needs.
    OnGraph {
        /// The graph.
        graph: String,
        /// The value.
        value: i64,
        /// Why the claim is not decided.
        undecided: Undecided,
    },
    /// On this graph the claim holds for `own`, but not for `value`, which another graph needs.
    GraphsDisagree {
        /// The graph.
        graph: String,
        /// The value that is the result on this graph.
        own: i64,
        /// The value that another graph needs.
        value: i64,
    },
}

/// Why a least or greatest time of a claim cannot be sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotMonotone {
    /// The claim is not an invariant but about whole runs.
    WholeRuns,
    /// The sought time occurs outside comparisons with `now` and outside `within`.
    Elsewhere,
    /// The sought time occurs both in a `within` and in a comparison with `now`.
    BothForms,
    /// The sought time is multiplied, divided or subtracted in a comparison.
    Arithmetic,
    /// The claim does not contain the sought time.
    Independent,
    /// A larger time makes the claim neither weaker nor stronger.
    Neither,
    /// The greatest time is sought although a larger time makes the claim weaker, or the least although a larger time
    /// makes the claim stronger.
    WrongWay {
        /// Whether the greatest (true) or the least (false) time is sought.
        greatest: bool,
    },
}

/// Why no threshold of a parameter is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoThreshold {
    /// No period and no delay depends on the parameter.
    Unused {
        /// The parameter.
        parameter: String,
        /// Whether this is known only for the instance that was examined.
        here: bool,
    },
    /// A time in this line is not affine in the parameter: not a multiple of it plus a constant.
    NotAffine {
        /// The parameter.
        parameter: String,
        /// The line.
        line: usize,
    },
    /// The parameter also occurs in this line outside periods and delays.
    Elsewhere {
        /// The parameter.
        parameter: String,
        /// The line.
        line: usize,
    },
    /// The parameter is not a time.
    NotATime(String),
    /// The model is valid for one value of the parameter only.
    OneValue {
        /// The parameter.
        parameter: String,
        /// The value.
        value: Rational,
    },
    /// Models for different values of the parameter differ in more than times.
    OtherModel(String),
    /// A larger value of the parameter allows some additional runs and excludes others, so the claim is not monotone.
    BothWays(String),
    /// The greatest value is sought although a larger value allows fewer runs, or the least although a larger value
    /// allows more.
    WrongWay {
        /// The parameter.
        parameter: String,
        /// Whether the greatest (true) or the least (false) value is sought.
        greatest: bool,
    },
    /// The claim is not an invariant but about whole runs.
    WholeRuns,
    /// The claim fails from one value on and holds up to another; between them it is not decided.
    Between {
        /// The value from which the claim fails.
        fails: Rational,
        /// The value up to which it holds.
        holds: Rational,
        /// Why it is not decided between them.
        undecided: Undecided,
    },
    /// The claim fails from a value on. Whether it holds just before that value is not decided.
    Before {
        /// The value.
        fails: Rational,
        /// Why it is not decided.
        undecided: Undecided,
    },
    /// The claim fails for a value, and still fails after each of a limited number of moves towards the threshold.
    AgainAndAgain(Rational),
    /// The audit rejects the run at the threshold, for this reason.
    Rejected(String),
    /// At its own threshold, the run has no times that satisfy all constraints.
    NoTimes,
}

impl Undecided {
    fn kind(&self) -> ReasonKind {
        match self {
            Undecided::Open(reason) => reason.kind(),
            _ => ReasonKind::Inconclusive,
        }
    }
}

impl Unsought {
    pub(super) fn kind(&self) -> ReasonKind {
        match self {
            Unsought::EmptyRange | Unsought::NoRange | Unsought::NotMonotone(_) => {
                ReasonKind::OutOfScope
            }
            Unsought::At { undecided, .. } | Unsought::OnGraph { undecided, .. } => {
                undecided.kind()
            }
            Unsought::Beyond { .. } | Unsought::GraphsDisagree { .. } => ReasonKind::Inconclusive,
            Unsought::NoThreshold(why) => why.kind(),
        }
    }
}

impl NoThreshold {
    fn kind(&self) -> ReasonKind {
        match self {
            NoThreshold::Between { undecided, .. } | NoThreshold::Before { undecided, .. } => {
                undecided.kind()
            }
            NoThreshold::AgainAndAgain(_) | NoThreshold::NoTimes => ReasonKind::Inconclusive,
            NoThreshold::Rejected(_) => ReasonKind::Defect,
            _ => ReasonKind::OutOfScope,
        }
    }
}

impl From<Unsought> for Reason {
    fn from(unsought: Unsought) -> Reason {
        Reason::Bounds(Box::new(unsought))
    }
}

impl From<NoThreshold> for Reason {
    fn from(why: NoThreshold) -> Reason {
        Unsought::NoThreshold(why).into()
    }
}

impl From<NotMonotone> for Reason {
    fn from(why: NotMonotone) -> Reason {
        Unsought::NotMonotone(why).into()
    }
}
