//! The advice for a vacuous claim, whose premise is true in no state.

use checks::Loaded;
use model::{BinaryOp, ClaimId, Expr, ExprKind, Formula, FormulaKind, LocalId, Quantifier};
use source::Span;

/// The length, in characters, up to which a premise is quoted in the advice.
const MAX_PREMISE: usize = 100;

/// The advice for a claim, given by the number of the check and the index of the claim in it.
pub(crate) fn advice(loaded: &Loaded, check: usize, wanted: usize) -> String {
    let claims = loaded.model.checks[check].question.claims();
    let premise = claims.get(wanted).and_then(|c| premise(loaded, c.claim));
    let premise = premise.filter(|text| text.chars().count() <= MAX_PREMISE);
    format!(
        "`check possible: {}` asks for a state in which it is true; mend the premise, or what keeps it from being true",
        premise.as_deref().unwrap_or("…")
    )
}

/// The premise of a claim as text for `check possible: …`; `None` if the claim has arguments or no premise.
fn premise(loaded: &Loaded, claim: ClaimId) -> Option<String> {
    let claim = &loaded.model.claims[claim.index()];
    match claim.parameters.is_empty() {
        true => below_time(loaded, &claim.formula),
        false => None,
    }
}

fn below_time(loaded: &Loaded, formula: &Formula) -> Option<String> {
    match &formula.kind {
        FormulaKind::Always(inner) => implied(loaded, inner),
        FormulaKind::LeadsTo(premise, _) => condition(loaded, premise),
        FormulaKind::LeadsToWithin { from, .. } => Some(text(loaded, from.span)),
        FormulaKind::All { var, domain, body } => {
            Some(some_of(loaded, *var, domain, below_time(loaded, body)?))
        }
        _ => None,
    }
}

fn implied(loaded: &Loaded, formula: &Formula) -> Option<String> {
    match &formula.kind {
        FormulaKind::Implies(premise, _) => condition(loaded, premise),
        FormulaKind::All { var, domain, body } => {
            Some(some_of(loaded, *var, domain, implied(loaded, body)?))
        }
        FormulaKind::State(condition) => implied_by(loaded, condition),
        _ => None,
    }
}

fn implied_by(loaded: &Loaded, condition: &Expr) -> Option<String> {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::Implies, premise, _) => Some(text(loaded, premise.span)),
        ExprKind::Quantifier {
            kind: Quantifier::All,
            var,
            domain,
            body,
        } => Some(some_of(loaded, *var, domain, implied_by(loaded, body)?)),
        _ => None,
    }
}

fn condition(loaded: &Loaded, formula: &Formula) -> Option<String> {
    let state = matches!(formula.kind, FormulaKind::State(_));
    state.then(|| text(loaded, formula.span))
}

fn some_of(loaded: &Loaded, var: LocalId, domain: &Expr, body: String) -> String {
    let name = &loaded.model.local(var).name;
    format!("exists {name} in {}: {body}", text(loaded, domain.span))
}

/// A part of the model text on one line.
fn text(loaded: &Loaded, span: Span) -> String {
    let words: Vec<&str> = loaded.sources.slice(span).split_whitespace().collect();
    words.join(" ")
}
