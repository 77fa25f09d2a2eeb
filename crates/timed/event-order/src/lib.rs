//! Answers about nodes with a periodic by the order of their events: a solver, and differences of times.
//!
//! **The idea.** Nodes are unrolled each by itself, and who came first is a literal (`order`). The solver chooses orders together
//! with ids, faults and initial values; a second reasoner, which knows differences of times, says which orders cannot be
//! (`ask.rs`); fixed periods are linear programming.
//!
//! **What is proved.** That a claim holds for ever, by the rule of `order`, or that it is broken by a run that the caller
//! gives times and replays.
//!
//! **What it needs.** What `order` needs.

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

/// Answers a question about a Machine with real times, on the abstraction that allows any order: the order that is meant is that of
/// declared times. The runs have no times yet, and there are search. The evidence is that of a claim with one part.
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

/// Why code and the only claim are never an error, if that is found out.
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
    // Where no run begins, nothing is an error, and everything holds: somebody else says so.
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
