//! Whether an invariant, an induction or runs that end prove a claim: the Machine is made a circuit again, and another solver is
//! asked what the proof leaves to ask.
//!
//! What must never happen is more than that the claim is broken: no event may end in an error, the claim must have a value,
//! and nobody may need more room for messages than the circuit has.
//!
//! Where claims are relied on, each is proved itself, one after the other, and relies on those before it only: then it holds in all
//! states that are reached, and may be taken for granted of them.

use crate::{Rejected, reject};
use circuits::{Clause, Flaw, Proof, check_proof, encode, property};
use machine::Machine;
use machine::Property;
use sat::{Backend, Certified, Lit, Outcome, Solver, Tseitin};
use verdict::{Evidence, Invariant, Relying, claim_of};

/// What was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircuitChecked {
    /// Bits of the state.
    pub bits: usize,
    /// Clauses of the invariant, or of what an induction is strengthened by.
    pub clauses: usize,
    /// How many states an induction looks back, or how many events no run has.
    pub depth: Option<u32>,
    /// Claims that were proved before, to rely on.
    pub before: Vec<Property>,
}

/// More room for messages is not made.
const MOST_ROOM: u32 = 256;

/// More gates than these, in all the moments that a proof speaks of, are not made.
const MOST_GATES: u64 = 1 << 28;

/// Whether claims, each of which may rely on those before it, and the evidence that relies on them prove the only property
/// of a Machine.
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
        let relied = relied(&before, &proved.relies_on).map_err(|why| wrong(&why.0))?;
        check(&alone, &relied, &proved.evidence, backend).map_err(|why| wrong(&why.0))?;
        before.push(property);
    }
    let relied = relied(&before, &relying.relies_on)?;
    let checked = check(machine, &relied, &relying.evidence, backend)?;
    Ok(CircuitChecked { before, ..checked })
}

/// The claims with these numbers, all of which are proved.
fn relied(before: &[Property], numbers: &[u32]) -> Result<Vec<Property>, Rejected> {
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

/// Whether evidence proves the only property of a Machine in which others hold.
pub(super) fn check(
    machine: &Machine,
    relied: &[Property],
    evidence: &Evidence,
    backend: Backend,
) -> Result<CircuitChecked, Rejected> {
    let (room, depth) = match evidence {
        Evidence::Invariant(invariant) => (invariant.room, None),
        Evidence::Induction(induction) => (induction.strengthening.room, Some(induction.k)),
        Evidence::Exhausted(exhausted) => (exhausted.room, Some(exhausted.events)),
        Evidence::Order(_) | Evidence::Relying(_) => return reject("evidence of another kind"),
    };
    if room > MOST_ROOM {
        return reject("room for more messages than anybody looks at");
    }
    let mut encoded =
        encode(machine, room as usize, backend.for_audit).map_err(|why| Rejected(why.0))?;
    let asked = property(&mut encoded, &machine.properties[0]);
    let asked = asked.map_err(|why| Rejected(why.0))?;
    let Some(asked) = asked else {
        return reject("a claim about more than single states is not proved like this");
    };
    begins(&encoded)?;
    let mut never_by_claims = Vec::new();
    for claim in relied {
        let asked = property(&mut encoded, claim).map_err(|why| Rejected(why.0))?;
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
    if moments.saturating_mul(circuit.aig.len() as u64) > MOST_GATES {
        return reject("more moments than anybody looks at");
    }
    let bits: Vec<Lit> = circuit.latches.iter().map(|latch| latch.now).collect();
    let (proof, clauses) = match evidence {
        Evidence::Invariant(invariant) => {
            let clauses = read(&bits, invariant)?;
            (Proof::Inductive(clauses), invariant.clauses.len())
        }
        Evidence::Induction(induction) => {
            let strengthened_by = read(&bits, &induction.strengthening)?;
            let clauses = strengthened_by.len();
            let k = induction.k as usize;
            (Proof::KInductive { k, strengthened_by }, clauses)
        }
        Evidence::Exhausted(exhausted) => {
            let steps = exhausted.events as usize;
            (Proof::Exhaustive { steps }, 0)
        }
        Evidence::Order(_) | Evidence::Relying(_) => return reject("evidence of another kind"),
    };
    // The engines find invariants by batsat, and the others by the backend. A solver that may have found the proof verifies its
    // own answers.
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
        Err(flaw) => reject(words(flaw)),
    }
}

/// There must be an initial state, and none without a value.
fn begins(encoded: &circuits::Encoded<'_>) -> Result<(), Rejected> {
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

/// The clauses of an invariant, as literals of bits of the state.
fn read(bits: &[Lit], invariant: &Invariant) -> Result<Vec<Clause>, Rejected> {
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

fn words(flaw: Flaw) -> String {
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
