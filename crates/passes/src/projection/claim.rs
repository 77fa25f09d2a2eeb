//! The number of nodes that a claim names, and the conditions of the projection on the claim and on restrictions.
//!
//! A violated claim has witnesses: nodes at which its quantifiers `all` are false. If a conjunction is false, the
//! witnesses of one false side are enough. If a disjunction is false, both sides are false, and each needs its own
//! witnesses.

use crate::projection::expressions::{Class, Within};
use crate::projection::{Checked, refuse};
use machine::{
    BinaryOp, Expr, Formula, Machine, Origin, Property, PropertyKind, Quantifier, Scope, may_fail,
    may_overflow,
};

/// Refuses restrictions of initial states that may be a runtime error, because the error may need more nodes than the
/// claim names.
pub(super) fn check_restrictions(machine: &Machine) -> Checked<()> {
    for restriction in &machine.initially {
        let (scope, condition) = (&restriction.scope, &restriction.condition);
        if may_fail(machine, condition, &[]) || may_overflow(machine, scope, condition) {
            let origin = match condition {
                Expr::At(origin, _) => Some(*origin),
                _ => None,
            };
            return refuse(
                "a restriction of initial states that may be an error",
                origin,
            );
        }
    }
    Ok(())
}

/// The number of nodes that a claim names.
pub(super) fn names(base: &Machine, property: &Property) -> Checked<u32> {
    for restriction in &base.initially {
        // A restriction that names nodes only by `all` remains true if nodes are removed.
        Claim::of(base, &restriction.scope).condition(&restriction.condition, None)?;
    }
    for response in &base.responses {
        let claim = Claim::of(base, &response.scope);
        claim.within.plain(&response.from, None)?;
        claim.within.plain(&response.to, None)?;
    }
    match &property.kind {
        PropertyKind::Claim(claim) => Claim::of(base, &property.scope).formula(claim, None),
        PropertyKind::Possible(_) => refuse("a question whether something is possible", None),
    }
}

struct Claim<'m> {
    within: Within<'m>,
}

impl<'m> Claim<'m> {
    fn of(machine: &'m Machine, scope: &'m Scope) -> Claim<'m> {
        Claim {
            within: Within {
                machine,
                scope,
                claim: true,
            },
        }
    }

    fn formula(&self, formula: &Formula, at: Option<Origin>) -> Checked<u32> {
        let of = |f: &Formula| self.formula(f, at);
        match formula {
            Formula::At(origin, inner) => self.formula(inner, Some(*origin)),
            Formula::State(condition) => self.condition(condition, at),
            Formula::And(a, b) => Ok(of(a)?.max(of(b)?)),
            Formula::Or(a, b) => Ok(of(a)? + of(b)?),
            Formula::Implies(a, b) => {
                self.unnamed(a, at)?;
                of(b)
            }
            Formula::Always(a) => of(a),
            Formula::Not(a) | Formula::Eventually(a) => {
                self.unnamed(a, at)?;
                Ok(0)
            }
            Formula::Until(a, b) | Formula::LeadsTo(a, b) => {
                self.unnamed(a, at)?;
                self.unnamed(b, at)?;
                Ok(0)
            }
            Formula::All(_, domain, body) => match self.within.value(domain, at)? {
                Class::Plain => of(body),
                _ => Ok(1 + of(body)?),
            },
            Formula::Exists(_, domain, body) => match self.within.value(domain, at)? {
                Class::Plain => self.unnamed(body, at).map(|()| 0),
                _ => refuse("`exists` over nodes", at),
            },
        }
    }

    /// Checks that a formula names no nodes by quantifiers of its own.
    fn unnamed(&self, formula: &Formula, at: Option<Origin>) -> Checked<()> {
        match self.formula(formula, at)? {
            0 => Ok(()),
            _ => refuse(
                "a quantifier over nodes where other nodes may be meant at other times or in the negation",
                at,
            ),
        }
    }

    fn condition(&self, e: &Expr, at: Option<Origin>) -> Checked<u32> {
        let of = |e: &Expr| self.condition(e, at);
        match e {
            Expr::At(origin, inner) => self.condition(inner, Some(*origin)),
            Expr::Binary(BinaryOp::And, a, b) => Ok(of(a)?.max(of(b)?)),
            Expr::Binary(BinaryOp::Or, a, b) => Ok(of(a)? + of(b)?),
            Expr::Binary(BinaryOp::Implies, a, b) => {
                self.within.plain(a, at)?;
                of(b)
            }
            Expr::If(condition, a, b) => {
                self.within.plain(condition, at)?;
                Ok(of(a)?.max(of(b)?))
            }
            Expr::Let(_, value, body) => {
                self.within.value(value, at)?;
                of(body)
            }
            Expr::Quantified(Quantifier::All, _, domain, body) => {
                match self.within.value(domain, at)? {
                    Class::Plain => of(body),
                    _ => Ok(1 + of(body)?),
                }
            }
            other => self.within.plain(other, at).map(|()| 0),
        }
    }
}
