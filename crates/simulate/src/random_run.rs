//! One random run with all its states: what a simulation makes many of.

use crate::initial::NoInitial;
use crate::initial::begin;
use crate::scheduler::Scheduler;
use machine::random::Rng;
use machine::{Frozen, Instance, Machine, State, StepError};
use verdict::{Ending, Run};

/// A random run, and its states: the initial one, and the one after each choice; an error has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRun {
    /// The run.
    pub run: Run,
    /// Its states.
    pub states: Vec<State>,
}

/// A random run of at most so many events from a random beginning; see the scheduler for what is likely. The
/// same numbers give the same run.
pub fn random_run(machine: &Machine, rng: &mut Rng, steps: usize) -> Result<RandomRun, NoInitial> {
    let (frozen, initial) = begin(machine, None, rng)?;
    Ok(random_run_from(machine, (frozen, initial), rng, steps))
}

/// A random run of at most so many events from a beginning.
pub fn random_run_from(
    machine: &Machine,
    (frozen, initial): (Frozen, State),
    rng: &mut Rng,
    steps: usize,
) -> RandomRun {
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    let mut scheduler = Scheduler::new(machine);
    let mut states = vec![initial.clone()];
    let mut choices = Vec::new();
    let mut ending = Ending::Open;
    while choices.len() < steps {
        let now = states.last().expect("at least the initial state");
        let Some(choice) = scheduler.draw(instance, now, rng) else {
            ending = Ending::StandsStill;
            break;
        };
        match instance.step(now, &choice) {
            Ok(next) => states.push(next),
            Err(StepError::Error(error)) => ending = Ending::Error(error),
            Err(StepError::NotEnabled) => unreachable!("it was among the possible events"),
        }
        choices.push(choice);
        if ending != Ending::Open {
            break;
        }
    }
    let run = Run {
        frozen,
        initial,
        choices,
        ending,
    };
    RandomRun { run, states }
}
