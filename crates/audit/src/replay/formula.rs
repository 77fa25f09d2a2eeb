//! Evaluates a claim on a run, directly from the semantics of its operators.

use crate::replay::moments::moments;
use crate::replay::replayed::Replayed;
use machine::{Expr, Formula, Instance, LocalId, Property, PropertyKind, RunError, State, Value};
use std::cell::RefCell;
use verdict::{Ending, Run};

/// Whether a claim holds on a run that loops or ends in a final state. `bound` holds the values of free local names.
pub fn holds_on(
    instance: Instance<'_>,
    claim: &Formula,
    bound: &[(LocalId, Value)],
    replayed: &Replayed,
    run: &Run,
) -> Result<bool, RunError> {
    let values = values_on(instance, claim, bound, replayed, run)?;
    Ok(values[0])
}

/// The value of a formula at each moment of a run that loops or ends in a final state.
pub(crate) fn values_on(
    instance: Instance<'_>,
    claim: &Formula,
    bound: &[(LocalId, Value)],
    replayed: &Replayed,
    run: &Run,
) -> Result<Vec<bool>, RunError> {
    let mut atoms = Atoms {
        bound: bound.to_vec(),
        ..Atoms::default()
    };
    let formula = atoms.collect(instance, claim, &replayed.states[0])?;
    let (states, from) = moments(instance, claim, replayed, run);
    let length = match run.ending {
        // The last state equals the state at which the loop begins.
        Ending::Loops(_) => states.len() - 1,
        _ => states.len(),
    };
    let error = RefCell::new(None);
    let values = ltl::values_on_lasso(&formula, length, from, |atom, position| {
        let (condition, bound) = &atoms.conditions[atom as usize];
        match instance.holds(&states[position], condition, bound) {
            Ok(value) => value,
            Err(found) => {
                error.borrow_mut().get_or_insert(found);
                false
            }
        }
    });
    match error.into_inner() {
        None => Ok(values),
        Some(error) => Err(error),
    }
}

/// Whether a conjunct of a claim is an invariant that is false in this state, so that no continuation of the run
/// satisfies the claim.
pub(crate) fn is_broken_for_good(instance: Instance<'_>, claim: &Formula, state: &State) -> bool {
    match (claim.invariant(), claim.bare()) {
        (Some(condition), _) => instance.holds(state, &condition, &[]) == Ok(false),
        (None, Formula::And(a, b)) => {
            is_broken_for_good(instance, a, state) || is_broken_for_good(instance, b, state)
        }
        _ => false,
    }
}

/// The error of the first condition of a property whose evaluation is an error in a state; `None` if there is none.
pub fn no_value(instance: Instance<'_>, property: &Property, state: &State) -> Option<RunError> {
    let claim = match &property.kind {
        PropertyKind::Possible(condition) => return instance.holds(state, condition, &[]).err(),
        PropertyKind::Claim(claim) => claim,
    };
    if let Some(condition) = claim.invariant() {
        return instance.holds(state, &condition, &[]).err();
    }
    let mut atoms = Atoms::default();
    if let Err(error) = atoms.collect(instance, claim, state) {
        return Some(error);
    }
    let mut conditions = atoms.conditions.iter();
    conditions.find_map(|(condition, bound)| instance.holds(state, condition, bound).err())
}

/// The conditions of a claim, each with the values of the quantified names around it.
#[derive(Default)]
struct Atoms {
    conditions: Vec<(Expr, Vec<(LocalId, Value)>)>,
    bound: Vec<(LocalId, Value)>,
}

impl Atoms {
    fn collect(
        &mut self,
        instance: Instance<'_>,
        claim: &Formula,
        state: &State,
    ) -> Result<ltl::Formula, RunError> {
        use ltl::Formula as L;
        // A subformula without temporal operators is a single condition, evaluated with the short-circuit rules of
        // expressions.
        if let Some(condition) = claim.condition() {
            self.conditions.push((condition, self.bound.clone()));
            return Ok(L::Atom(self.conditions.len() as u32 - 1));
        }
        let mut inner = |f: &Formula| self.collect(instance, f, state);
        Ok(match claim {
            Formula::At(_, a) => inner(a)?,
            Formula::State(_) => unreachable!("a condition"),
            Formula::Not(a) => L::not(inner(a)?),
            Formula::And(a, b) => L::And(vec![inner(a)?, inner(b)?]),
            Formula::Or(a, b) => L::Or(vec![inner(a)?, inner(b)?]),
            Formula::Implies(a, b) => L::implies(inner(a)?, inner(b)?),
            Formula::Always(a) => L::always(inner(a)?),
            Formula::Eventually(a) => L::eventually(inner(a)?),
            Formula::Until(a, b) => L::until(inner(a)?, inner(b)?),
            Formula::LeadsTo(a, b) => L::always(L::implies(inner(a)?, L::eventually(inner(b)?))),
            Formula::All(local, domain, a) => {
                L::And(self.instances(instance, *local, domain, a, state)?)
            }
            Formula::Exists(local, domain, a) => {
                L::Or(self.instances(instance, *local, domain, a, state)?)
            }
        })
    }

    fn instances(
        &mut self,
        instance: Instance<'_>,
        local: LocalId,
        domain: &Expr,
        body: &Formula,
        state: &State,
    ) -> Result<Vec<ltl::Formula>, RunError> {
        let domain = instance.value(state, domain, &self.bound)?;
        let mut formulas = Vec::new();
        for element in domain.as_set() {
            self.bound.push((local, element.clone()));
            let formula = self.collect(instance, body, state);
            self.bound.pop();
            formulas.push(formula?);
        }
        Ok(formulas)
    }
}
