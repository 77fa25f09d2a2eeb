//! The engine on circuits: one property at a time, with the status of its premise. A proved property holds in every
//! state, so it becomes a lemma for the other properties and is not asked again.
//!
//! Without time the explicit search comes first and decides most questions. Circuits run when the explicit search
//! takes long, for as long as it has taken, and when it has ended without an answer (docs/decisions/023).

use crate::table::FEW_QUERIES;
use invariants::Lemma;
use machine::{Machine, Property, PropertyKind};
use verdict::{
    Answer, Budget, Evidence, Premise, Progress, Question, Refusal, Report, Spent, with_only,
};

/// SAT queries per property for methods that make few and long queries.
const FEW_LONG_QUERIES: u64 = 100;

/// Answers the open properties of a report by circuits, with at most `most` queries per property. Returns whether no
/// property is left open.
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
        // A property that was proved last may be a lemma for a property that was asked first.
        if proved == before || !report.answers.iter().any(Answer::is_open) {
            return !report.answers.iter().any(Answer::is_open);
        }
    }
}

/// The proved properties with their evidence, as lemmas.
fn known<'k>(machine: &'k Machine, evidence: &'k [Option<Evidence>]) -> Vec<Lemma<'k>> {
    let proved = machine.properties.iter().zip(evidence);
    proved
        .filter_map(|(property, evidence)| Some((property, evidence.as_ref()?)))
        .filter(|(_, evidence)| !matches!(evidence, Evidence::Order(_)))
        .collect()
}

/// A budget of a number of SAT queries per property. It counts queries and not time, so the answer is reproducible.
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

/// Answers the invariants by one method on circuits, or by all methods in turn.
pub(crate) fn answer(
    question: &Question<'_>,
    by: Option<invariants::Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let machine = question.machine;
    let count = machine.properties.len();
    let mut evidence: Vec<Option<Evidence>> = vec![None; count];
    let mut reports: Vec<Option<Report>> = vec![None; count];
    // With several properties, a hard one waits until the others have been asked.
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
