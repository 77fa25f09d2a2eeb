//! The engine on circuits: one property at a time, with what is worth knowing about its premise. What is proved helps with the
//! others: it holds in every state, and is asked no more.
//!
//! Where there is no time the search over states comes first, and most questions end there. Circuits are asked when it takes
//! long, for as long as that has taken, and when it has come to its end without an answer (docs/decisions/023).

use crate::table::FEW_QUERIES;
use invariants::Lemma;
use machine::{Machine, Property, PropertyKind};
use verdict::{
    Answer, Budget, Evidence, Premise, Progress, Question, Refusal, Report, Spent, with_only,
};

/// The same for methods with few questions, each of which may take long.
const FEW_LONG_QUERIES: u64 = 100;

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
    let mut proved: usize = 0;
    loop {
        let before = proved;
        for (p, property) in question.machine.properties.iter().enumerate() {
            if !report.answers[p].is_open() {
                continue;
            }
            let known = known(question.machine, &report.evidence);
            let Ok(mut found) = one(question, property, &known, None, &budget) else {
                continue;
            };
            if !found.answers.iter().all(Answer::is_open) {
                report.answers[p] = found.answers.remove(0);
                report.evidence[p] = found.evidence.pop().flatten();
                report.findings.premises[p] = found.findings.premises.pop().flatten();
                report.findings.by[p] = found.findings.by.pop().flatten();
                proved += usize::from(report.evidence[p].is_some());
            }
        }
        // What was proved last may help with what was asked first.
        if proved == before || !report.answers.iter().any(Answer::is_open) {
            return !report.answers.iter().any(Answer::is_open);
        }
    }
}

/// The properties that are proved, with their evidence.
fn known<'k>(machine: &'k Machine, evidence: &'k [Option<Evidence>]) -> Vec<Lemma<'k>> {
    let proved = machine.properties.iter().zip(evidence);
    proved
        .filter_map(|(property, evidence)| Some((property, evidence.as_ref()?)))
        .filter(|(_, evidence)| !matches!(evidence, Evidence::Order(_)))
        .collect()
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

    fn solver(&self) -> sat::Backend {
        self.budget.solver()
    }
}

/// Answers the properties about single states by one method on circuits, or by all in turns.
pub(crate) fn answer(
    question: &Question<'_>,
    by: Option<invariants::Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let machine = question.machine;
    let count = machine.properties.len();
    let mut evidence: Vec<Option<Evidence>> = vec![None; count];
    let mut reports: Vec<Option<Report>> = vec![None; count];
    // Where there are several, one that is hard waits until the others have been asked.
    use invariants::Method::{Bmc, Induction, Pdr};
    let briefly = Counted {
        budget,
        most: match by {
            Some(Bmc | Induction) => FEW_LONG_QUERIES,
            Some(Pdr) | None => FEW_QUERIES,
        },
    };
    let turns: &[&dyn Budget] = match count {
        0 | 1 => &[budget],
        _ => &[&briefly, budget],
    };
    for budget in turns {
        for (p, property) in machine.properties.iter().enumerate() {
            if reports[p].as_ref().is_some_and(|r| !r.answers[0].is_open()) {
                continue;
            }
            let known = known(machine, &evidence);
            let mut report = one(question, property, &known, by, *budget)?;
            report.evidence.resize(1, None);
            evidence[p] = report.evidence[0].clone();
            reports[p] = Some(report);
        }
    }
    let reports = reports.into_iter().flatten();
    let all = reports.reduce(Report::beside);
    all.ok_or_else(|| Refusal::Unsupported("questions without a claim".into()))
}

fn one(
    question: &Question<'_>,
    property: &Property,
    known: &[Lemma<'_>],
    by: Option<invariants::Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let ask = |machine: &Machine| {
        let fair = question.fair;
        invariants::run_with_lemmas(&Question { machine, fair }, known, by, budget)
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
