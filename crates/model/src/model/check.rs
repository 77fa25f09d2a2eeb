//! Checks: a question, its instances, and the expected answer.

use crate::{ClaimId, Expr, FieldId, KindId, LocalId, ParamId, Topology, VariantId, WorldId};
use source::Span;

/// `check …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Check {
    pub question: Question,
    pub world: Option<WorldId>,
    /// At most one per kind.
    pub variants: Vec<VariantId>,
    /// `for …`, in the order of the text: each may mention parameters set before it.
    pub settings: Vec<Setting>,
    pub assuming: Option<Expr>,
    pub unfair: bool,
    /// Empty, one answer, or one per claim.
    pub expect: Vec<Answer>,
    pub span: Span,
}

/// The question of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether these claims hold.
    Claims(Vec<ClaimUse>),
    /// Whether a run reaches a state with this property.
    Possible(Expr),
    /// `least x: …`, `greatest x: …`: the least or greatest x for which each of these claims holds.
    Extreme {
        /// Whether it is `greatest`.
        greatest: bool,
        /// The searched parameter x.
        searched: Searched,
        /// The claims.
        claims: Vec<ClaimUse>,
        /// The place of the name x.
        span: Span,
    },
}

impl Question {
    /// The parameter of the model that the check searches, if it does.
    pub fn seeks(&self) -> Option<ParamId> {
        match self {
            Question::Extreme {
                searched: Searched::Param(param),
                ..
            } => Some(*param),
            _ => None,
        }
    }

    /// The claims that it names.
    pub fn claims(&self) -> &[ClaimUse] {
        match self {
            Question::Claims(claims) | Question::Extreme { claims, .. } => claims,
            Question::Possible(_) => &[],
        }
    }
}

/// The parameter searched by `least x` or `greatest x`: a number or a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// A parameter of the model.
    Param(ParamId),
    /// A name among the arguments of the claims.
    Argument {
        /// The name in the arguments of the claims.
        local: LocalId,
        /// For each claim, the position of the argument that is exactly this name; its parameter gives the range of
        /// values.
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

/// The effect of a clause after `for`.
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
    /// `every p`: every number from the lower end of its range on.
    Every(ParamId),
    /// `every graph`.
    EveryGraph,
    /// `line(4)`: the topology that replaces the one of the network. With several such clauses the check runs on
    /// each.
    Topology(Topology),
    /// `strangers = 2`: the number of ids that belong to no node.
    Strangers(Expr),
    /// `strangers in 0..2`.
    StrangersIn(Expr),
}

/// An answer after `expect`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Answer {
    pub kind: AnswerKind,
    /// The value of [`AnswerKind::Value`].
    pub value: Option<ExpectedValue>,
    pub span: Span,
}

/// The expected value of `least` or `greatest`.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedValue {
    /// A number or a time that depends on parameters only.
    pub value: Expr,
    /// Whether the claim holds for the value itself.
    pub attained: Attained,
}

/// Whether a value is attained, or is the limit of the attained values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attained {
    /// The value itself: `14`.
    Here,
    /// Every value below it, not the value: `below 47/3 ms`.
    Below,
    /// Every value above it, not the value: `above 3 ms`.
    Above,
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum AnswerKind {
    Holds,
    Fails,
    /// For `least` and `greatest`: a value.
    Value,
    /// For `least` and `greatest`: no value.
    FailsForEveryBound,
    Possible,
    Impossible,
    Error,
    Unknown,
}
