//! Monotonicity of a claim in a time: whether a larger time makes the claim weaker or stronger, and its limit for large times.

use digitisation::required_responses;
use machine::{BinaryOp, Expr, Formula, Machine, Property, PropertyKind, Quantifier, UnaryOp};
use rational::Rational;

/// The effect of a larger time on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Monotone {
    /// A larger time makes the claim weaker.
    Weaker,
    /// A larger time makes the claim stronger.
    Stronger,
}

/// The effect of a larger time on the claim of a Machine, or the reason why there is none. The time of `second` is that of `first`
/// plus `by`.
pub(crate) fn monotone(
    first: &Machine,
    second: &Machine,
    by: &Rational,
) -> Result<Monotone, String> {
    let elsewhere =
        "the time stands elsewhere than behind a comparison with `now` or behind `within`";
    let rest = |machine: &Machine| Machine {
        properties: Vec::new(),
        responses: Vec::new(),
        ..machine.clone()
    };
    let (a, b) = match (condition(first), condition(second)) {
        (Some(a), Some(b)) => (a, b),
        _ => return Err("the claim is about whole runs, not about every state".into()),
    };
    if rest(first) != rest(second) || first.responses.len() != second.responses.len() {
        return Err(elsewhere.into());
    }
    let mut found = Vec::new();
    let mut in_response = false;
    for (a, b) in first.responses.iter().zip(&second.responses) {
        if (&a.from, &a.to) != (&b.from, &b.to) {
            return Err(elsewhere.into());
        }
        if a.within != b.within {
            in_response = true;
            found.push((Some(Monotone::Weaker), &b.within - &a.within));
        }
    }
    if !differences(&a, &b, Some(true), &mut found) {
        return Err(elsewhere.into());
    }
    if in_response && a != b {
        return Err(
            "the time stands both behind `within` and behind a comparison with `now`".into(),
        );
    }
    if found.iter().any(|(_, difference)| difference != by) {
        return Err("the time is multiplied, divided or subtracted where it is compared".into());
    }
    match found.first() {
        None => Err("the claim does not depend on the time".into()),
        Some((Some(first), _)) if found.iter().all(|(effect, _)| *effect == Some(*first)) => {
            Ok(*first)
        }
        _ => Err("a larger time makes the claim neither weaker nor stronger".into()),
    }
}

/// The condition that must hold in every state.
pub(crate) fn condition(machine: &Machine) -> Option<Expr> {
    match &machine.properties[0].kind {
        PropertyKind::Claim(claim) => claim.invariant(),
        PropertyKind::Possible(_) => None,
    }
}

/// Collects the places where two conditions differ in a time that `now` is compared with: the effect of a larger time on the whole
/// condition, and the difference of the two times. Returns whether they differ in nothing else. `positive` is the polarity of this
/// place in the whole condition, if it has one.
fn differences(
    a: &Expr,
    b: &Expr,
    positive: Option<bool>,
    found: &mut Vec<(Option<Monotone>, Rational)>,
) -> bool {
    use BinaryOp::*;
    match (a.bare(), b.bare()) {
        (a, b) if a == b => true,
        (Expr::Now(p, x), Expr::Now(q, y)) if p == q => {
            let grows = match p {
                Le | Lt => Some(true),
                Ge | Gt => Some(false),
                _ => None,
            };
            let weaker = grows
                .zip(positive)
                .map(|(grows, positive)| grows == positive);
            let effect = weaker.map(|weaker| {
                if weaker {
                    Monotone::Weaker
                } else {
                    Monotone::Stronger
                }
            });
            found.push((effect, y - x));
            true
        }
        (Expr::Unary(UnaryOp::Not, a), Expr::Unary(UnaryOp::Not, b)) => {
            differences(a, b, positive.map(|p| !p), found)
        }
        (Expr::Binary(p @ (And | Or), a, c), Expr::Binary(q, b, d)) if p == q => {
            differences(a, b, positive, found) && differences(c, d, positive, found)
        }
        (Expr::Binary(Implies, a, c), Expr::Binary(Implies, b, d)) => {
            differences(a, b, positive.map(|p| !p), found) && differences(c, d, positive, found)
        }
        (Expr::Quantified(p, j, c, a), Expr::Quantified(q, k, d, b))
            if (p, j, c) == (q, k, d) && matches!(p, Quantifier::All | Quantifier::Exists) =>
        {
            differences(a, b, positive, found)
        }
        (a, b) => {
            let (x, y) = (a.children(), b.children());
            let parts: Vec<(&Expr, &Expr)> = x.iter().copied().zip(y.iter().copied()).collect();
            let blank = |e: &Expr| e.with_parts(&mut |_| Expr::bool(true));
            x.len() == y.len()
                && !x.is_empty()
                && blank(a) == blank(b)
                && parts
                    .into_iter()
                    .all(|(a, b)| differences(a, b, None, found))
        }
    }
}

/// A claim such that every run that breaks it breaks the original claim for all times, if there is one.
pub(crate) fn limit_claim(first: &Machine, second: &Machine) -> Option<Property> {
    let claimed = |claim: Formula| {
        Some(Property {
            kind: PropertyKind::Claim(claim),
            ..first.properties[0].clone()
        })
    };
    let state = |condition: Expr| Box::new(Formula::State(condition));
    let (a, b) = (condition(first)?, condition(second)?);
    if let [response] = &first.responses[..]
        && required_responses(&a).is_some()
    {
        let claim = Formula::LeadsTo(state(response.from.clone()), state(response.to.clone()));
        let mut property = claimed(claim)?;
        property.scope = response.scope.clone();
        return Some(property);
    }
    if !first.responses.is_empty() {
        return None; // a run that breaks one of several responses for a time need not break it for all times
    }
    let always = Formula::Always(state(in_the_limit(&a, &b)));
    claimed(Formula::Eventually(Box::new(always)))
}

/// The value of the condition when `now` is later than the times in which two conditions differ.
fn in_the_limit(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Expr::Now(op, _), _) => {
            Expr::bool(matches!(op, BinaryOp::Ge | BinaryOp::Gt | BinaryOp::Ne))
        }
        _ => {
            let mut others = b.children().into_iter();
            a.with_parts(&mut |part| {
                in_the_limit(
                    part,
                    others.next().expect("the conditions have the same shape"),
                )
            })
        }
    }
}

#[cfg(test)]
#[path = "monotone_tests.rs"]
mod tests;
