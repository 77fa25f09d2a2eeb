//! Questions about periodic nodes that the order-of-events engine answers, with times for its runs.

use cegar::concretised_answer;
use machine::{Property, PropertyKind};
use rational::Rational;
use verdict::{
    Answer, Budget, Evidence, OrderProof, Premise, Question, Refusal, Report, with_only,
};

/// The result of the event-order engine for one property.
pub(crate) struct Ordered {
    /// The answer: a claim holds or fails.
    pub(crate) answer: Answer,
    /// The status of the premise, if the property has one.
    pub(crate) premise: Option<Premise>,
    /// The evidence, if the claim holds.
    pub(crate) evidence: Option<Evidence>,
}

/// The results of the event-order engine, property by property.
pub(crate) fn known(
    question: &Question<'_>,
    unit: &Rational,
    budget: &dyn Budget,
) -> Vec<Option<Ordered>> {
    let properties = question.machine.properties.iter();
    properties
        .map(|property| one(question, property, unit, budget).ok())
        .collect()
}

/// Inserts the results of the event-order engine into a report about the other properties, each at its place.
pub(crate) fn insert(report: &mut Report, known: Vec<Option<Ordered>>) {
    let findings = &mut report.findings;
    findings.premises.resize(report.answers.len(), None);
    findings.latest.resize(report.answers.len(), None);
    report.evidence.resize(report.answers.len(), None);
    for (place, known) in known.into_iter().enumerate() {
        if let Some(known) = known {
            report.answers.insert(place, known.answer);
            findings.premises.insert(place, known.premise);
            findings.latest.insert(place, None);
            report.evidence.insert(place, known.evidence);
        }
    }
}

/// The report of the event-order engine alone; properties that it does not decide are unknown.
pub fn alone(question: &Question<'_>, unit: &Rational, budget: &dyn Budget) -> Report {
    let mut report = event_order::nothing();
    for property in &question.machine.properties {
        let known = one(question, property, unit, budget);
        let (answer, premise, evidence) = match known {
            Ok(known) => (known.answer, known.premise, known.evidence),
            Err(why) => {
                let why = format!("not by the order of events: {why}");
                (Answer::Unknown(why), None, None)
            }
        };
        report.answers.push(answer);
        report.findings.premises.push(premise);
        report.findings.latest.push(None);
        report.evidence.push(evidence);
    }
    report
}

/// The result for one property, or the reason why there is none.
fn one(
    question: &Question<'_>,
    property: &Property,
    unit: &Rational,
    budget: &dyn Budget,
) -> Result<Ordered, String> {
    let PropertyKind::Claim(claim) = &property.kind else {
        return Err("not a claim".into());
    };
    let (answer, evidence) = ask(question, property, unit, budget)?;
    let premise = match claim.premise() {
        None => None,
        Some(_) if answer != Answer::Holds => Some(Premise::Open),
        Some(premise) => {
            // The premise is met if the claim that it is never met fails.
            let never = Property {
                kind: PropertyKind::Claim(machine::Formula::Always(Box::new(
                    machine::Formula::Not(Box::new(machine::Formula::State(premise))),
                ))),
                ..property.clone()
            };
            Some(match ask(question, &never, unit, budget)?.0 {
                Answer::Fails(_) => Premise::Met,
                Answer::Holds => Premise::Never,
                _ => return Err("whether the premise is ever true".into()),
            })
        }
    };
    Ok(Ordered {
        answer,
        premise,
        evidence,
    })
}

/// Whether a claim holds, with its evidence, or fails; otherwise the reason why it is not decided.
pub fn ask(
    question: &Question<'_>,
    property: &Property,
    unit: &Rational,
    budget: &dyn Budget,
) -> Result<(Answer, Option<Evidence>), String> {
    let whole = with_only(question.machine, property);
    // Runs get their times in the end, as a whole.
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
    let no_error = no_error.ok_or("code or claim may end in an error")?;
    let mut parts = Vec::new();
    for part in passes::conjuncts(&untimed) {
        let shrunk = passes::shrink(&with_only(&untimed, &part));
        let smaller = Question {
            machine: &shrunk.machine,
            fair: question.fair,
        };
        let mut report = event_order::run(&smaller, budget).map_err(refused)?;
        match (report.answers.pop(), report.evidence.pop().flatten()) {
            (Some(Answer::Holds), Some(Evidence::Order(proof))) => parts.extend(proof.parts),
            (Some(Answer::Fails(run)), _) => {
                let run = shrunk.lift(&run).ok_or("its run cannot be followed")?;
                let answer = Answer::Fails(Box::new(run));
                let answer = concretised_answer(&asked, &whole, answer, unit);
                return Ok((answer.ok_or("the order that was found has no times")?, None));
            }
            (Some(Answer::Unknown(why)), _) => return Err(why),
            _ => return Err("not a claim about every state".into()),
        }
    }
    let evidence = Evidence::Order(OrderProof { no_error, parts });
    Ok((Answer::Holds, Some(evidence)))
}

/// The reason why an engine refuses.
fn refused(refusal: Refusal) -> String {
    match refusal {
        Refusal::Unsupported(why) | Refusal::Checkpoint(why) => why,
        Refusal::Initial(_) | Refusal::NoInitialState => "no run begins".into(),
        Refusal::Contradiction(_) => "two methods contradict each other".into(),
    }
}
