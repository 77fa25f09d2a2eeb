//! Compares a report about a Machine with random runs.

use machine::random::Rng;
use machine::{Expr, Formula, Instance, Machine, PropertyKind, State};
use simulate::{RandomRun, random_run};
use std::cell::Cell;
use verdict::{Answer, Budget, Ending, Premise, Progress, Question, Report, Spent};

/// A budget that ends a search after `states` states, or after 60 calls of `ask` with unexpanded states.
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

/// Twelve random runs of a Machine with exact times.
pub fn random_runs(machine: &Machine, seed: u64) -> Vec<RandomRun> {
    let runs = (0..12).map(|run| random_run(machine, &mut Rng(seed * 100 + run), 40));
    runs.filter_map(Result::ok).collect()
}

/// The contradiction between a report and the Machine, if there is one: a run of the report that cannot be replayed, or
/// a random run that reaches a condition that the report excludes.
pub fn contradiction(
    machine: &Machine,
    report: &Report,
    random_runs: &[RandomRun],
) -> Option<String> {
    let fair = true;
    for (p, property) in machine.properties.iter().enumerate() {
        let name = &property.name;
        if let Err(why) = audit::confirm(&Question { machine, fair }, p, &report.results[p].answer)
        {
            return Some(format!("{name}: {why}"));
        }
        let premise = |claim: &Formula| match report.results[p].premise {
            Some(Premise::Never) => claim.premise(),
            _ => None,
        };
        if let Some(why) = whole_run(machine, p, &report.results[p].answer, random_runs) {
            return Some(format!("{name}: {why}"));
        }
        // Conditions, each with the value that it must have in no state.
        let never: Vec<(Expr, bool)> = match (&report.results[p].answer, &property.kind) {
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
                    let answer = &report.results[p].answer;
                    return Some(format!("{name}: {answer:?}, but not after {event} events"));
                }
            }
        }
    }
    None
}

/// A random run that has ended and contradicts an answer: it ends in an error or violates the claim.
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
