//! The plain search: every state while they are few, and fewer where they are many.
//!
//! Few states are visited as the model says, so that runs are shortest ones and counts are those of the model. If there are
//! more, orders of events and names of nodes that make no difference are left out. A run that is found so may be longer than
//! necessary: then a bounded look at every state tries to find a shorter one.

use machine::{Machine, PropertyKind};
use std::cell::Cell;
use verdict::{Answer, Budget, Progress, Question, Refusal, Report, Spent, Storage};

/// States that are visited as they are, in all instances together.
const FEW: u64 = 20_000;

/// States that are visited to find a shorter run.
const FOR_SHORTER_RUNS: u64 = 300_000;

/// States that are visited without a checkpoint where somebody wants them.
const WITHOUT_CHECKPOINTS: u64 = 1_000_000;

/// An engine that visits every state.
pub(crate) type Whole<'w> = dyn Fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal> + 'w;

/// Answers a question by every state, or by fewer.
pub(crate) fn answer(
    question: &Question<'_>,
    whole: &Whole<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let few = Few::of(budget, FEW);
    let first = whole(question, &few)?;
    if !few.reached.get() {
        return Ok(first);
    }
    let mut report = by_fewer(question, budget)?;
    shorten(question, whole, &mut report, budget)?;
    if let (None, Some(events)) = (report.findings.explored, first.findings.explored) {
        establish(question.machine, &mut report, events);
    }
    Ok(report)
}

/// Leaves out what makes no difference. A search that leaves out orders keeps no checkpoints: where these are wanted it must be
/// done soon, or else it is done without.
fn by_fewer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    if budget.checkpoint_store().is_none() {
        return explicit::run_with_fewer(question, budget);
    }
    let soon = Few::of(budget, WITHOUT_CHECKPOINTS);
    let report = explicit::run_with_fewer(question, &soon)?;
    match soon.reached.get() {
        false => Ok(report),
        true => explicit::run_symmetric(question, budget),
    }
}

/// What the first look has established stays so where the other search came to a limit.
fn establish(machine: &Machine, report: &mut Report, events: u64) {
    for (answer, property) in report.answers.iter_mut().zip(&machine.properties) {
        let does = match property.kind {
            PropertyKind::Possible(_) => "reaches",
            PropertyKind::Claim(_) => "breaks",
        };
        if let Answer::Unknown(why) = answer
            && let Some(limit) = why.strip_suffix("nothing is known yet")
        {
            *why = format!("{limit}no run of up to {events} events {does} it");
            report.findings.explored = Some(events);
        }
    }
}

/// Puts shorter runs in place of those that were found, where a bounded look finds them.
fn shorten(
    question: &Question<'_>,
    whole: &Whole<'_>,
    report: &mut Report,
    budget: &dyn Budget,
) -> Result<(), Refusal> {
    let breaks = |answer: &Answer| matches!(answer, Answer::Fails(_) | Answer::Possible(_));
    let broken: Vec<usize> = { 0..report.answers.len() }
        .filter(|p| breaks(&report.answers[*p]))
        .collect();
    if broken.is_empty() {
        return Ok(());
    }
    let properties = broken.iter().map(|p| &question.machine.properties[*p]);
    let machine = Machine {
        properties: properties.cloned().collect(),
        ..question.machine.clone()
    };
    let about_them = Question {
        machine: &machine,
        ..*question
    };
    let shorter = whole(&about_them, &Few::of(budget, FOR_SHORTER_RUNS))?;
    for (p, found) in broken.into_iter().zip(shorter.answers) {
        let length = |answer: &Answer| answer.run().map_or(usize::MAX, |run| run.choices.len());
        if breaks(&found) && length(&found) < length(&report.answers[p]) {
            report.answers[p] = found;
        }
    }
    Ok(())
}

/// A budget with a limit on states.
struct Few<'b> {
    budget: &'b dyn Budget,
    most: u64,
    /// The limit was reached.
    reached: Cell<bool>,
}

impl<'b> Few<'b> {
    fn of(budget: &'b dyn Budget, most: u64) -> Few<'b> {
        let reached = Cell::new(false);
        Few {
            budget,
            most,
            reached,
        }
    }
}

impl Budget for Few<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        let spent = self.budget.ask(progress);
        if spent.is_none() && progress.states > self.most {
            self.reached.set(true);
            return Some(Spent::Brief);
        }
        spent
    }

    fn solver(&self) -> sat::Backend {
        self.budget.solver()
    }

    fn threads(&self) -> usize {
        self.budget.threads()
    }

    /// Few states have room as they are.
    fn storage(&self) -> Storage {
        match self.budget.storage() {
            Storage::Hashes(_) => Storage::Plain,
            exact => exact,
        }
    }
}
