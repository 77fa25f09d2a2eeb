//! Where an instance begins: its initial states, one after the other into the graph.
//!
//! Each is made, packed and forgotten; the graph keeps its number, from which it is made again for whoever wants to
//! see it. So a state in which runs begin takes no more than any other state.

use crate::diagnose::enumeration_limits;
use crate::graph::state_graph::Graph;
use crate::search::search_state::{Search, Stop};
use machine::{InitialError, InitialStates, State};
use verdict::Refusal;

/// How often somebody looks for the next one before the budget is asked.
const LOOKS: u64 = 256;

impl Search<'_> {
    /// The first of the states in which an instance begins; none if it has none.
    pub(crate) fn first_state(
        &self,
        states: &mut InitialStates<'_>,
    ) -> Result<Option<(u64, State)>, Stop> {
        enumeration_limits::refuse(states.candidates()).map_err(Stop::Unsupported)?;
        for (temporal_claims, look) in (0u64..).zip(states) {
            if temporal_claims.is_multiple_of(LOOKS) {
                self.ask_before()?;
            }
            if let Some(first) = look.map_err(wrong)? {
                return Ok(Some(first));
            }
        }
        Ok(None)
    }

    /// Adds all states in which an instance begins to its graph, the first of which is known; and says how many there are.
    pub(crate) fn add_states(
        &mut self,
        graph: &mut Graph<'_>,
        first: (u64, State),
    ) -> Result<u64, Stop> {
        let (mut temporal_claims, mut count) = (0u64, 0);
        let mut next = Some(Ok(Some(first)));
        while let Some(look) = next {
            if temporal_claims.is_multiple_of(LOOKS) {
                self.ask(graph, 0, 0)?;
            }
            temporal_claims += 1;
            if let Some((number, state)) = look.map_err(wrong)? {
                count += 1;
                // Without room nothing of this counts, but for what is wrong with a later one.
                if graph.expander().layout.out_of_bounds.get().is_none() {
                    graph.add_initial(number, &state);
                }
            }
            next = graph.starts_with.next();
        }
        // Shifts of each other are one.
        Ok(match graph.compiled.machine.counters.is_empty() {
            true => count,
            false => u64::from(graph.store.len()),
        })
    }
}

fn wrong(error: InitialError) -> Stop {
    Stop::Refused(Refusal::Initial(error))
}
