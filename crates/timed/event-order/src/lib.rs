//! Engine for periodic nodes by the order of their events: a SAT solver, and difference constraints on times.
//!
//! **Method.** Each periodic node is unrolled separately, and the order of two activations is a Boolean
//! variable (`order`). The solver chooses orders together with ids, faults and initial values; a theory solver
//! for difference constraints rejects orders that have no times (lazy SMT, `lazy_smt.rs`); fixed periods are
//! checked by linear programming.
//!
//! **Answers.** A claim holds for all time, by the proof rule of `order`, or it is violated by a run, which the
//! caller concretises and replays.
//!
//! **Scope.** The scope of `order`.

mod lazy_smt;
mod prove;
mod witness;

use crate::prove::{Proof, never_errs as claim_never_errs, prove, some_run_begins};
use machine::PropertyKind;
use order::{Claim, Scope};
use verdict::{
    Answer, Budget, Counts, Evidence, Findings, Never, OrderPart, OrderProof, Question, Refusal,
    Report,
};

/// The name of the method.
pub const METHOD: &str = "order of events";

/// Answers a question about a Machine with real times, on the abstraction that allows any order of events; the
/// orders considered are those of the declared times. The runs have no times yet, but times exist. The evidence
/// is that of a claim with one conjunct.
pub fn run(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let machine = question.machine;
    let scope = Scope::of(machine).map_err(Refusal::Unsupported)?;
    let mut answers = Vec::new();
    let mut evidence = Vec::new();
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
                None => (
                    Answer::Unknown("not a claim about every state".into()),
                    None,
                ),
            },
            PropertyKind::Possible(_) => (Answer::Unknown("not a claim".into()), None),
        };
        answers.push(answer);
        evidence.push(part.map(|part| {
            Evidence::Order(OrderProof {
                no_error: part.no_error.clone(),
                parts: vec![part],
            })
        }));
    }
    Ok(Report {
        answers,
        evidence,
        ..nothing()
    })
}

/// The reason why code and the only claim are never an error, if one is found.
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
    let refused = |why: bits::Unsupported| Refusal::Unsupported(why.0);
    // Where no run starts, errors are impossible and every claim holds; the caller reports that.
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
        abstraction: Some("gaps, and exact times for runs".into()),
        answers: Vec::new(),
        counts: Counts::default(),
        findings: Findings::default(),
        evidence: Vec::new(),
    }
}

fn answer(
    scope: &Scope<'_>,
    claim: &Claim<'_>,
    budget: &dyn Budget,
) -> Result<(Answer, Option<OrderPart>), Refusal> {
    let proof = prove(scope, claim, budget).map_err(|why| Refusal::Unsupported(why.0))?;
    let answer = match proof {
        Proof::Holds(part) => return Ok((Answer::Holds, Some(part))),
        Proof::Fails(unrolled, model) => match witness::run(&unrolled, &model) {
            Ok(run) => Answer::Fails(Box::new(run)),
            Err(why) => Answer::Unknown(format!(
                "an order of events was found that cannot be followed ({why})"
            )),
        },
        Proof::Unknown(why) => Answer::Unknown(why),
        Proof::Stopped(spent) => Answer::Unknown(spent.to_string()),
    };
    Ok((answer, None))
}
