//! Checks: a question, for which instances, and the answer it should have.

use crate::{ClaimId, Expr, FieldId, KindId, ParamId, VariantId, WorldId};
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
}

/// An answer behind `expect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Answer {
    pub kind: AnswerKind,
    pub span: Span,
}

/// The answers of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AnswerKind {
    Holds,
    Fails,
    Possible,
    Impossible,
    Error,
    Unknown,
}
