//! Everything that can be reached, state by state, and whether time can always go on.

use crate::exec::Outcome;
use crate::instance::Instance;
use crate::state::State;
use crate::value::{Res, refuse};
use std::collections::HashMap;
use std::rc::Rc;

/// A state, what its events come to, and the state a unit of time later if time may pass.
pub(crate) struct Step<'s> {
    pub state: &'s State,
    pub outcomes: &'s [Outcome],
    pub later: Option<&'s State>,
}

/// What was seen on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Explored {
    pub initial: usize,
    /// Events that end in a run-time error.
    pub errors: usize,
    /// From some state time cannot go on for ever.
    pub time_ends: bool,
}

/// The states found so far, in the order in which they were found.
#[derive(Default)]
struct Found {
    places: HashMap<Rc<State>, usize>,
    states: Vec<Rc<State>>,
}

impl Found {
    fn place(&mut self, state: State, limit: usize) -> Res<usize> {
        if let Some(place) = self.places.get(&state) {
            return Ok(*place);
        }
        let place = self.states.len();
        if place == limit {
            return refuse(format!("more than {limit} states"));
        }
        let state = Rc::new(state);
        self.places.insert(state.clone(), place);
        self.states.push(state);
        Ok(place)
    }
}

impl Instance<'_> {
    /// Visits every reachable state once until `visit` says `false`; then only what was seen before is told.
    pub fn explore(
        &self,
        limit: usize,
        mut visit: impl FnMut(&Step) -> Res<bool>,
    ) -> Res<Explored> {
        let mut explored = Explored::default();
        let mut found = Found::default();
        for state in self.initial_states(limit)? {
            found.place(state, limit)?;
        }
        explored.initial = found.states.len();
        // For each state from where it is reached, and whether time may pass in it.
        let mut before: Vec<Vec<usize>> = Vec::new();
        let mut passes: Vec<bool> = Vec::new();
        let mut next = 0;
        while next < found.states.len() {
            let state = found.states[next].clone();
            let outcomes = self.successors(&state)?;
            let later = self.later(&state);
            explored.errors += outcomes.iter().filter(|o| o.is_err()).count();
            passes.push(later.is_some());
            let step = Step {
                state: &state,
                outcomes: &outcomes,
                later: later.as_ref(),
            };
            if !visit(&step)? {
                return Ok(explored);
            }
            for after in outcomes.into_iter().flatten().chain(later) {
                let place = found.place(after, limit)?;
                if self.clock.is_some() {
                    before.resize(found.states.len(), Vec::new());
                    before[place].push(next);
                }
            }
            next += 1;
        }
        explored.time_ends = self.clock.is_some() && !all_reach(&passes, &before);
        Ok(explored)
    }
}

/// Whether from every state one of the wanted ones is reachable. Then, as there are finitely many states, from
/// every state it is so for ever.
fn all_reach(wanted: &[bool], before: &[Vec<usize>]) -> bool {
    let mut reach = wanted.to_vec();
    let mut todo: Vec<usize> = (0..reach.len()).filter(|place| reach[*place]).collect();
    while let Some(place) = todo.pop() {
        for &earlier in before.get(place).into_iter().flatten() {
            if !reach[earlier] {
                reach[earlier] = true;
                todo.push(earlier);
            }
        }
    }
    reach.into_iter().all(|reaches| reaches)
}
