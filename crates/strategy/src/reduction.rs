//! The search of plain Machines: without reduction for small state spaces, with reduction for large ones.
//!
//! A small state space is searched as written, so that runs are shortest runs and counts are those of the model. A
//! larger one is searched with partial-order reduction and symmetry reduction. A run from the reduced search may not be
//! a shortest one, so a search without reduction, with a limit of states, looks for a shorter run.

use crate::play::agree;
use explicit::{Options, SymmetryReduction};
use machine::Machine;
use verdict::{
    Answer, Budget, Depth, Engine, Established, Question, Reason, Refusal, Report, StateLimited,
};

/// The limit of states for the first search without reduction, over all instances.
const FEW: u64 = 20_000;

/// The limit of states for the search for shorter runs.
const FOR_SHORTER_RUNS: u64 = 300_000;

/// The limit of states for partial-order reduction if the call asks for checkpoints, which this reduction cannot write.
const WITHOUT_CHECKPOINTS: u64 = 1_000_000;

/// Answers a question by the search `whole` if the state space is small, otherwise by a reduced search.
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
        establish(&mut report, events);
    }
    Ok(report)
}

/// Answers a question by a reduced search. Partial-order reduction cannot write checkpoints. If the call asks for
/// checkpoints, it runs only up to `WITHOUT_CHECKPOINTS` states; a larger state space is searched again with symmetry
/// reduction alone.
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

/// For unknown answers whose search established no depth, uses the depth of `events` that the first search explored
/// completely.
fn establish(report: &mut Report, events: u64) {
    for result in &mut report.results {
        if let Answer::Unknown(Reason::Ended { established, .. }) = &mut result.answer
            && let Established::Searched(searched) = established
            && searched.depth == Depth::Unknown
            && searched.hash_bits.is_none()
        {
            searched.depth = Depth::Events(events);
            report.findings.explored = Some(events);
        }
    }
}

/// Replaces the runs of the answers by shorter ones that a limited search without reduction finds.
fn shorten(
    question: &Question<'_>,
    whole: Engine<'_>,
    report: &mut Report,
    budget: &dyn Budget,
) -> Result<(), Refusal> {
    let breaks = |answer: &Answer| matches!(answer, Answer::Fails(_) | Answer::Possible(_));
    let broken: Vec<usize> = { 0..report.results.len() }
        .filter(|p| breaks(&report.results[*p].answer))
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
    for (p, found) in broken.into_iter().zip(shorter.results) {
        let length = |answer: &Answer| answer.run().map_or(usize::MAX, |run| run.choices.len());
        let answer = &mut report.results[p].answer;
        if breaks(&found.answer) && length(&found.answer) < length(answer) {
            *answer = found.answer;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::{Ending, Run, Unlimited};

    /// A Machine with too many states for the first search, so that the reduced search runs too.
    const LARGE: &str = "(kind P 4) (var P a (int 0 20) (is 0))
        (block P step (when (< (var a self) 20)) (:= a (+ (var a self) 1)))
        (claim small (locals (k node)) (always (state (all k (nodes) (<= (var a k) 20)))))";

    /// A faulty engine: it answers that the initial state violates every claim, and that it reached its limit.
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
        let mut report = Report::unanswered(machine, Reason::NoMethod);
        for result in &mut report.results {
            result.answer = Answer::Fails(Box::new(run.clone()));
        }
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
