//! Checks a proof about a circuit: an inductive invariant, a k-induction, or a bound on the length of runs. The Machine
//! is encoded again, and another solver answers the queries of the proof checker.
//!
//! Bad states are not only those that violate the claim. The proof must also exclude that an event ends in an error,
//! that the evaluation of the claim is an error, and that an event needs more message slots than the circuit has.
//!
//! Lemmas are proved one after the other, each using only earlier ones. So they hold in all reachable states and may be
//! assumed there.

use crate::rejected::{Rejected, reject};
use circuits::{Clause, Flaw, Proof, check_proof, encode, property};
use machine::Machine;
use machine::Property;
use sat::{Backend, Certified, Lit, Outcome, Solver, Tseitin};
use verdict::{Evidence, Invariant, Relying, claim_of};

/// Statistics of a checked proof about a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircuitChecked {
    /// The number of bits of the state.
    pub bits: usize,
    /// The number of clauses of the invariant, or of the strengthening of a k-induction.
    pub clauses: usize,
    /// The k of a k-induction, or the number of events that no run reaches.
    pub depth: Option<u32>,
    /// The lemmas, which were proved first.
    pub before: Vec<Property>,
}

/// The largest number of slots per channel or inbox that is encoded.
const MAX_ROOM: u32 = 256;

/// The largest number of gates, over all unrolled moments, that is built.
const MAX_GATES: u64 = 1 << 28;

/// Checks that the lemmas, each of which may use earlier ones, are proved, and that they and the evidence prove the
/// only property of a Machine.
pub(super) fn check_all(
    machine: &Machine,
    relying: &Relying,
    backend: Backend,
) -> Result<CircuitChecked, Rejected> {
    let mut before: Vec<Property> = Vec::new();
    for (place, proved) in relying.before.iter().enumerate() {
        let wrong = |why: &str| Rejected(format!("claim {} that it relies on: {why}", place + 1));
        let property = claim_of(machine, &proved.claim).map_err(|why| wrong(&why))?;
        let alone = Machine {
            properties: vec![property.clone()],
            ..machine.clone()
        };
        let lemmas = lemmas(&before, &proved.relies_on).map_err(|why| wrong(&why.0))?;
        check(&alone, &lemmas, &proved.evidence, backend).map_err(|why| wrong(&why.0))?;
        before.push(property);
    }
    let lemmas = lemmas(&before, &relying.relies_on)?;
    let checked = check(machine, &lemmas, &relying.evidence, backend)?;
    Ok(CircuitChecked { before, ..checked })
}

/// The lemmas with these numbers, counted from 1. An error if one of them is not proved yet.
fn lemmas(before: &[Property], numbers: &[u32]) -> Result<Vec<Property>, Rejected> {
    let property = |number: &u32| {
        let place = (*number as usize).checked_sub(1);
        let property = place.and_then(|place| before.get(place));
        property.cloned().ok_or_else(|| {
            Rejected(format!(
                "it relies on claim {number}, which is not proved before it"
            ))
        })
    };
    numbers.iter().map(property).collect()
}

