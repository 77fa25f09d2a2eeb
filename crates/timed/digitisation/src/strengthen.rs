//! Strengthening: rounds the times of a property to multiples of a unit, such that a proof of the rounded property also
//! proves the original.
//!
//! A claim becomes stronger: each constant that `now` is compared with, and each deadline of a response, is rounded in
//! the direction in which the claim is true less often. A condition of `possible` becomes weaker. If the evaluation of
//! the condition may be an error, nothing is rounded: `and`, `or` and `implies` skip an operand depending on the other
//! one, so rounding could hide the error.

use machine::{
    BinaryOp, Expr, Formula, Machine, PropertyKind, Quantifier, Response, UnaryOp, may_fail,
};
use rational::Rational;

/// The Machine with its only property strengthened. It is unchanged if all times in the property are multiples of the
/// unit. `None` if some time can be rounded in neither direction, if a rounded condition may be an error, or if rounding
/// would hide that the claim may hold vacuously.
pub(crate) fn strengthened(machine: &Machine, unit: &Rational) -> Option<Machine> {
    let [property] = &machine.properties[..] else {
        return None;
    };
    let (condition, positive) = match &property.kind {
        PropertyKind::Claim(claim) => (claim.invariant()?, true),
        PropertyKind::Possible(condition) => (condition.clone(), false),
    };
    let mut rounding = Rounding {
        unit,
        responses: &machine.responses,
        within: vec![None; machine.responses.len()],
        changed: false,
    };
    let rounded = rounding.expr(&condition, Some(positive))?;
    if !rounding.changed {
        return Some(machine.clone());
    }
    if may_fail(machine, &condition, &[]) {
        return None;
    }
    let mut strengthened = machine.clone();
    for (response, within) in strengthened.responses.iter_mut().zip(rounding.within) {
        response.within = within.unwrap_or(response.within.clone());
    }
    let kind = match &property.kind {
        PropertyKind::Possible(_) => PropertyKind::Possible(rounded),
        PropertyKind::Claim(claim) => {
            let always = Formula::Always(Box::new(Formula::State(rounded)));
            if claim.premise().is_some() != always.premise().is_some() {
                return None; // vacuity of the original claim would not be noticed
            }
            PropertyKind::Claim(always)
        }
    };
    strengthened.properties[0].kind = kind;
    Some(strengthened)
}

/// The state of the rounding of one property.
struct Rounding<'a> {
    unit: &'a Rational,
    responses: &'a [Response],
    /// For each response its rounded deadline; `None` if the property does not mention it.
    within: Vec<Option<Rational>>,
    changed: bool,
}

impl Rounding<'_> {
    /// The time rounded up (true) or down (false) to a multiple of the unit. `None` if it is no multiple and neither
    /// direction is sound.
    fn time(&mut self, time: &Rational, up: Option<bool>) -> Option<Rational> {
        let count = time / self.unit;
        if count.is_integer() {
            return Some(time.clone());
        }
        self.changed = true;
        let count = if up? { count.ceil() } else { count.floor() };
        Some(count * self.unit)
    }

    /// The rounded condition. It is true less often if `positive` is true, and more often if it is false. `None` if a
    /// time would have to be rounded and no direction is sound.
    fn expr(&mut self, e: &Expr, positive: Option<bool>) -> Option<Expr> {
        use BinaryOp::*;
        let not = positive.map(|positive| !positive);
        Some(match e {
            Expr::At(origin, inner) => Expr::At(*origin, Box::new(self.expr(inner, positive)?)),
            Expr::Now(op, time) => {
                let up = match op {
                    Ge | Gt => positive,
                    Le | Lt => not,
                    _ => None,
                };
                Expr::Now(*op, self.time(time, up)?)
            }
            // A response with a longer deadline is overdue less often.
            Expr::Overdue(response) => {
                let within = self.time(&self.responses[response.index()].within, positive)?;
                let kept = &mut self.within[response.index()];
                if kept.as_ref().is_some_and(|kept| *kept != within) {
                    return None;
                }
                *kept = Some(within);
                e.clone()
            }
            Expr::Unary(UnaryOp::Not, inner) => {
                Expr::Unary(UnaryOp::Not, Box::new(self.expr(inner, not)?))
            }
            Expr::Binary(op @ (And | Or), a, b) => {
                self.expr(a, positive)?.binary(*op, self.expr(b, positive)?)
            }
            Expr::Binary(Implies, a, b) => {
                self.expr(a, not)?.binary(Implies, self.expr(b, positive)?)
            }
            Expr::Quantified(q @ (Quantifier::All | Quantifier::Exists), local, domain, body) => {
                let domain = Box::new(self.expr(domain, None)?);
                Expr::Quantified(*q, *local, domain, Box::new(self.expr(body, positive)?))
            }
            _ => {
                let mut found = true;
                let same = e.with_parts(&mut |part| {
                    self.expr(part, None).unwrap_or_else(|| {
                        found = false;
                        part.clone()
                    })
                });
                found.then_some(same)?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    //! Tests of the direction of rounding.

    use super::*;

    fn rounded(question: &str) -> Option<Machine> {
        let text = format!("(kind P 1) (var P a bool (is true)) {question}");
        let machine = machine::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        strengthened(&machine, &Rational::from(10))
    }

    fn parsed(question: &str) -> Option<Machine> {
        let text = format!("(kind P 1) (var P a bool (is true)) {question}");
        Some(machine::parse(&text).expect("a machine"))
    }

    const A: &str = "(var a (node 1))";

    #[test]
    fn a_claim_becomes_stronger() {
        let claim = |e: &str| format!("(claim c (always (state {e})))");
        let becomes = |before: &str, after: &str| {
            assert_eq!(rounded(&claim(before)), parsed(&claim(after)), "{before}");
        };
        becomes("(now >= 11)", "(now >= 20)");
        becomes("(now <= 11)", "(now <= 10)");
        becomes("(not (now < 11))", "(not (now < 20))");
        becomes(
            &format!("(implies (and {A} (now > 11)) (now < 29))"),
            &format!("(implies (and {A} (now > 10)) (now < 20))"),
        );
        becomes("(now = 20)", "(now = 20)");
        assert_eq!(rounded(&claim("(now = 11)")), None);
        assert_eq!(rounded(&claim("(= (now >= 11) true)")), None);
    }

    #[test]
    fn a_condition_to_reach_becomes_weaker() {
        let becomes = |before: &str, after: &str| {
            let possible = |e: &str| format!("(possible c {e})");
            assert_eq!(rounded(&possible(before)), parsed(&possible(after)));
        };
        becomes("(now >= 11)", "(now >= 10)");
        becomes("(not (now > 11))", "(not (now > 20))");
    }

    #[test]
    fn deadlines_of_responses_become_shorter() {
        let question = |within: u32, claim: &str| {
            format!("(response {A} {A} {within}) (claim c (always (state {claim})))")
        };
        let late = "(not (overdue 0))";
        assert_eq!(rounded(&question(19, late)), parsed(&question(10, late)));
        let odd = "(or (overdue 0) (not (overdue 0)))";
        assert_eq!(rounded(&question(19, odd)), None);
    }
}
