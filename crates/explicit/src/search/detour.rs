//! Detours around states in which the condition of a property has no value. A run ends in such a state. If the path
//! that the search found to a violation or match passes through such a state, another path is needed.

use crate::graph::state_graph::Graph;
use crate::graph::witness;
use crate::program::condition::Condition;
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;

/// The states of an instance in which the condition of a property has no value.
#[derive(Default)]
pub(crate) struct UndefinedStates {
    /// The states.
    pub(crate) ends: HashSet<u32>,
    /// Whether a violation or match was found whose recorded path passes through one of these states.
    pub(crate) behind: bool,
}

impl UndefinedStates {
    /// Whether the recorded path to a state passes through one of these states.
    pub(crate) fn is_behind(&self, graph: &Graph<'_>, state: u32) -> bool {
        let passes = || {
            witness::path(graph, state)
                .iter()
                .any(|s| self.ends.contains(s))
        };
        !self.ends.is_empty() && passes()
    }

    /// A shortest path of at most `most` events that avoids these states and leads to a state in which the condition
    /// has the value `wanted`; `None` if there is none.
    pub(crate) fn detour(
        &self,
        graph: &mut Graph<'_>,
        condition: &Condition,
        wanted: bool,
        most: usize,
    ) -> Option<Vec<u32>> {
        let initial = 0..graph.predecessors.initial();
        let mut queue: VecDeque<(u32, usize)> = initial.map(|s| (s, 0)).collect();
        queue.retain(|(s, _)| !self.ends.contains(s));
        let mut came: HashMap<u32, Option<u32>> = queue.iter().map(|(s, _)| (*s, None)).collect();
        while let Some((state, depth)) = queue.pop_front() {
            graph.open(state);
            if condition.holds(&graph.context(), &[]) == Some(wanted) {
                let mut way = vec![state];
                while let Some(before) = came[&way[way.len() - 1]] {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if depth == most {
                continue;
            }
            graph.each_transition(state, &mut |graph, transition| {
                let target = transition
                    .target
                    .and_then(|(initial_values, _)| graph.store.find(initial_values));
                if let Some(target) = target.filter(|t| !self.ends.contains(t)) {
                    came.entry(target).or_insert_with(|| {
                        queue.push_back((target, depth + 1));
                        Some(state)
                    });
                }
                true
            });
        }
        None
    }
}
