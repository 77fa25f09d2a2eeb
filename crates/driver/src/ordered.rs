//! Questions about nodes with a rhythm that the order of their events answers, with times for its runs.

use crate::rung::{Engine, at_rung_without_rules, real_answer};
use machine::{Machine, Property, PropertyKind};
use rational::Rational;
use verdict::{Answer, Budget, Evidence, OrderProof, Premise, Question, Refusal, Report};

/// What is known of a property.
pub(crate) struct Ordered {
    /// Its answer; of a claim that it holds, or fails.
    pub(crate) answer: Answer,
    /// Whether its premise is ever true, if it has one.
    pub(crate) premise: Option<Premise>,
    /// Why it holds, if it does.
    pub(crate) evidence: Option<Evidence>,
}

/// Answers a question: what the order of events answers by it, the rest by another method. Times in runs are simple
/// multiples of `unit`.
pub(crate) fn answer(
    question: &Question<'_>,
    unit: &Rational,
    otherwise: Engine<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let machine = question.machine;
    let properties = machine.properties.iter();
    let known: Vec<Option<Ordered>> = properties
        .map(|property| one(question, property, unit, budget))
        .collect();
    let open = machine.properties.iter().zip(&known);
    let open: Vec<Property> = open
        .filter(|(_, known)| known.is_none())
        .map(|(property, _)| property.clone())
        .collect();
    let mut report = match open.is_empty() && !known.is_empty() {
        true => engine_order::nothing(),
        false => {
            let rest = Machine {
                properties: open,
                ..machine.clone()
            };
            let asked = Question {
                machine: &rest,
                fair: question.fair,
            };
            otherwise(&asked, budget)?
        }
    };
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
    Ok(report)
}

/// What the order of events answers by itself; the rest is not known.
pub(crate) fn alone(question: &Question<'_>, unit: &Rational, budget: &dyn Budget) -> Report {
    let mut report = engine_order::nothing();
    for property in &question.machine.properties {
        let known = one(question, property, unit, budget);
        let (answer, premise, evidence) = match known {
            Some(known) => (known.answer, known.premise, known.evidence),
            None => {
                let why = "not by the order of events";
                (Answer::Unknown(why.into()), None, None)
            }
        };
        report.answers.push(answer);
        report.findings.premises.push(premise);
        report.findings.latest.push(None);
        report.evidence.push(evidence);
    }
    report
}

fn one(
    question: &Question<'_>,
    property: &Property,
    unit: &Rational,
    budget: &dyn Budget,
) -> Option<Ordered> {
    let PropertyKind::Claim(claim) = &property.kind else {
        return None;
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
            Some(match ask(question, &never, unit, budget) {
                Some((Answer::Fails(_), _)) => Premise::Met,
                Some((Answer::Holds, _)) => Premise::Never,
                _ => return None,
            })
        }
    };
    Some(Ordered {
        answer,
        premise,
        evidence,
    })
}

/// Whether a claim holds, and why, or fails, if that is found out.
fn ask(
    question: &Question<'_>,
    property: &Property,
    unit: &Rational,
    budget: &dyn Budget,
) -> Option<(Answer, Option<Evidence>)> {
    let whole = with_only(question.machine, property);
    // Runs get their times in the end, as a whole.
    let untimed = at_rung_without_rules(&whole);
    let asked = Question {
        machine: &untimed,
        fair: question.fair,
    };
    let shrunk = passes::shrink(&untimed);
    let smaller = Question {
        machine: &shrunk.machine,
        fair: question.fair,
    };
    let no_error = engine_order::never_errs(&smaller, budget).ok()??;
    let mut parts = Vec::new();
    for part in passes::parts(&untimed) {
        let shrunk = passes::shrink(&with_only(&untimed, &part));
        let smaller = Question {
            machine: &shrunk.machine,
            fair: question.fair,
        };
        let mut report = engine_order::run(&smaller, budget).ok()?;
        match (report.answers.pop()?, report.evidence.pop().flatten()) {
            (Answer::Holds, Some(Evidence::Order(proof))) => parts.extend(proof.parts),
            (Answer::Fails(run), _) => {
                let run = Box::new(shrunk.lift(&run)?);
                let answer = real_answer(&asked, &whole, Answer::Fails(run), unit)?;
                return Some((answer, None));
            }
            _ => return None,
        }
    }
    let evidence = Evidence::Order(OrderProof { no_error, parts });
    Some((Answer::Holds, Some(evidence)))
}

fn with_only(machine: &Machine, property: &Property) -> Machine {
    Machine {
        properties: vec![property.clone()],
        ..machine.clone()
    }
}
