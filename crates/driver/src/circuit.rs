//! The engine on circuits: one property at a time, with what is worth knowing about its premise.

use crate::explicit::{beside, with_only};
use machine::{Machine, Property, PropertyKind};
use verdict::{Answer, Budget, Premise, Question, Refusal, Report};

/// Answers the properties about single states by one method on circuits, or by all in turns.
pub(crate) fn answer(
    question: &Question<'_>,
    by: Option<engine_sat::Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let mut all: Option<Report> = None;
    for property in &question.machine.properties {
        let report = one(question, property, by, budget)?;
        all = Some(match all {
            None => report,
            Some(before) => beside(before, report),
        });
    }
    all.ok_or_else(|| Refusal::Unsupported("questions without a claim".into()))
}

fn one(
    question: &Question<'_>,
    property: &Property,
    by: Option<engine_sat::Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let ask = |machine: &Machine| {
        let fair = question.fair;
        engine_sat::run(&Question { machine, fair }, by, budget)
    };
    let mut report = ask(&with_only(question.machine, property))?;
    if let ([Answer::Holds], PropertyKind::Claim(claim)) = (&report.answers[..], &property.kind)
        && let Some(premise) = claim.premise()
    {
        let met = Property {
            kind: PropertyKind::Possible(premise),
            ..property.clone()
        };
        let met = ask(&with_only(question.machine, &met))?;
        report.findings.premises = vec![Some(match met.answers[..] {
            [Answer::Possible(_)] => Premise::Met,
            [Answer::Impossible] => Premise::Never,
            _ => Premise::Open,
        })];
    }
    Ok(report)
}
