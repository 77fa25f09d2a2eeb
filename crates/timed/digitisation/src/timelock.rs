//! Time-locks: states from which events can fire, but time can never pass again. A time-lock is an error of the model,
//! although no single event fails.
//!
//! A time-lock requires code that triggers itself again at the same time (`machine::may_loop_in_zero_time`). Only Machines
//! with such code are searched, by the reference interpreter. A search without a result proves nothing.

use machine::{Abstraction, Choice, Digitisation, Event, Instance, Machine, State, StepError};
use std::collections::{HashSet, VecDeque};
use verdict::{Budget, Ending, Progress, Run};

/// The largest number of states that the search expands.
const MOST_STATES: usize = 2_000;

/// A digitised run into a time-lock, found by breadth-first search; `None` if none is found.
pub(crate) fn find_timelock(
    exact: &Machine,
    digitisation: &Digitisation,
    budget: &dyn Budget,
) -> Option<Run> {
    let machine = Machine {
        abstraction: Abstraction::Digitised(digitisation.clone()),
        ..exact.clone()
    };
    let wait = Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: None,
    };
    let mut expanded = 0;
    for frozen in machine.frozen_choices() {
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let mut visited: HashSet<State> = HashSet::new();
        let mut queue: VecDeque<(State, Run)> = VecDeque::new();
        for (number, candidate) in instance
            .initial_states_from(instance.initial_parts().ok()?)
            .enumerate()
        {
            if number.is_multiple_of(256) && budget.ask(&Progress::default()).is_some() {
                return None;
            }
            // Initial states beyond `MOST_STATES` are not expanded. An error in an initial state is reported by the
            // engine.
            let initial = candidate.ok()?.filter(|_| queue.len() < MOST_STATES);
            queue.extend(initial.map(|(_, initial)| {
                let run = Run {
                    frozen: frozen.clone(),
                    initial: initial.clone(),
                    choices: Vec::new(),
                    ending: Ending::Open,
                };
                (initial, run)
            }));
        }
        while let Some((state, mut run)) = queue.pop_front() {
            expanded += 1;
            if expanded > MOST_STATES || budget.ask(&Progress::default()).is_some() {
                return None;
            }
            if let Err(StepError::Error(error)) = instance.step(&state, &wait) {
                run.choices.push(wait);
                run.ending = Ending::Error(error);
                return Some(run);
            }
            for choice in instance.choices(&state) {
                if let Ok(next) = instance.step(&state, &choice)
                    && visited.insert(next.clone())
                {
                    let mut longer = run.clone();
                    longer.choices.push(choice);
                    queue.push_back((next, longer));
                }
            }
        }
    }
    None
}
