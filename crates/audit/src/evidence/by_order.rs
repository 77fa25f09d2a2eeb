//! Checks a proof by the order of events: every query of the proof rule is built again and refuted.

use super::horizon::Horizons;
use super::refute::{Refuted, refute};
use super::silence::{Silence, silence};
use crate::rejected::{Rejected, reject};
use machine::{Abstraction, Expr, Machine, Property, PropertyKind};
use order::{Claim, Filled, Scope, Start};
use sat::{Backend, Certified, Outcome, Sink, Solver, Tseitin};
use verdict::{Never, OrderPart, OrderProof};

/// Statistics of a checked proof by the order of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderChecked {
    /// The refutation of the error query for the whole claim.
    pub no_error: Refuted,
    /// By conjunct of the claim: its check.
    pub parts: Vec<PartChecked>,
}

/// Statistics of the check of a conjunct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartChecked {
    /// The conjunct, as a claim of its own.
    pub property: Property,
    /// The number of activations from which on the conjunct no longer depends on counts.
    pub reach: u32,
    /// The slack: the number of first activations after an arbitrary start that are not counted.
    pub spare: u32,
    /// The refutation of the error query for the conjunct.
    pub no_error: Refuted,
    /// The refutation of the empty-inbox query, if the proof uses that every read finds a message of every node that
    /// can send.
    pub filled: Option<(Refuted, Silence)>,
    /// By case: the refutation of the step query. Together they show that the conjunct is never violated after an
    /// arbitrary state of a run.
    pub for_ever: Vec<Refuted>,
}

/// The largest number of spare activations that is accepted.
const MAX_SPARE: u32 = 100;

/// Checks that a proof establishes the only claim of a Machine.
pub(super) fn check(
    machine: &Machine,
    proof: &OrderProof,
    backend: Backend,
) -> Result<OrderChecked, Rejected> {
    if machine.abstraction != Abstraction::Exact {
        return reject("the order of events speaks of runs with times");
    }
    // Declared times enter the queries as constraints, so the states need no clocks: the Machine without times
    // suffices.
    let untimed = Machine {
        abstraction: Abstraction::Order(Vec::new(), Vec::new()),
        ..machine.clone()
    };
    let shrunk = passes::shrink(&untimed).machine;
    let no_error = with_claim(&shrunk, &mut |scope, claim| {
        some_run_starts(scope)?;
        let mut query = order::error_query(scope, claim).map_err(refused)?;
        refute(
            &mut query,
            &mut Horizons::of(scope.machine)?,
            &proof.no_error,
            backend,
        )
    })?;
    // Checking the conjuncts separately is valid because errors have been excluded.
    let properties = passes::conjuncts(&untimed);
    if properties.len() != proof.parts.len() {
        return reject(format!(
            "the claim has {} parts, and it speaks of {}",
            properties.len(),
            proof.parts.len()
        ));
    }
    let mut parts = Vec::new();
    for (property, part) in properties.into_iter().zip(&proof.parts) {
        parts.push(check_conjunct(&untimed, property, part, backend)?);
    }
    Ok(OrderChecked { no_error, parts })
}

/// Checks that there is an initial state, and that no initial value or restriction of initial states is an error.
fn some_run_starts(scope: &Scope<'_>) -> Result<(), Rejected> {
    let unrolled = order::initial_query(scope).map_err(refused)?.unrolled;
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

fn check_conjunct(
    untimed: &Machine,
    property: Property,
    part: &OrderPart,
    backend: Backend,
) -> Result<PartChecked, Rejected> {
    if part.spare > MAX_SPARE {
        return reject("more activations to spare than a proof may have");
    }
    let alone = Machine {
        properties: vec![property.clone()],
        ..untimed.clone()
    };
    let shrunk = passes::shrink(&alone).machine;
    with_claim(&shrunk, &mut |scope, claim| {
        let reach = order::reach(scope, claim).map_err(refused)?;
        let mut query = order::error_query(scope, claim).map_err(refused)?;
        let mut horizons = Horizons::of(scope.machine)?;
        let no_error = refute(&mut query, &mut horizons, &part.no_error, backend)?;
        let filled = match &part.filled {
            None => None,
            Some(never) => Some(no_gaps(scope, &mut horizons, never, backend)?),
        };
        let known = match filled {
            Some(_) => Filled::Always,
            None => Filled::Perhaps,
        };
        let cases = order::cases(scope, Start::Arbitrary);
        if cases.len() != part.for_ever.len() {
            return reject("it tells other cases apart than there are");
        }
        let mut for_ever = Vec::new();
        for (case, never) in cases.iter().zip(&part.for_ever) {
            let query = order::step_query(scope, claim, known, case, part.spare);
            for_ever.push(refute(
                &mut query.map_err(refused)?,
                &mut horizons,
                never,
                backend,
            )?);
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

/// Refutes the empty-inbox query. So every read finds a message of every node that can send.
fn no_gaps(
    scope: &Scope<'_>,
    horizons: &mut Horizons<'_>,
    never: &Never,
    backend: Backend,
) -> Result<(Refuted, Silence), Rejected> {
    match order::empty_inbox_query(scope).map_err(refused)? {
        Some(mut query) => {
            horizons.check_gaps(&query)?;
            let refuted = refute(&mut query, horizons, never, backend)?;
            Ok((refuted, silence(scope, &mut query)?))
        }
        None => reject("that inboxes are never empty follows from nothing"),
    }
}

/// Calls `then` with the only claim of a Machine, which must be an invariant. Rejects other Machines.
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

/// The rejection if the crate `order` refuses a construct.
fn refused(why: bits::Unsupported) -> Rejected {
    Rejected(format!(
        "the order of events does not speak of {}",
        why.what
    ))
}
