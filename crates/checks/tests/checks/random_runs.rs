//! Random runs as a check of reports about a Machine.

use machine::random::Rng;
use machine::{Expr, Formula, Instance, Machine, PropertyKind, State};
use simulate::{RandomRun, random_run};
use std::cell::Cell;
use verdict::{Answer, Budget, Ending, Premise, Progress, Question, Report, Spent};

/// A budget of states in one search, and of 60 queries with waiting states.
pub struct StateLimited {
    states: u64,
    asked: Cell<u32>,
}

impl StateLimited {
    pub fn states(states: u64) -> StateLimited {
        StateLimited {
            states,
            asked: Cell::new(0),
        }
    }
}

impl Budget for StateLimited {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        let waits = progress.waiting > 0;
        self.asked.set(self.asked.get() + u32::from(waits));
        (progress.states > self.states || self.asked.get() > 60).then_some(Spent::Interrupted)
    }
}

/// Random runs of a Machine with exact times.
pub fn random_runs(machine: &Machine, seed: u64) -> Vec<RandomRun> {
    let runs = (0..12).map(|run| random_run(machine, &mut Rng(seed * 100 + run), 40));
    runs.filter_map(Result::ok).collect()
}

/// A defect of a report about a Machine with exact times: a run that the interpreter does not replay, or a condition
/// that is reported as unreachable and is reached in a random run.
pub fn contradiction(
    machine: &Machine,
    report: &Report,
    random_runs: &[RandomRun],
) -> Option<String> {
    let fair = true;
    for (p, property) in machine.properties.iter().enumerate() {
        let name = &property.name;
        if let Err(why) = audit::confirm(&Question { machine, fair }, p, &report.answers[p]) {
            return Some(format!("{name}: {why}"));
        }
        let premise = |claim: &Formula| match report.findings.premises.get(p) {
            Some(Some(Premise::Never)) => claim.premise(),
            _ => None,
        };
        if let Some(why) = whole_run(machine, p, &report.answers[p], random_runs) {
            return Some(format!("{name}: {why}"));
        }
        // Conditions, each with the value that it has in no state.
        let never: Vec<(Expr, bool)> = match (&report.answers[p], &property.kind) {
            (Answer::Impossible, PropertyKind::Possible(condition)) => {
                vec![(condition.clone(), true)]
            }
            (Answer::Holds, PropertyKind::Claim(claim)) => {
                let invariant = claim.invariant().map(|e| (e, false));
                let premise = premise(claim).map(|e| (e, true));
                invariant.into_iter().chain(premise).collect()
            }
            _ => continue,
        };
        for (condition, value) in &never {
            for RandomRun { run, states } in random_runs {
                let instance = Instance {
                    machine,
                    frozen: &run.frozen,
                };
                let is = |s: &State| instance.holds(s, condition, &[]) == Ok(*value);
                if let Some(event) = states.iter().position(is) {
                    let answer = &report.answers[p];
                    return Some(format!("{name}: {answer:?}, but not after {event} events"));
                }
            }
        }
    }
    None
}

/// A complete random run that contradicts an answer: it ends in an error, or breaks the claim.
fn whole_run(
    machine: &Machine,
    p: usize,
    answer: &Answer,
    random_runs: &[RandomRun],
) -> Option<String> {
    if !matches!(answer, Answer::Holds | Answer::Impossible) {
        return None;
    }
    let question = &Question {
        machine,
        fair: true,
    };
    random_runs.iter().find_map(|RandomRun { run, .. }| {
        let events = run.choices.len();
        let run = Box::new(run.clone());
        match run.ending {
            Ending::Error(_) => Some(format!("{answer:?}, but an error after {events} events")),
            Ending::StandsStill if *answer == Answer::Holds => {
                let broken = audit::confirm(question, p, &Answer::Fails(run)).is_ok();
                broken.then(|| format!("{answer:?}, but not by a run of {events} events"))
            }
            _ => None,
        }
    })
}
