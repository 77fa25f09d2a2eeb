//! Explores the reachable states.

use crate::instance::data::Instance;
use crate::instance::state::{Outcome, State};
use crate::instance::value::Res;
use crate::search::graph::Graph;

/// A state, the outcomes of its enabled events, and the state after one unit of time if time may pass.
pub(crate) struct Step<'s> {
    pub state: &'s State,
    pub outcomes: &'s [Outcome],
    pub later: Option<&'s State>,
}

impl Instance<'_> {
    /// Visits every reachable state once, in the order of discovery, until `visit` returns `false`.
    pub fn explore(&self, limit: usize, mut visit: impl FnMut(&Step) -> Res<bool>) -> Res<Graph> {
        let mut graph = Graph::default();
        self.each_initial(limit, &mut |state| graph.place(state, limit).map(|_| ()))?;
        graph.initial = graph.size();
        let mut next = 0;
        while next < graph.size() {
            let state = graph.state(next);
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
            let mut after = Vec::with_capacity(outcomes.len());
            for outcome in outcomes {
                match outcome {
                    Ok(state) => after.push(graph.place(state, limit)?),
                    Err(_) => graph.errors += 1,
                }
            }
            graph.after.push(after.into_boxed_slice());
            let later = later.map(|state| graph.place(state, limit));
            graph.later.push(later.transpose()?);
            next += 1;
        }
        Ok(graph)
    }

    /// Whether some run ends in an error, or reaches a state from which time cannot diverge.
    pub fn has_errors(&self, graph: &Graph) -> bool {
        graph.errors > 0 || self.clock.is_some() && graph.time_ends()
    }
}
