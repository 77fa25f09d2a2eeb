//! The engine on circuits: one property at a time, with what is worth knowing about its premise.
//!
//! Where there is no time the search over states comes first, and most questions end there. Circuits are asked when it takes
//! long, for as long as that has taken, and when it has come to its end without an answer (docs/decisions/023).

use crate::check::is_open;
use crate::explicit::{beside, with_only};
use machine::{Machine, Property, PropertyKind};
use verdict::{Answer, Budget, Premise, Progress, Question, Refusal, Report, Spent};

/// What circuits may take before a long search, in questions to a solver, most of them short: some seconds.
pub(crate) const BRIEFLY: u64 = 40_000;

/// What they may take behind a search that had no room for more states.
pub(crate) const PATIENTLY: u64 = 1_000_000;

/// Answers by circuits what a report leaves open, as far as that takes no more than this. Whether nothing is left.
pub(crate) fn complete(
    question: &Question<'_>,
    report: &mut Report,
    most: u64,
    budget: &dyn Budget,
) -> bool {
    let budget = Counted { budget, most };
    let count = report.answers.len();
    report.evidence.resize(count, None);
    report.findings.premises.resize(count, None);
    report.findings.by.resize(count, None);
    for (p, property) in question.machine.properties.iter().enumerate() {
        if !is_open(&report.answers[p]) {
            continue;
        }
        let Ok(mut found) = one(question, property, None, &budget) else {
            continue;
        };
        if !found.answers.iter().all(is_open) {
            report.answers[p] = found.answers.remove(0);
            report.evidence[p] = found.evidence.pop().flatten();
            report.findings.premises[p] = found.findings.premises.pop().flatten();
            report.findings.by[p] = found.findings.by.pop().flatten();
        }
    }
    !report.answers.iter().any(is_open)
}

/// A budget for so many questions to a solver about each property: counted, so that the answer is the same every time.
struct Counted<'a> {
    budget: &'a dyn Budget,
    most: u64,
}

impl Budget for Counted<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        match progress.transitions > self.most {
            true => Some(Spent::Interrupted),
            false => self.budget.ask(progress),
        }
    }
}

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
