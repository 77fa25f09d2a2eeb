//! One random run with all its states.

use crate::initial::{NoInitial, begin};
use crate::scheduler::Scheduler;
use machine::random::Rng;
use machine::{Frozen, Instance, Machine, State, StepError};
use verdict::{Ending, Run};

/// A random run and its states: the initial state, and the state after each choice. A last choice that ends in an error
/// has no state after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRun {
    /// The run.
    pub run: Run,
    /// The states of the run.
    pub states: Vec<State>,
}

/// A random run of at most `steps` events from a random initial state. [`Scheduler`] defines the distribution. The same
/// state of `rng` gives the same run.
pub fn random_run(machine: &Machine, rng: &mut Rng, steps: usize) -> Result<RandomRun, NoInitial> {
    let (frozen, initial) = begin(machine, None, rng)?;
    Ok(random_run_from(machine, (frozen, initial), rng, steps))
}

/// A random run of at most `steps` events from the given initial state.
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
            Err(StepError::NotEnabled) => unreachable!("the scheduler draws enabled events"),
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
