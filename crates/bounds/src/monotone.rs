//! Monotonicity of a claim in a time x: whether a larger x makes the claim weaker or stronger, and the limit of the
//! claim as x grows.

use machine::{BinaryOp, Expr, Formula, Machine, Property, PropertyKind, Quantifier, UnaryOp};
use rational::Rational;
use verdict::NotMonotone;

/// How a claim changes as its time grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Monotone {
    /// A larger time makes the claim weaker.
    Weaker,
    /// A larger time makes the claim stronger.
    Stronger,
}

/// The effect of a larger time on the claim of a Machine. The error says why the claim is not monotone in the time.
/// `first` and `second` are the Machines for two times; the time of `second` is that of `first` plus `by`.
pub(crate) fn monotone(
    first: &Machine,
    second: &Machine,
    by: &Rational,
) -> Result<Monotone, NotMonotone> {
    let rest = |machine: &Machine| Machine {
        properties: Vec::new(),
        responses: Vec::new(),
        ..machine.clone()
    };
    let (a, b) = match (condition(first), condition(second)) {
        (Some(a), Some(b)) => (a, b),
        _ => return Err(NotMonotone::WholeRuns),
    };
    if rest(first) != rest(second) || first.responses.len() != second.responses.len() {
        return Err(NotMonotone::Elsewhere);
    }
    let mut found = Vec::new();
    let mut in_response = false;
    for (a, b) in first.responses.iter().zip(&second.responses) {
        if (&a.from, &a.to) != (&b.from, &b.to) {
            return Err(NotMonotone::Elsewhere);
        }
        if a.within != b.within {
            in_response = true;
            found.push((Some(Monotone::Weaker), &b.within - &a.within));
        }
    }
    if !differences(&a, &b, Some(true), &mut found) {
        return Err(NotMonotone::Elsewhere);
    }
    if in_response && a != b {
        return Err(NotMonotone::BothForms);
    }
    if found.iter().any(|(_, difference)| difference != by) {
        return Err(NotMonotone::Arithmetic);
    }
    match found.first() {
        None => Err(NotMonotone::Independent),
        Some((Some(first), _)) if found.iter().all(|(effect, _)| *effect == Some(*first)) => {
            Ok(*first)
        }
        _ => Err(NotMonotone::Neither),
    }
}

/// The condition C, if the only property of the Machine is the claim `always C`.
pub(crate) fn condition(machine: &Machine) -> Option<Expr> {
    match &machine.properties[0].kind {
        PropertyKind::Claim(claim) => claim.invariant(),
        PropertyKind::Possible(_) => None,
    }
}

/// Collects the comparisons with `now` in which two conditions differ. Each entry has the effect of a larger time on
/// the whole condition (`None` if the condition is not monotone in it), and the difference of the two times. Returns
/// whether the conditions differ only in such comparisons. `positive` is the polarity of this subexpression in the
/// whole condition; `None` if it occurs in both polarities.
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

/// A claim such that every run that violates it violates the original claim for all times. `first` and `second` are the
/// Machines for two times. `None` if no such claim is known.
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
        && a.required_responses().is_some()
    {
        let claim = Formula::LeadsTo(state(response.from.clone()), state(response.to.clone()));
        let mut property = claimed(claim)?;
        property.scope = response.scope.clone();
        return Some(property);
    }
    if !first.responses.is_empty() {
        return None; // several responses, or one that is not required: no limit claim is known
    }
    let always = Formula::Always(state(in_the_limit(&a, &b)));
    claimed(Formula::Eventually(Box::new(always)))
}

/// The condition in the limit, for `now` later than all times x in which the two conditions differ. The comparisons
/// `>=`, `>` and `!=` of `now` with such an x are replaced by true, the others by false.
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
