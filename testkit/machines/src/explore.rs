//! A naive explorer: finds all reachable states of an instance, breadth first, using only `choices` and `step`.
//!
//! Tests compare the engines with it; it is short, simple and slow. States are normalised up to shifts of counters
//! ([`Machine::normalised`](machine::Machine::normalised)).

use machine::{Choice, InitialError, Instance, RunError, State, StepError};
use std::collections::HashMap;

/// The reachable states and transitions of an instance.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// The states: initial ones first, then in the order of discovery.
    pub states: Vec<State>,
    /// The number of initial states.
    pub initial: usize,
    /// By expanded state: its choices that lead to a state, with the index of that state.
    pub successors: Vec<Vec<(Choice, usize)>>,
    /// Choices whose step is an error, with the index of the state and the error.
    pub errors: Vec<(usize, Choice, RunError)>,
    /// Whether the exploration finished within the limit.
    pub complete: bool,
}

impl Explored {
    /// The number of transitions, without choices that end in an error.
    pub fn transitions(&self) -> usize {
        self.successors.iter().map(Vec::len).sum()
    }
}

/// Explores an instance until all states are expanded or more than `limit` states are found.
pub fn explore(instance: Instance, limit: usize) -> Result<Explored, InitialError> {
    let mut found = Explored {
        complete: true,
        ..Explored::default()
    };
    let mut numbers: HashMap<State, usize> = HashMap::new();
    let normal = |state: State| match instance.machine.counters.is_empty() {
        true => state,
        false => instance.machine.normalised(&state),
    };
    for state in instance.initial_states()? {
        number(normal(state), &mut found.states, &mut numbers);
    }
    found.initial = found.states.len();
    let mut next = 0;
    while next < found.states.len() {
        if found.states.len() > limit {
            found.complete = false;
            break;
        }
        let state = found.states[next].clone();
        let mut successors = Vec::new();
        for choice in instance.choices(&state) {
            match instance.step(&state, &choice) {
                Ok(after) => {
                    let after = number(normal(after), &mut found.states, &mut numbers);
                    successors.push((choice, after));
                }
                Err(StepError::Error(error)) => found.errors.push((next, choice, error)),
                Err(StepError::NotEnabled) => unreachable!("a choice of the state"),
            }
        }
        found.successors.push(successors);
        next += 1;
    }
    Ok(found)
}

/// The index of a state, which is added if it is new.
fn number(state: State, states: &mut Vec<State>, numbers: &mut HashMap<State, usize>) -> usize {
    *numbers.entry(state.clone()).or_insert_with(|| {
        states.push(state);
        states.len() - 1
    })
}
