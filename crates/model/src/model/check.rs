//! Checks: a question, the parameter values that it is about, and the expected answer.

use crate::{ClaimId, Expr, FieldId, KindId, LocalId, ParamId, Topology, VariantId, WorldId};
use source::Span;

/// `check …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Check {
    pub question: Question,
    pub world: Option<WorldId>,
    /// At most one variant per kind.
    pub variants: Vec<VariantId>,
    /// The clauses after `for`, in the order of the text. Each may use parameters that earlier clauses set.
    pub settings: Vec<Setting>,
    pub assuming: Option<Expr>,
    pub unfair: bool,
    /// No answer, one answer for all claims, or one answer per claim.
    pub expect: Vec<Answer>,
    pub span: Span,
}

/// The question of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether these claims hold.
    Claims(Vec<ClaimUse>),
    /// Whether some run reaches a state that satisfies this condition.
    Possible(Expr),
    /// `least x: …`, `greatest x: …`: the least or greatest x for which all of these claims hold.
    Extreme {
        /// Whether the question is `greatest` (true) or `least` (false).
        greatest: bool,
        /// The sought x.
        searched: Searched,
        /// The claims.
        claims: Vec<ClaimUse>,
        /// The span of the name x.
        span: Span,
    },
}

impl Question {
    /// The parameter of the model that is sought; `None` for other questions, and if an argument is sought.
    pub fn seeks(&self) -> Option<ParamId> {
        match self {
            Question::Extreme {
                searched: Searched::Param(param),
                ..
            } => Some(*param),
            _ => None,
        }
    }

    /// The claims of the question; empty for `possible`.
    pub fn claims(&self) -> &[ClaimUse] {
        match self {
            Question::Claims(claims) | Question::Extreme { claims, .. } => claims,
            Question::Possible(_) => &[],
        }
    }
}

/// What `least x` or `greatest x` seeks: a number or a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// A parameter of the model.
    Param(ParamId),
    /// An argument of the claims, with a name that only the check declares.
    Argument {
        /// The name x in the arguments of the claims.
        local: LocalId,
        /// For each claim, the position of the argument that is x itself. The declared domain of that parameter gives
        /// the possible values of x.
        places: Vec<usize>,
    },
}

/// A claim with values for its parameters.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct ClaimUse {
    pub claim: ClaimId,
    pub arguments: Vec<Expr>,
    pub span: Span,
}

/// One clause after `for`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Setting {
    pub kind: SettingKind,
    pub span: Span,
}

/// What a clause after `for` sets.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingKind {
    /// `n = 3`.
    Param(ParamId, Expr),
    /// `n in 2..6`.
    ParamIn(ParamId, Expr),
    /// `ids = [ … ]`: one number per node; only the order of the numbers matters.
    Ids(Vec<Expr>),
    /// `c = [ … ]`: one value per node of the kinds that have this constant.
    Constants(Vec<(KindId, FieldId)>, Vec<Expr>),
    /// `every p`: every number from the lower end of the range of p on, without an upper bound.
    Every(ParamId),
    /// `every graph`: every graph of a network `graphs`.
    EveryGraph,
    /// `line(4)`: replaces the topology of the network. With several such clauses the check runs with each topology.
    Topology(Topology),
    /// `strangers = 2`: the number of ids that belong to no node.
    Strangers(Expr),
    /// `strangers in 0..2`: the check runs with each of these numbers.
    StrangersIn(Expr),
}

/// An answer after `expect`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Answer {
    pub kind: AnswerKind,
    /// The value, for [`AnswerKind::Value`] only.
    pub value: Option<ExpectedValue>,
    pub span: Span,
}

/// The expected value of `least` or `greatest`.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedValue {
    /// A number or a time that depends on parameters only.
    pub value: Expr,
    /// Whether the claims hold for the value itself.
    pub attained: Attained,
}

/// Whether the claims hold for the value itself, or only for values arbitrarily near to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attained {
    /// For the value itself: `14`.
    Here,
    /// For values below it, not for the value itself: `below 47/3 ms`.
    Below,
    /// For values above it, not for the value itself: `above 3 ms`.
    Above,
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum AnswerKind {
    Holds,
    Fails,
    /// For `least` and `greatest`: the claims hold for this value or bound.
    Value,
    /// For `least` and `greatest`: the claims fail for every value.
    FailsForEveryBound,
    Possible,
    Impossible,
    Error,
    Unknown,
}
