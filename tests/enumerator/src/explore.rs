//! Everything that can be reached, state by state, and whether time can always go on.

use crate::exec::Outcome;
use crate::instance::Instance;
use crate::state::State;
use crate::value::{Res, Value, refuse};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A state, what its events come to, and the state a unit of time later if time may pass.
pub(crate) struct Step<'s> {
    pub state: &'s State,
    pub outcomes: &'s [Outcome],
    pub later: Option<&'s State>,
}

/// The states that were found, in that order, and how they follow each other.
#[derive(Default)]
pub(crate) struct Graph {
    places: HashMap<Rc<State>, usize>,
    /// What nodes hold in their variables, each once: states share it.
    vars: HashSet<Rc<Vec<Value>>>,
    pub states: Vec<Rc<State>>,
    /// So many of them, from the first on, are initial.
    pub initial: usize,
    /// For each state those after its events.
    pub after: Vec<Vec<usize>>,
    /// For each state the one a unit of time later.
    pub later: Vec<Option<usize>>,
    /// Events that end in a run-time error.
    pub errors: usize,
}

impl Graph {
    fn place(&mut self, mut state: State, limit: usize) -> Res<usize> {
        if let Some(place) = self.places.get(&state) {
            return Ok(*place);
        }
        let place = self.states.len();
        if place == limit {
            return refuse(format!("more than {limit} states"));
        }
        for node in &mut state.nodes {
            match self.vars.get(&node.vars) {
                Some(same) => node.vars = same.clone(),
                None => {
                    self.vars.insert(node.vars.clone());
                }
            }
        }
        let state = Rc::new(state);
        self.places.insert(state.clone(), place);
        self.states.push(state);
        Ok(place)
    }

    /// Whether there is a state from which time cannot go on for ever. As there are finitely many states, then
    /// there is one from which it cannot go on at all.
    fn time_ends(&self) -> bool {
        let mut before = vec![Vec::new(); self.states.len()];
        for (place, after) in self.after.iter().enumerate() {
            after.iter().for_each(|next| before[*next].push(place));
        }
        let mut goes_on: Vec<bool> = self.later.iter().map(Option::is_some).collect();
        let mut todo: Vec<usize> = (0..goes_on.len()).filter(|place| goes_on[*place]).collect();
        while let Some(place) = todo.pop() {
            for &earlier in &before[place] {
                if !goes_on[earlier] {
                    goes_on[earlier] = true;
                    todo.push(earlier);
                }
            }
        }
        !goes_on.into_iter().all(|goes_on| goes_on)
    }
}

impl Instance<'_> {
    /// Visits every reachable state once until `visit` says `false`.
    pub fn explore(&self, limit: usize, mut visit: impl FnMut(&Step) -> Res<bool>) -> Res<Graph> {
        let mut graph = Graph::default();
        for state in self.initial_states(limit)? {
            graph.place(state, limit)?;
        }
        graph.initial = graph.states.len();
        let mut next = 0;
        while next < graph.states.len() {
            let state = graph.states[next].clone();
            let outcomes = self.successors(&state)?;
            let later = self.later(&state);
            let step = Step {
                state: &state,
                outcomes: &outcomes,
                later: later.as_ref(),
            };
            if !visit(&step)? {
                return Ok(graph);
            }
            let mut after = Vec::new();
            for outcome in outcomes {
                match outcome {
                    Ok(state) => after.push(graph.place(state, limit)?),
                    Err(_) => graph.errors += 1,
                }
            }
            graph.after.push(after);
            let later = later.map(|state| graph.place(state, limit));
            graph.later.push(later.transpose()?);
            next += 1;
        }
        Ok(graph)
    }

    /// Whether a run can end in an error, or come to a state from which time cannot go on for ever.
    pub fn has_errors(&self, graph: &Graph) -> bool {
        graph.errors > 0 || self.clock.is_some() && graph.time_ends()
    }
}
