//! One random run with all its states: what a simulation makes many of.

use crate::agenda::Agenda;
use crate::beginning::{NoBeginning, begin};
use machine::random::Rng;
use machine::{Frozen, Instance, Machine, State, StepError};
use verdict::{Ending, Run};

/// A random run, and its states: the initial one, and the one after each choice; an error has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroll {
    /// The run.
    pub run: Run,
    /// Its states.
    pub states: Vec<State>,
}

/// A random run of at most so many events from a random beginning; see the agenda for what is likely. The
/// same numbers give the same run.
pub fn stroll(machine: &Machine, rng: &mut Rng, steps: usize) -> Result<Stroll, NoBeginning> {
    let (frozen, initial) = begin(machine, None, rng)?;
    Ok(stroll_from(machine, (frozen, initial), rng, steps))
}

/// A random run of at most so many events from a beginning.
pub(crate) fn stroll_from(
    machine: &Machine,
    (frozen, initial): (Frozen, State),
    rng: &mut Rng,
    steps: usize,
) -> Stroll {
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    let mut agenda = Agenda::new(machine);
    let mut states = vec![initial.clone()];
    let mut choices = Vec::new();
    let mut ending = Ending::Open;
    while choices.len() < steps {
        let now = states.last().expect("at least the initial state");
        let Some(choice) = agenda.draw(instance, now, rng) else {
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
    Stroll { run, states }
}
