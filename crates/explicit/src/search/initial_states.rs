//! Enumeration of the initial states of an instance.
//!
//! Each initial state is created, packed and dropped. The graph stores only its index, from which the state is created
//! again when it is needed. So an initial state takes no more memory than any other state.

use crate::diagnose::enumeration_limits::{self, too_many_values};
use crate::graph::state_graph::Graph;
use crate::search::search_state::{Search, Stop};
use machine::{InitialError, InitialStates, Machine, State};
use verdict::Refusal;

/// The number of candidates for initial states between two checks of the budget.
const CANDIDATES_PER_QUESTION: u64 = 256;

impl Search<'_> {
    /// The first initial state of an instance with its index; `None` if the instance has no initial state.
    pub(crate) fn first_state(
        &self,
        states: &mut InitialStates<'_>,
    ) -> Result<Option<(u64, State)>, Stop> {
        enumeration_limits::refuse(states.candidates()).map_err(Stop::Unsupported)?;
        let machine = self.task.question.machine;
        for (temporal_claims, look) in (0u64..).zip(states) {
            if temporal_claims.is_multiple_of(CANDIDATES_PER_QUESTION) {
                self.ask_without_states()?;
            }
            if let Some(first) = look.map_err(|error| no_initial_states(machine, error))? {
                return Ok(Some(first));
            }
        }
        Ok(None)
    }

    /// Adds all initial states of an instance to the graph. `first` is the first one. Returns the number of initial
    /// states.
    pub(crate) fn add_states(
        &mut self,
        graph: &mut Graph<'_>,
        first: (u64, State),
    ) -> Result<u64, Stop> {
        let (mut temporal_claims, mut count) = (0u64, 0);
        let mut next = Some(Ok(Some(first)));
        let machine = graph.compiled.machine;
        while let Some(look) = next {
            if temporal_claims.is_multiple_of(CANDIDATES_PER_QUESTION) {
                self.ask(graph, 0, 0)?;
            }
            temporal_claims += 1;
            let look = look.map_err(|error| no_initial_states(machine, error))?;
            if let Some((number, state)) = look {
                count += 1;
                // The search will be repeated with wider bounds. The enumeration continues, because an error in a later
                // initial state must be reported.
                if graph.expander().layout.out_of_bounds.get().is_none() {
                    graph.add_initial(number, &state);
                }
            }
            next = graph.initial_states.next();
        }
        // Initial states that differ only by a shift of counters are equal.
        Ok(match graph.compiled.machine.counters.is_empty() {
            true => count,
            false => u64::from(graph.store.len()),
        })
    }
}

/// The end of a search that cannot compute the initial states. Too many values to list are unsupported, but no error of
/// the Machine.
pub(crate) fn no_initial_states(machine: &Machine, error: InitialError) -> Stop {
    match error {
        InitialError::TooMany(var, values) => {
            Stop::Unsupported(too_many_values(&machine.vars[var.index()].name, values))
        }
        error => Stop::Refused(Refusal::Initial(error)),
    }
}
