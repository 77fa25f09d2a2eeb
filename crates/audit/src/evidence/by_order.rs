//! The rule for ever, gone through again: which questions it asks of which Machines, and that each has no answer.

use super::refute::{Refuted, refute};
use super::silence::{Silence, silence};
use crate::{Rejected, reject};
use machine::{Abstraction, Expr, Machine, Property, PropertyKind};
use order::{Claim, Filled, Scope, Start};
use sat::{Backend, Certified, Outcome, Sink, Solver, Tseitin};
use verdict::{Never, OrderPart, OrderProof};

/// What was checked of a proof by the order of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderChecked {
    /// Neither code nor claim is ever an error.
    pub no_error: Refuted,
    /// By part of the claim.
    pub parts: Vec<PartChecked>,
}

/// What was checked of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartChecked {
    /// The part: a claim of its own.
    pub property: Property,
    /// The greatest number with which it compares a count of activations.
    pub reach: u32,
    /// So many activations do not count.
    pub spare: u32,
    /// Neither code nor part is ever an error.
    pub no_error: Refuted,
    /// Nobody finds nothing from a node that can send, if that was used.
    pub filled: Option<(Refuted, Silence)>,
    /// It is not broken, from any moment of a run.
    pub for_ever: Vec<Refuted>,
}

/// More activations to spare are not looked at.
const MOST_SPARE: u32 = 100;

/// Checks a proof that the only claim of a Machine holds.
pub(super) fn check(
    machine: &Machine,
    proof: &OrderProof,
    backend: Backend,
) -> Result<OrderChecked, Rejected> {
    if machine.abstraction != Abstraction::Exact {
        return reject("the order of events speaks of runs with times");
    }
    // Times are said by the rhythms; the abstraction is the one on which runs have none of their own.
    let untimed = Machine {
        abstraction: Abstraction::Order(Vec::new(), Vec::new()),
        ..machine.clone()
    };
    let shrunk = passes::shrink(&untimed).machine;
    let no_error = with_claim(&shrunk, &mut |scope, claim| {
        begins(scope)?;
        let mut look = order::some_error(scope, claim).map_err(refused)?;
        refute(&mut look, &proof.no_error, backend)
    })?;
    // That a claim may be cut into parts rests on errors being impossible.
    let properties = passes::parts(&untimed);
    if properties.len() != proof.parts.len() {
        return reject(format!(
            "the claim has {} parts, and it speaks of {}",
            properties.len(),
            proof.parts.len()
        ));
    }
    let mut parts = Vec::new();
    for (property, part) in properties.into_iter().zip(&proof.parts) {
        parts.push(one_part(&untimed, property, part, backend)?);
    }
    Ok(OrderChecked { no_error, parts })
}

/// A run can begin, and no first value or restriction is an error.
fn begins(scope: &Scope<'_>) -> Result<(), Rejected> {
    let unrolled = order::some_beginning(scope).map_err(refused)?.unrolled;
    let (mut solver, mut tseitin) = (Certified::new(), Tseitin::new());
    for condition in &unrolled.conditions {
        let literal = tseitin.literal(&unrolled.aig, *condition, &mut solver);
        solver.clause(&[literal]);
    }
    match solver.solve(&[], &mut || false) {
        Outcome::Satisfiable => Ok(()),
        _ => reject("no run begins"),
    }
}

fn one_part(
    untimed: &Machine,
    property: Property,
    part: &OrderPart,
    backend: Backend,
) -> Result<PartChecked, Rejected> {
    if part.spare > MOST_SPARE {
        return reject("more activations to spare than anybody looks at");
    }
    let alone = Machine {
        properties: vec![property.clone()],
        ..untimed.clone()
    };
    let shrunk = passes::shrink(&alone).machine;
    with_claim(&shrunk, &mut |scope, claim| {
        let reach = order::reach(scope, claim).map_err(refused)?;
        let mut look = order::some_error(scope, claim).map_err(refused)?;
        let no_error = refute(&mut look, &part.no_error, backend)?;
        let filled = match &part.filled {
            None => None,
            Some(never) => Some(no_gaps(scope, never, backend)?),
        };
        let known = match filled {
            Some(_) => Filled::Always,
            None => Filled::Perhaps,
        };
        let cases = order::cases(scope, Start::Anywhere);
        if cases.len() != part.for_ever.len() {
            return reject("it tells other cases apart than there are");
        }
        let mut for_ever = Vec::new();
        for (case, never) in cases.iter().zip(&part.for_ever) {
            let look = order::from_anywhere(scope, claim, known, case, part.spare);
            for_ever.push(refute(&mut look.map_err(refused)?, never, backend)?);
        }
        Ok(PartChecked {
            property: property.clone(),
            reach,
            spare: part.spare,
            no_error,
            filled,
            for_ever,
        })
    })
}

/// That whoever looks finds something from everybody who can send.
fn no_gaps(
    scope: &Scope<'_>,
    never: &Never,
    backend: Backend,
) -> Result<(Refuted, Silence), Rejected> {
    match order::gaps_in_inboxes(scope).map_err(refused)? {
        Some(mut look) => {
            let refuted = refute(&mut look, never, backend)?;
            Ok((refuted, silence(scope, &mut look)?))
        }
        None => reject("that inboxes are never empty follows from nothing"),
    }
}

/// Does something with the condition of the only claim of a Machine.
fn with_claim<T>(
    machine: &Machine,
    then: &mut dyn FnMut(&Scope<'_>, &Claim<'_>) -> Result<T, Rejected>,
) -> Result<T, Rejected> {
    let [property] = &machine.properties[..] else {
        return reject("evidence is about one claim");
    };
    let condition: Option<Expr> = match &property.kind {
        PropertyKind::Claim(formula) => formula.invariant(),
        PropertyKind::Possible(_) => None,
    };
    let Some(condition) = condition else {
        return reject("the order of events speaks of claims about every state");
    };
    let scope = Scope::of(machine)
        .map_err(|why| Rejected(format!("the order of events does not speak of {why}")))?;
    let claim = Claim {
        scope: &property.scope,
        condition: &condition,
    };
    then(&scope, &claim)
}

/// Why `order` does not put a question. It says what it does not speak of.
fn refused(why: bits::Unsupported) -> Rejected {
    Rejected(format!("the order of events does not speak of {}", why.0))
}
