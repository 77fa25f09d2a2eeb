//! Forms of a formula: invariant, condition on single states, premise of an implication.

use crate::{BinaryOp, Expr, Formula, Quantifier, ResponseId, UnaryOp};

impl Formula {
    /// The condition p if the formula is equivalent to `always p`, otherwise `None`.
    pub fn invariant(&self) -> Option<Expr> {
        match self {
            Formula::At(_, inner) => inner.invariant(),
            Formula::Always(inner) => inner.condition(),
            Formula::And(a, b) => Some(a.invariant()?.binary(BinaryOp::And, b.invariant()?)),
            Formula::All(local, domain, inner) => Some(Expr::Quantified(
                Quantifier::All,
                *local,
                Box::new(domain.clone()),
                Box::new(inner.invariant()?),
            )),
            _ => None,
        }
    }

    /// The invariant with its only comparison `now <= T` or `now < T` replaced by `false`. `None` if the formula is not
    /// an invariant with exactly one comparison of the time, or if the replacement could weaken the condition. In a
    /// state that violates the result, the formula holds only if the time bound is still met.
    pub fn without_bound(&self) -> Option<Expr> {
        let condition = self.invariant()?;
        let mut bounds = 0;
        condition.walk(&mut |e| bounds += u32::from(matches!(e, Expr::Now(..))));
        let over = over(&condition)?;
        (bounds == 1).then_some(over)
    }

    /// The formula as a condition on one state; `None` if it has a temporal operator.
    pub fn condition(&self) -> Option<Expr> {
        let both = |op, a: &Formula, b: &Formula| Some(a.condition()?.binary(op, b.condition()?));
        let quantified = |q, local: &_, domain: &Expr, inner: &Formula| {
            let body = Box::new(inner.condition()?);
            Some(Expr::Quantified(q, *local, Box::new(domain.clone()), body))
        };
        match self {
            Formula::At(origin, inner) => Some(Expr::At(*origin, Box::new(inner.condition()?))),
            Formula::State(condition) => Some(condition.clone()),
            Formula::Not(inner) => Some(Expr::Unary(UnaryOp::Not, Box::new(inner.condition()?))),
            Formula::And(a, b) => both(BinaryOp::And, a, b),
            Formula::Or(a, b) => both(BinaryOp::Or, a, b),
            Formula::Implies(a, b) => both(BinaryOp::Implies, a, b),
            Formula::All(local, domain, inner) => quantified(Quantifier::All, local, domain, inner),
            Formula::Exists(local, domain, inner) => {
                quantified(Quantifier::Exists, local, domain, inner)
            }
            Formula::Always(_)
            | Formula::Eventually(_)
            | Formula::Until(..)
            | Formula::LeadsTo(..) => None,
        }
    }

    /// The premise p of `always (p implies q)` and of `p leads to q`, also below `all`; `None` for other formulas. If
    /// no reachable state satisfies the premise, the property holds vacuously.
    pub fn premise(&self) -> Option<Expr> {
        match self {
            Formula::At(_, inner) => inner.premise(),
            Formula::Always(inner) => implied(inner),
            Formula::LeadsTo(premise, _) => premise.condition(),
            Formula::All(local, domain, inner) => Some(some_of(*local, domain, inner.premise()?)),
            _ => None,
        }
    }
}

impl Expr {
    /// The responses in a condition, if it is exactly a conjunction of "response r is not overdue"; else `None`.
    pub fn required_responses(&self) -> Option<Vec<ResponseId>> {
        match self.bare() {
            Expr::Unary(UnaryOp::Not, inner) => match inner.bare() {
                Expr::Overdue(response) => Some(vec![*response]),
                _ => None,
            },
            Expr::Binary(BinaryOp::And, a, b) => {
                Some([a.required_responses()?, b.required_responses()?].concat())
            }
            _ => None,
        }
    }
}

/// The condition with each `now <= T` and `now < T` replaced by `false`. `None` if a comparison of the time has another
/// operator or is at a place where the replacement could weaken the condition, such as below a negation.
fn over(condition: &Expr) -> Option<Expr> {
    let timed = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |e| found |= matches!(e, Expr::Now(..)));
        found
    };
    match condition {
        Expr::At(origin, inner) => Some(Expr::At(*origin, Box::new(over(inner)?))),
        Expr::Now(BinaryOp::Le | BinaryOp::Lt, _) => Some(Expr::bool(false)),
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let part = |e: &Expr| if timed(e) { over(e) } else { Some(e.clone()) };
            Some(part(a)?.binary(*op, part(b)?))
        }
        Expr::Binary(BinaryOp::Implies, a, b) if !timed(a) => {
            Some((**a).clone().binary(BinaryOp::Implies, over(b)?))
        }
        Expr::Quantified(q @ (Quantifier::All | Quantifier::Exists), local, domain, body)
            if !timed(domain) =>
        {
            let body = Box::new(over(body)?);
            Some(Expr::Quantified(*q, *local, domain.clone(), body))
        }
        _ => None,
    }
}

/// The premise of an implication, also below `all`; `None` for other formulas.
fn implied(formula: &Formula) -> Option<Expr> {
    match formula {
        Formula::At(_, inner) => implied(inner),
        Formula::Implies(premise, _) => premise.condition(),
        Formula::All(local, domain, inner) => Some(some_of(*local, domain, implied(inner)?)),
        Formula::State(condition) => implied_by(condition),
        _ => None,
    }
}

fn implied_by(condition: &Expr) -> Option<Expr> {
    match condition {
        Expr::At(_, inner) => implied_by(inner),
        Expr::Binary(BinaryOp::Implies, premise, _) => Some((**premise).clone()),
        Expr::Quantified(Quantifier::All, local, domain, body) => {
            Some(some_of(*local, domain, implied_by(body)?))
        }
        _ => None,
    }
}

fn some_of(local: crate::LocalId, domain: &Expr, body: Expr) -> Expr {
    Expr::Quantified(
        Quantifier::Exists,
        local,
        Box::new(domain.clone()),
        Box::new(body),
    )
}
