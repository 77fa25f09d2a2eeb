//! The plain search: every state of small state spaces, a reduced search of large ones.
//!
//! A small state space is visited as written, so that runs are shortest runs and counts are those of the model. A
//! larger one is searched with partial-order reduction and symmetry reduction. A run of the reduced search may be
//! longer than necessary: a bounded search of every state then looks for a shorter run.

use crate::play::agree;
use explicit::{Options, SymmetryReduction};
use machine::{Machine, PropertyKind};
use verdict::{Answer, Budget, Engine, Question, Refusal, Report, StateLimited};

/// The states that are visited without reduction, in all instances together.
const FEW: u64 = 20_000;

/// The states that are visited to find a shorter run.
const FOR_SHORTER_RUNS: u64 = 300_000;

/// The states that the reduced search visits where checkpoints are wanted: it keeps none.
const WITHOUT_CHECKPOINTS: u64 = 1_000_000;

/// Answers a question by a search of every state, or by a reduced search.
pub(crate) fn answer(
    question: &Question<'_>,
    whole: Engine<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let few = StateLimited::first_look(budget, FEW);
    let first = whole(question, &few)?;
    if !few.reached() {
        return Ok(first);
    }
    let mut report = by_fewer(question, budget)?;
    agree(&first, &report)?;
    shorten(question, whole, &mut report, budget)?;
    if let (None, Some(events)) = (report.findings.explored, first.findings.explored) {
        establish(question.machine, &mut report, events);
    }
    Ok(report)
}

/// Answers a question by the reduced search. Partial-order reduction keeps no checkpoints: where checkpoints are
/// wanted, the reduced search has a small limit, and beyond it the search uses symmetry reduction only.
fn by_fewer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let options = Options {
        partial_order: true,
        symmetry: SymmetryReduction::States,
        ..Options::default()
    };
    if budget.checkpoint_store().is_none() {
        return explicit::run(question, &options, budget);
    }
    let soon = StateLimited::first_look(budget, WITHOUT_CHECKPOINTS);
    let report = explicit::run(question, &options, &soon)?;
    match soon.reached() {
        false => Ok(report),
        true => {
            let options = Options {
                partial_order: false,
                ..options
            };
            explicit::run(question, &options, budget)
        }
    }
}

/// Keeps the bounds that the first search established where the other search came to a limit.
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

/// Replaces runs by shorter runs, where a bounded search finds them.
fn shorten(
    question: &Question<'_>,
    whole: Engine<'_>,
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
    let shorter = whole(
        &about_them,
        &StateLimited::first_look(budget, FOR_SHORTER_RUNS),
    )?;
    for (p, found) in broken.into_iter().zip(shorter.answers) {
        let length = |answer: &Answer| answer.run().map_or(usize::MAX, |run| run.choices.len());
        if breaks(&found) && length(&found) < length(&report.answers[p]) {
            report.answers[p] = found;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::{Ending, Run, Unlimited};

    /// A model that is too large for the first search: the reduced search answers as well.
    const LARGE: &str = "(kind P 4) (var P a (int 0 20) (is 0))
        (block P step (when (< (var a self) 20)) (:= a (+ (var a self) 1)))
        (claim small (locals (k node)) (always (state (all k (nodes) (<= (var a k) 20)))))";

    /// A faulty engine: it reports that the first state breaks every claim, and that it has not finished.
    fn liar(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
        let machine = question.machine;
        let frozen = machine.frozen_choices().next().expect("an instance");
        let instance = machine::Instance {
            machine,
            frozen: &frozen,
        };
        let initial = instance.initial_states().expect("initial states").remove(0);
        let run = Run {
            frozen: frozen.clone(),
            initial,
            choices: Vec::new(),
            ending: Ending::Open,
        };
        let mut report = Report::unanswered(machine, "");
        report.answers = vec![Answer::Fails(Box::new(run)); machine.properties.len()];
        budget.ask(&verdict::Progress {
            states: FEW + 1,
            ..verdict::Progress::default()
        });
        Ok(report)
    }

    #[test]
    fn searches_that_contradict_each_other_end_the_call() {
        let machine = machine::parse(LARGE).expect("a machine");
        machine::verify(&machine).expect("a correct machine");
        let question = Question {
            machine: &machine,
            fair: true,
        };
        let Err(Refusal::Contradiction(found)) = answer(&question, &liar, &Unlimited) else {
            panic!("a wrong answer of the first look is not noticed");
        };
        assert_eq!(found.property, 0);
        assert!(matches!(found.first.answer, Answer::Fails(_)));
        assert_eq!(found.second.answer, Answer::Holds);
    }
}
