//! Whether a claim is monotone in a time: what a larger time makes of it, and what it says in the end.

use digitisation::required_responses;
use machine::{BinaryOp, Expr, Formula, Machine, Property, PropertyKind, Quantifier, UnaryOp};
use rational::Rational;

/// What a larger time makes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Larger {
    Weaker,
    Stronger,
}

/// What a larger time makes of the claim of a Machine; the second Machine is the one for a time so much larger.
pub(crate) fn larger(first: &Machine, second: &Machine, by: &Rational) -> Result<Larger, String> {
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
    let mut followed = false;
    for (a, b) in first.responses.iter().zip(&second.responses) {
        if (&a.from, &a.to) != (&b.from, &b.to) {
            return Err(elsewhere.into());
        }
        if a.within != b.within {
            followed = true;
            found.push((Some(Larger::Weaker), &b.within - &a.within));
        }
    }
    if !places(&a, &b, Some(true), &mut found) {
        return Err(elsewhere.into());
    }
    if followed && a != b {
        return Err(
            "the time stands both behind `within` and behind a comparison with `now`".into(),
        );
    }
    if found.iter().any(|(_, difference)| difference != by) {
        return Err("the time is multiplied, divided or subtracted where it is compared".into());
    }
    match found.first() {
        None => Err("the claim does not depend on the time".into()),
        Some((Some(larger), _)) if found.iter().all(|(l, _)| *l == Some(*larger)) => Ok(*larger),
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

/// Where two conditions differ in a time that `now` is compared with: what a larger one makes of the whole, and by how
/// much they differ. Whether they differ in nothing else. `positive`: the whole is truer the more is true here.
fn places(
    a: &Expr,
    b: &Expr,
    positive: Option<bool>,
    found: &mut Vec<(Option<Larger>, Rational)>,
) -> bool {
    use BinaryOp::*;
    match (a.bare(), b.bare()) {
        (a, b) if a == b => true,
        (Expr::Now(p, x), Expr::Now(q, y)) if p == q => {
            let truer = match p {
                Le | Lt => Some(true),
                Ge | Gt => Some(false),
                _ => None,
            };
            let weaker = truer
                .zip(positive)
                .map(|(truer, positive)| truer == positive);
            let larger = weaker.map(|weaker| {
                if weaker {
                    Larger::Weaker
                } else {
                    Larger::Stronger
                }
            });
            found.push((larger, y - x));
            true
        }
        (Expr::Unary(UnaryOp::Not, a), Expr::Unary(UnaryOp::Not, b)) => {
            places(a, b, positive.map(|p| !p), found)
        }
        (Expr::Binary(p @ (And | Or), a, c), Expr::Binary(q, b, d)) if p == q => {
            places(a, b, positive, found) && places(c, d, positive, found)
        }
        (Expr::Binary(Implies, a, c), Expr::Binary(Implies, b, d)) => {
            places(a, b, positive.map(|p| !p), found) && places(c, d, positive, found)
        }
        (Expr::Quantified(p, j, c, a), Expr::Quantified(q, k, d, b))
            if (p, j, c) == (q, k, d) && matches!(p, Quantifier::All | Quantifier::Exists) =>
        {
            places(a, b, positive, found)
        }
        (a, b) => {
            let (x, y) = (a.children(), b.children());
            let parts: Vec<(&Expr, &Expr)> = x.iter().copied().zip(y.iter().copied()).collect();
            let blank = |e: &Expr| e.with_parts(&mut |_| Expr::bool(true));
            x.len() == y.len()
                && !x.is_empty()
                && blank(a) == blank(b)
                && parts.into_iter().all(|(a, b)| places(a, b, None, found))
        }
    }
}

/// The claim of which every run that breaks it breaks the claims for all times; nothing if there is none.
pub(crate) fn in_the_end(first: &Machine, second: &Machine) -> Option<Property> {
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
        return None; // several that must follow: what breaks one for a time need not break it for all
    }
    let always = Formula::Always(state(at_last(&a, &b)));
    claimed(Formula::Eventually(Box::new(always)))
}

/// The condition where `now` is behind the times in which two conditions differ.
fn at_last(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Expr::Now(op, _), _) => {
            Expr::bool(matches!(op, BinaryOp::Ge | BinaryOp::Gt | BinaryOp::Ne))
        }
        _ => {
            let mut others = b.children().into_iter();
            a.with_parts(&mut |part| at_last(part, others.next().expect("of the same shape")))
        }
    }
}

#[cfg(test)]
#[path = "monotone_tests.rs"]
mod tests;
