//! The order-of-events method: answers claims about Machines with periodic nodes, and computes times for the runs that
//! it finds.

use cegar::concretised_answer;
use machine::{Property, PropertyKind};
use rational::Rational;
use verdict::{
    Answer, Budget, Evidence, OrderGap, OrderProof, Premise, PropertyResult, Question, Reason,
    Refusal, Report, with_only,
};

/// For each property the result of the order-of-events engine; `None` if it does not decide the property.
pub(crate) fn known(
    question: &Question<'_>,
    unit: &Rational,
    budget: &dyn Budget,
) -> Vec<Option<PropertyResult>> {
    let properties = question.machine.properties.iter();
    properties
        .map(|property| {
            let one = cancellation::catch(|| one(question, property, unit, budget));
            one.ok().and_then(Result::ok)
        })
        .collect()
}

/// Inserts the results of the order-of-events engine into a report about the other properties, at the index that each
/// property has in the whole Machine.
pub(crate) fn insert(report: &mut Report, known: Vec<Option<PropertyResult>>) {
    for (place, known) in known.into_iter().enumerate() {
        if let Some(known) = known {
            report.results.insert(place, known);
        }
    }
}

/// The report of the order-of-events engine alone. Properties that it does not decide are unknown.
pub fn alone(question: &Question<'_>, unit: &Rational, budget: &dyn Budget) -> Report {
    let properties = question.machine.properties.iter();
    let results = properties.map(|property| {
        let known = one(question, property, unit, budget);
        known.unwrap_or_else(|gap| Answer::Unknown(Reason::EventOrder(gap)).into())
    });
    Report {
        results: results.collect(),
        ..event_order::nothing()
    }
}

/// The result for one property. The error says why the engine does not decide it.
fn one(
    question: &Question<'_>,
    property: &Property,
    unit: &Rational,
    budget: &dyn Budget,
) -> Result<PropertyResult, OrderGap> {
    let PropertyKind::Claim(claim) = &property.kind else {
        return Err(OrderGap::NotAClaim);
    };
    let (answer, evidence) = ask(question, property, unit, budget)?;
    let premise = match claim.premise() {
        None => None,
        Some(_) if answer != Answer::Holds => Some(Premise::Open),
        Some(premise) => {
            // The premise is true in some state if and only if the claim `always not premise` fails.
            let never = Property {
                kind: PropertyKind::Claim(machine::Formula::Always(Box::new(
                    machine::Formula::Not(Box::new(machine::Formula::State(premise))),
                ))),
                ..property.clone()
            };
            Some(match ask(question, &never, unit, budget)?.0 {
                Answer::Fails(_) => Premise::Met,
                Answer::Holds => Premise::Never,
                _ => return Err(OrderGap::PremiseOpen),
            })
        }
    };
    Ok(PropertyResult {
        premise,
        evidence,
        ..answer.into()
    })
}

/// Whether a claim holds, with its evidence, or fails. The error says why the engine does not decide it. `unit` is the
/// time unit for the times of the run.
pub fn ask(
    question: &Question<'_>,
    property: &Property,
    unit: &Rational,
    budget: &dyn Budget,
) -> Result<(Answer, Option<Evidence>), OrderGap> {
    let whole = with_only(question.machine, property);
    // The engine works without times; a run gets its times at the end.
    let untimed = cegar::untimed(&whole);
    let asked = Question {
        machine: &untimed,
        fair: question.fair,
    };
    let shrunk = passes::shrink(&untimed);
    let smaller = Question {
        machine: &shrunk.machine,
        fair: question.fair,
    };
    let no_error = event_order::never_errs(&smaller, budget).map_err(refused)?;
    let no_error = no_error.ok_or(OrderGap::MayErr)?;
    let mut parts = Vec::new();
    for part in passes::conjuncts(&untimed) {
        let shrunk = passes::shrink(&with_only(&untimed, &part));
        let smaller = Question {
            machine: &shrunk.machine,
            fair: question.fair,
        };
        let mut report = event_order::run(&smaller, budget).map_err(refused)?;
        let Some(found) = report.results.pop() else {
            return Err(OrderGap::NotAnInvariant);
        };
        match (found.answer, found.evidence) {
            (Answer::Holds, Some(Evidence::Order(proof))) => parts.extend(proof.parts),
            (Answer::Fails(run), _) => {
                let run = shrunk.lift(&run).ok_or(OrderGap::NotLifted)?;
                let answer = Answer::Fails(Box::new(run));
                let answer = concretised_answer(&asked, &whole, answer, unit);
                return Ok((answer.ok_or(OrderGap::NoTimes)?, None));
            }
            (Answer::Unknown(Reason::EventOrder(gap)), _) => return Err(gap),
            _ => return Err(OrderGap::NotAnInvariant),
        }
    }
    let evidence = Evidence::Order(OrderProof { no_error, parts });
    Ok((Answer::Holds, Some(evidence)))
}

/// The reason why the engine refused the question, in the terms of this method.
fn refused(refusal: Refusal) -> OrderGap {
    match refusal {
        Refusal::Unsupported(what) | Refusal::Checkpoint(what) => OrderGap::OutOfScope(what),
        Refusal::Initial(_) | Refusal::NoInitialState => OrderGap::NoRunBegins,
        Refusal::Contradiction(_) => OrderGap::Contradiction,
    }
}
