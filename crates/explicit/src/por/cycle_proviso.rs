//! The cycle proviso: no event is left out for ever.
//!
//! When nothing is left to expand, every strongly connected part of the states that were expanded in part, or are
//! not settled, is looked for a settled one (there is one, as what goes out makes outboxes shorter), and the first of it
//! is expanded wholly. That may give new states; the search goes on, and then looks again. In the end every cycle has
//! a state that was expanded wholly. After several rounds, whole parts are expanded: rounds end.

use crate::defects::{Defect, broken};
use crate::graph::partial_expansion::Expanded;
use crate::graph::state_graph::{ERROR, Graph};
use ltl::scc::all_components;

/// In so many rounds one state of each part is expanded; in further ones all of them are.
const PATIENCE: u32 = 12;

/// Expands states wholly until there are new ones, or every cycle has such a state.
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

/// Expands a state once more, wholly.
fn expand_again<'g>(
    graph: &mut Graph<'g>,
    expand: &mut dyn FnMut(&mut Graph<'g>, u32),
    state: u32,
) {
    // Transitions of a state stand between those of the one before and the one behind: these come last.
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

/// States to be expanded wholly, such that each part with a cycle has one.
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