/// Checks that evidence proves the only property of a Machine, given lemmas that hold in all reachable states.
pub(super) fn check(
    machine: &Machine,
    lemmas: &[Property],
    evidence: &Evidence,
    backend: Backend,
) -> Result<CircuitChecked, Rejected> {
    let (room, depth) = match evidence {
        Evidence::Invariant(invariant) => (invariant.room, None),
        Evidence::Induction(induction) => (induction.strengthening.room, Some(induction.k)),
        Evidence::Exhausted(exhausted) => (exhausted.room, Some(exhausted.events)),
        Evidence::Order(_)
        | Evidence::Relying(_)
        | Evidence::Projection(_)
        | Evidence::OneNode(_) => {
            return reject("evidence of another kind");
        }
    };
    if room > MAX_ROOM {
        return reject("room for more messages than anybody looks at");
    }
    let mut encoded =
        encode(machine, room as usize, backend.for_audit).map_err(|why| Rejected(why.what))?;
    let asked = property(&mut encoded, &machine.properties[0]);
    let asked = asked.map_err(|why| Rejected(why.what))?;
    let Some(asked) = asked else {
        return reject("a claim about more than single states is not proved like this");
    };
    some_run_starts(&encoded)?;
    let mut never_by_claims = Vec::new();
    for claim in lemmas {
        let asked = property(&mut encoded, claim).map_err(|why| Rejected(why.what))?;
        let Some(asked) = asked else {
            return reject("it relies on a claim about more than single states");
        };
        never_by_claims.extend([asked.sought, asked.no_value]);
    }
    encoded.rely_on(never_by_claims);
    let never = [
        asked.sought,
        asked.no_value,
        encoded.error,
        encoded.overflow,
    ];
    let circuit = encoded.with_bad(&never);
    let moments = u64::from(depth.unwrap_or(0)) + 1;
    if moments.saturating_mul(circuit.aig.len() as u64) > MAX_GATES {
        return reject("more moments than anybody looks at");
    }
    let bits: Vec<Lit> = circuit.latches.iter().map(|latch| latch.now).collect();
    let (proof, clauses) = match evidence {
        Evidence::Invariant(invariant) => {
            let clauses = decode_clauses(&bits, invariant)?;
            (Proof::Inductive(clauses), invariant.clauses.len())
        }
        Evidence::Induction(induction) => {
            let strengthened_by = decode_clauses(&bits, &induction.strengthening)?;
            let clauses = strengthened_by.len();
            let k = induction.k as usize;
            (Proof::KInductive { k, strengthened_by }, clauses)
        }
        Evidence::Exhausted(exhausted) => {
            let steps = exhausted.events as usize;
            (Proof::Exhaustive { steps }, 0)
        }
        Evidence::Order(_)
        | Evidence::Relying(_)
        | Evidence::Projection(_)
        | Evidence::OneNode(_) => {
            return reject("evidence of another kind");
        }
    };
    // The engines find invariants with batsat and the other proofs with the backend. So that no solver checks its own
    // answers, invariants are checked with the backend, and the other proofs with batsat, which certifies each answer.
    let checked = match proof {
        Proof::Inductive(_) => check_proof(circuit, &proof, &backend.for_audit),
        _ => check_proof(circuit, &proof, &|| Box::new(Certified::new())),
    };
    match checked {
        Ok(()) => Ok(CircuitChecked {
            bits: bits.len(),
            clauses,
            depth,
            before: Vec::new(),
        }),
        Err(flaw) => reject(describe(flaw)),
    }
}

/// Checks that there is an initial state, and that no initial value or restriction of initial states is an error.
fn some_run_starts(encoded: &circuits::Encoded<'_>) -> Result<(), Rejected> {
    let (mut solver, mut tseitin) = (Certified::new(), Tseitin::new());
    let mut ask = |lit: Lit| {
        let literal = tseitin.literal(&encoded.circuit.aig, lit, &mut solver);
        solver.solve(&[literal], &mut || false)
    };
    if ask(encoded.initial_error) != Outcome::Unsatisfiable {
        return reject("an initial value or restriction may have no value");
    }
    match ask(encoded.circuit.init) {
        Outcome::Satisfiable => Ok(()),
        _ => reject("no run begins"),
    }
}

/// The clauses of an invariant as literals of the bits of the state.
fn decode_clauses(bits: &[Lit], invariant: &Invariant) -> Result<Vec<Clause>, Rejected> {
    let literal = |number: &i32| {
        let place = (number.unsigned_abs() as usize).checked_sub(1);
        let bit = place.and_then(|place| bits.get(place));
        let Some(bit) = bit else {
            return reject(format!("the state has no bit {number}"));
        };
        Ok(if *number < 0 { !*bit } else { *bit })
    };
    let clauses = invariant.clauses.iter();
    clauses
        .map(|clause| clause.iter().map(literal).collect())
        .collect()
}

fn describe(flaw: Flaw) -> String {
    match flaw {
        Flaw::NotAboutStates => "it is not about bits of the state".into(),
        Flaw::NotInitial(place) => format!("clause {} is not true at first", place + 1),
        Flaw::NotKept(place) => {
            format!(
                "an event leads from all clauses to a state without clause {}",
                place + 1
            )
        }
        Flaw::AllowsBad => "it does not exclude that the claim is broken".into(),
        Flaw::BaseFails => "the claim is broken before the induction begins".into(),
        Flaw::StepFails => {
            "the claim can be broken after as many states as the induction takes".into()
        }
        Flaw::KnownIsNot => "bits of the state do not stay in their ranges".into(),
        Flaw::MovesAnyway => "the state changes where nothing happens".into(),
        Flaw::GoesOn => "there is a run with as many events as none should have".into(),
        Flaw::Open => "the solver gave up".into(),
    }
}
