//! States in which much can happen, but no time can pass any more: an error that no single event is.
//!
//! Such states need code that causes itself again at the same moment (`grid::goes_round_in_no_time`), so they are looked
//! for only where there is some, and by the reference interpreter. That none is found says nothing.

use machine::{Abstraction, Choice, Digitisation, Event, Instance, Machine, State, StepError};
use std::collections::{HashSet, VecDeque};
use verdict::{Budget, Ending, Progress, Run};

/// States that are looked at to find one in which time stands still for ever.
const MOST_STATES: usize = 2_000;

/// A shortest run on a grid into a state in which much can happen, but no time can pass any more.
pub(crate) fn stuck(exact: &Machine, grid: &Digitisation, budget: &dyn Budget) -> Option<Run> {
    let machine = Machine {
        abstraction: Abstraction::Digitised(grid.clone()),
        ..exact.clone()
    };
    let wait = Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: None,
    };
    let mut looked_at = 0;
    for frozen in machine.frozen_choices() {
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let mut seen: HashSet<State> = HashSet::new();
        let mut found: VecDeque<(State, Run)> = VecDeque::new();
        for (looks, look) in instance
            .initial_states_from(instance.initial_parts().ok()?)
            .enumerate()
        {
            if looks.is_multiple_of(256) && budget.ask(&Progress::default()).is_some() {
                return None;
            }
            // The others are not looked at below, but if one is an error that is somebody else's to say.
            let initial = look.ok()?.filter(|_| found.len() < MOST_STATES);
            found.extend(initial.map(|(_, initial)| {
                let run = Run {
                    frozen: frozen.clone(),
                    initial: initial.clone(),
                    choices: Vec::new(),
                    ending: Ending::Open,
                };
                (initial, run)
            }));
        }
        while let Some((state, mut run)) = found.pop_front() {
            looked_at += 1;
            if looked_at > MOST_STATES || budget.ask(&Progress::default()).is_some() {
                return None;
            }
            if let Err(StepError::Error(error)) = instance.step(&state, &wait) {
                run.choices.push(wait);
                run.ending = Ending::Error(error);
                return Some(run);
            }
            for choice in instance.choices(&state) {
                if let Ok(next) = instance.step(&state, &choice)
                    && seen.insert(next.clone())
                {
                    let mut longer = run.clone();
                    longer.choices.push(choice);
                    found.push_back((next, longer));
                }
            }
        }
    }
    None
}
