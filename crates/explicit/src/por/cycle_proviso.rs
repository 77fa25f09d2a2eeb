//! The cycle proviso: no event is postponed for ever.
//!
//! When all states have been expanded, the strongly connected components of the states that are not fully expanded are
//! computed. In each one that contains a cycle, the first settled state is fully expanded; there is one, because
//! transmissions shorten outboxes. If this gives new states, the search continues, and the proviso is checked again
//! afterwards. Finally every cycle contains a fully expanded state. After [`PATIENCE`] passes, all settled states of
//! such components are expanded, so that the number of passes is small.

use crate::defects::{Defect, broken};
use crate::graph::partial_expansion::Expanded;
use crate::graph::state_graph::{ERROR, Graph};
use ltl::scc::all_components;

/// The number of passes in which one state of each component is expanded; further passes expand all settled states.
const PATIENCE: u32 = 12;

/// Expands states fully until new states are found, every cycle contains a fully expanded state, or a counter is out of
/// bounds.
pub(crate) fn expand_cycles<'g>(
    graph: &mut Graph<'g>,
    expand: &mut dyn FnMut(&mut Graph<'g>, u32),
) {
    let before = graph.store.len();
    while graph.store.len() == before && graph.expander().layout.out_of_bounds.get().is_none() {
        let states = first_of_cycles(graph);
        if states.is_empty() {
            return;
        }
        for state in states {
            expand_again(graph, expand, state);
        }
    }
}

/// Fully expands a state that was partially expanded.
fn expand_again<'g>(
    graph: &mut Graph<'g>,
    expand: &mut dyn FnMut(&mut Graph<'g>, u32),
    state: u32,
) {
    // Transitions are stored by state in order. The new ones are appended at the end, and their range is recorded.
    let last = graph.transitions.starts.len() as u32 - 2;
    let (kept, old) = (graph.transitions_of(last), graph.transitions_of(state));
    let first = graph.transitions.targets.len();
    graph.transitions.count -= old.len() as u64;
    if let Some(partial) = &mut graph.partial {
        partial.again.entry(last).or_insert(kept);
        partial.whole.insert(state);
    }
    graph.predecessors.revisit(state);
    expand(graph, state);
    graph.transitions.starts.pop();
    let end = graph.transitions.targets.len();
    if let Some(start) = graph.transitions.starts.last_mut() {
        *start = end as u64;
    }
    if let Some(partial) = &mut graph.partial {
        partial.again.insert(state, first..end);
    }
}

/// The states to expand fully in this pass: at least one of each component that contains a cycle and a settled state.
fn first_of_cycles(graph: &mut Graph<'_>) -> Vec<u32> {
    if let Some(partial) = &mut graph.partial {
        partial.rounds += 1;
    }
    let Some(reduction) = &graph.partial else {
        return Vec::new();
    };
    let patient = reduction.rounds <= PATIENCE;
    if broken(Defect::CyclesForgotten) {
        return Vec::new();
    }
    let inside = |state: u32| reduction.expanded[state as usize] != Expanded::Fully;
    let parts = all_components(graph.store.len(), |state, ahead| {
        let targets = graph
            .transitions_of(state)
            .map(|t| graph.transitions.targets[t]);
        let staying = targets.filter(|t| *t != ERROR && inside(*t) && inside(state));
        ahead.extend(staying.map(|t| t as usize));
    });
    let loops = |part: &[u32]| {
        let own = |t: usize| graph.transitions.targets[t] == part[0];
        part.len() > 1 || inside(part[0]) && graph.transitions_of(part[0]).any(own)
    };
    let mut found = Vec::new();
    for part in parts.iter().filter(|part| loops(part)) {
        let settled = |state: &&u32| reduction.expanded[**state as usize] == Expanded::Partially;
        match patient {
            true => found.extend(part.iter().filter(settled).min()),
            false => found.extend(part.iter().filter(settled)),
        }
    }
    found.sort_unstable();
    found
}
