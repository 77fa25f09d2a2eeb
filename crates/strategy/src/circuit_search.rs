//! BMC, k-induction and PDR on circuits as one method of the strategy. It answers one property at a time and determines
//! whether its premise is ever true. A proved property is a lemma for the other properties.
//!
//! In Machines without time the explicit search runs first and decides most questions. If it leaves a property open,
//! circuits run with a limited number of SAT queries, and again with a larger limit after the whole search
//! (docs/decisions/023).

use crate::table::FEW_QUERIES;
use invariants::Lemma;
use machine::{Machine, Property, PropertyKind};
use verdict::{
    Answer, Budget, Evidence, Premise, Progress, Question, Refusal, Report, Spent, with_only,
};

/// The limit of SAT queries per property in the first pass, if the method is BMC or k-induction: their queries are few
/// and long.
const FEW_LONG_QUERIES: u64 = 100;

/// Answers the open properties of a report by circuits, with at most `most` SAT queries per property. Returns whether
/// all properties are decided.
pub(crate) fn complete(
    question: &Question<'_>,
    report: &mut Report,
    most: u64,
    budget: &dyn Budget,
) -> bool {
    let budget = Counted { budget, most };
    let mut proved: usize = 0;
    loop {
        let before = proved;
        for (p, property) in question.machine.properties.iter().enumerate() {
            if !report.results[p].answer.is_open() {
                continue;
            }
            let known = known(
                question.machine,
                report.results.iter().map(|r| r.evidence.as_ref()),
            );
            let Ok(mut found) = one(question, property, &known, None, &budget) else {
                continue;
            };
            if !found.has_open() {
                report.results[p] = found.results.remove(0);
                proved += usize::from(report.results[p].evidence.is_some());
            }
        }
        // A property proved in this pass may be a lemma for one that was asked before it, so the open ones are asked
        // again.
        if proved == before || !report.has_open() {
            return !report.has_open();
        }
    }
}

/// The properties with evidence, as lemmas. Evidence of the order-of-events method is left out, because it does not
/// apply to circuits.
fn known<'k>(
    machine: &'k Machine,
    evidence: impl Iterator<Item = Option<&'k Evidence>>,
) -> Vec<Lemma<'k>> {
    let proved = machine.properties.iter().zip(evidence);
    proved
        .filter_map(|(property, evidence)| Some((property, evidence?)))
        .filter(|(_, evidence)| !matches!(evidence, Evidence::Order(_)))
        .collect()
}

/// A budget with a limit of SAT queries per property. It counts queries rather than time, so answers are reproducible.
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

/// Answers the properties by one method on circuits, or by all methods in turn if `by` is `None`.
pub(crate) fn answer(
    question: &Question<'_>,
    by: Option<invariants::Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let machine = question.machine;
    let count = machine.properties.len();
    let mut reports: Vec<Option<Report>> = vec![None; count];
    // If there are several properties, each is first asked with a small limit, so that a hard one does not delay the
    // others.
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
            if reports[p].as_ref().is_some_and(|r| !r.has_open()) {
                continue;
            }
            let evidence = reports.iter().map(|report| {
                let report: &Report = report.as_ref()?;
                report.results[0].evidence.as_ref()
            });
            let known = known(machine, evidence);
            let report = one(question, property, &known, by, *budget)?;
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
    if let (Some(Answer::Holds), PropertyKind::Claim(claim)) =
        (report.only_answer(), &property.kind)
        && let Some(premise) = claim.premise()
    {
        let met = Property {
            kind: PropertyKind::Possible(premise),
            ..property.clone()
        };
        let met = ask(&with_only(question.machine, &met))?;
        report.results[0].premise = Some(match met.only_answer() {
            Some(Answer::Possible(_)) => Premise::Met,
            Some(Answer::Impossible) => Premise::Never,
            _ => Premise::Open,
        });
    }
    Ok(report)
}
