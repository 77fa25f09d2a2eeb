//! The engine "order of events" for periodic nodes: a SAT solver with difference constraints on times.
//!
//! **Method.** Each periodic node is unrolled separately, and the order of two activations is a Boolean variable
//! (`order`). The SAT solver chooses orders together with ids, faults and initial values. A theory solver for
//! difference constraints rejects orders that have no times (lazy SMT, `lazy_smt.rs`). Periods that are fixed for a run
//! are checked by linear programming.
//!
//! **Answers.** A claim holds by the proof rule of `order`, or a run violates the claim, or the answer is unknown. The
//! caller concretises and replays the run.
//!
//! **Scope.** The engine accepts the Machines of `order::Scope`.

mod lazy_smt;
mod prove;
mod witness;

use crate::prove::{Proof, never_errs as claim_never_errs, prove, some_run_begins};
use machine::PropertyKind;
use order::{Claim, Scope};
use verdict::{
    Answer, Budget, Counts, Evidence, Findings, Never, OrderGap, OrderPart, OrderProof,
    PropertyResult, Question, Reason, Refusal, Report, TimeAbstraction,
};

/// The name of the method.
pub const METHOD: &str = "order of events";

/// Answers a question about a Machine with dense time. It considers exactly the orders of events that the declared
/// times allow. The events of a counterexample have no times, but times for them exist. The claim is not split into
/// conjuncts, so the evidence has one part.
pub fn run(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let machine = question.machine;
    let scope = Scope::of(machine).map_err(Refusal::Unsupported)?;
    let mut results: Vec<PropertyResult> = Vec::new();
    for property in &machine.properties {
        let (answer, part) = match &property.kind {
            PropertyKind::Claim(formula) => match formula.invariant() {
                Some(condition) => {
                    let claim = Claim {
                        scope: &property.scope,
                        condition: &condition,
                    };
                    answer(&scope, &claim, budget)?
                }
                None => (undecided(OrderGap::NotAnInvariant), None),
            },
            PropertyKind::Possible(_) => (undecided(OrderGap::NotAClaim), None),
        };
        let evidence = part.map(|part| {
            Evidence::Order(OrderProof {
                no_error: part.no_error.clone(),
                parts: vec![part],
            })
        });
        results.push(PropertyResult {
            evidence,
            ..answer.into()
        });
    }
    Ok(Report {
        results,
        ..nothing()
    })
}

fn undecided(gap: OrderGap) -> Answer {
    Answer::Unknown(Reason::EventOrder(gap))
}

/// A proof that neither the code nor the claim of a Machine with a single property can be an error. `None` if no proof
/// is found, if there is not exactly one property, if it is no invariant, or if no initial state is found.
pub fn never_errs(question: &Question<'_>, budget: &dyn Budget) -> Result<Option<Never>, Refusal> {
    let machine = question.machine;
    let scope = Scope::of(machine).map_err(Refusal::Unsupported)?;
    let [property] = &machine.properties[..] else {
        return Ok(None);
    };
    let condition = match &property.kind {
        PropertyKind::Claim(formula) => formula.invariant(),
        PropertyKind::Possible(_) => None,
    };
    let Some(condition) = condition else {
        return Ok(None);
    };
    let claim = Claim {
        scope: &property.scope,
        condition: &condition,
    };
    let refused = |why: bits::Unsupported| Refusal::Unsupported(why.what);
    // Without an initial state, every statement about errors is vacuous; the caller reports this.
    if !some_run_begins(&scope, budget).map_err(refused)? {
        return Ok(None);
    }
    let found = claim_never_errs(&scope, &claim, budget).map_err(refused)?;
    Ok(found.unwrap_or(None))
}

/// A report without answers.
pub fn nothing() -> Report {
    Report {
        method: METHOD,
        abstraction: Some(TimeAbstraction::EventOrder),
        results: Vec::new(),
        counts: Counts::default(),
        findings: Findings::default(),
    }
}

/// The answer for one claim, with the proof if it holds.
fn answer(
    scope: &Scope<'_>,
    claim: &Claim<'_>,
    budget: &dyn Budget,
) -> Result<(Answer, Option<OrderPart>), Refusal> {
    let proof = prove(scope, claim, budget).map_err(|why| Refusal::Unsupported(why.what))?;
    let answer = match proof {
        Proof::Holds(part) => return Ok((Answer::Holds, Some(part))),
        Proof::Fails(unrolled, model) => match witness::run(&unrolled, &model) {
            Ok(run) => Answer::Fails(Box::new(run)),
            Err(why) => undecided(OrderGap::NotFollowed(why.to_string())),
        },
        Proof::Unknown(gap) => undecided(gap),
    };
    Ok((answer, None))
}
