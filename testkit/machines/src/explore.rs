//! Every reachable state of an instance, breadth first, by nothing but `choices` and `step`.
//!
//! The oracle that engines are compared with: short and obvious, and as slow as that makes it. Counters are 0 or more: each
//! state is the normal form of those that are the same ([`Machine::normalised`](machine::Machine::normalised)).

use machine::{Choice, InitialError, Instance, RunError, State, StepError};
use std::collections::HashMap;

/// What an instance can reach.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// The states, the initial ones first, then in the order in which they were found.
    pub states: Vec<State>,
    /// How many of them are initial.
    pub initial: usize,
    /// For each state that was looked at its choices that lead to a state, and that state.
    pub successors: Vec<Vec<(Choice, usize)>>,
    /// States with a choice that is an error.
    pub errors: Vec<(usize, Choice, RunError)>,
    /// Whether nothing was left out for the sake of the limit.
    pub complete: bool,
}

impl Explored {
    /// How many choices lead from a state to a state; those that are errors are not among them.
    pub fn transitions(&self) -> usize {
        self.successors.iter().map(Vec::len).sum()
    }
}

/// Every state that an instance can reach, or about as many as the limit says.
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

/// The number of a state, a new one if it is new.
fn number(state: State, states: &mut Vec<State>, numbers: &mut HashMap<State, usize>) -> usize {
    *numbers.entry(state.clone()).or_insert_with(|| {
        states.push(state);
        states.len() - 1
    })
}
