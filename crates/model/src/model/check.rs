//! Checks: a question, for which instances, and the answer it should have.

use crate::{ClaimId, Expr, FieldId, KindId, LocalId, ParamId, Topology, VariantId, WorldId};
use source::Span;

/// `check …`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
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

/// What a check asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether these claims hold.
    Claims(Vec<ClaimUse>),
    /// Whether a run reaches a state with this property.
    Possible(Expr),
    /// `least x: …`, `greatest x: …`: for each of these claims, for which x it holds.
    Extreme {
        /// `greatest` rather than `least`.
        greatest: bool,
        /// What x is.
        searched: Searched,
        /// The claims.
        claims: Vec<ClaimUse>,
        /// Of the name x.
        span: Span,
    },
}

impl Question {
    /// The parameter of the model that it seeks, if it does.
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

/// What `least x` or `greatest x` varies: a number or a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// A parameter of the model.
    Param(ParamId),
    /// A name that the claims are given.
    Argument {
        /// The name, as the claims' arguments mention it.
        local: LocalId,
        /// For each claim which of its arguments is this name and nothing else: there its values come from.
        places: Vec<usize>,
    },
}

/// A claim with values for its parameters.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct ClaimUse {
    pub claim: ClaimId,
    pub arguments: Vec<Expr>,
    pub span: Span,
}

/// One clause behind `for`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Setting {
    pub kind: SettingKind,
    pub span: Span,
}

/// What a clause behind `for` sets.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingKind {
    /// `n = 3`.
    Param(ParamId, Expr),
    /// `n in 2..6`.
    ParamIn(ParamId, Expr),
    /// `ids = [ … ]`: one number per node; only their order counts.
    Ids(Vec<Expr>),
    /// `c = [ … ]`: one value per node of the kinds that have this constant.
    Constants(Vec<(KindId, FieldId)>, Vec<Expr>),
    /// `every p`: every number from the lower end of its range on.
    Every(ParamId),
    /// `every graph`.
    EveryGraph,
    /// `line(4)`: the network has this topology instead of its own. Several are gone through.
    Topology(Topology),
    /// `strangers = 2`: so many ids belong to no node.
    Strangers(Expr),
    /// `strangers in 0..2`.
    StrangersIn(Expr),
}

/// An answer behind `expect`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Answer {
    pub kind: AnswerKind,
    /// Of [`AnswerKind::Value`].
    pub value: Option<ExpectedValue>,
    pub span: Span,
}

/// The value that `least` or `greatest` should have.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedValue {
    /// A number or a time, of the parameters only.
    pub value: Expr,
    /// Whether the claim holds for the value itself.
    pub attained: Attained,
}

/// Whether a value is the answer itself or the threshold of those that are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attained {
    /// The value itself: `14`.
    Here,
    /// Every value below it, not the value: `below 47/3 ms`.
    Below,
    /// Every value above it, not the value: `above 3 ms`.
    Above,
}

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AnswerKind {
    Holds,
    Fails,
    /// Of `least` and `greatest`: a value.
    Value,
    /// Of `least` and `greatest`: there is none.
    FailsForEveryBound,
    Possible,
    Impossible,
    Error,
    Unknown,
}
