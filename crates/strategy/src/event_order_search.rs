//! Questions about nodes with a rhythm that the order of their events answers, with times for its runs.

use cegar::concretised_answer;
use machine::{Property, PropertyKind};
use rational::Rational;
use verdict::{
    Answer, Budget, Evidence, OrderProof, Premise, Question, Refusal, Report, with_only,
};

/// What is known of a property.
pub(crate) struct Ordered {
    /// Its answer; of a claim that it holds, or fails.
    pub(crate) answer: Answer,
    /// Whether its premise is ever true, if it has one.
    pub(crate) premise: Option<Premise>,
    /// Why it holds, if it does.
    pub(crate) evidence: Option<Evidence>,
}

/// What the order of events answers, property by property.
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

/// Puts what the order of events has answered into a report about the other properties, each at its place.
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

/// What the order of events answers by itself; the rest is not known.
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

/// What is known of one property; otherwise why nothing is.
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
            // It is met where a claim that it never is fails.
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

/// Whether a claim holds, and why, or fails; otherwise why that is not found out.
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
    for part in passes::parts(&untimed) {
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

/// Why an engine does not answer.
fn refused(refusal: Refusal) -> String {
    match refusal {
        Refusal::Unsupported(why) | Refusal::Checkpoint(why) => why,
        Refusal::Initial(_) | Refusal::NoInitialState => "no run begins".into(),
        Refusal::Contradiction(_) => "two methods contradict each other".into(),
    }
}
