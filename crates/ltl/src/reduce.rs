//! Makes an automaton smaller without changing which words it accepts.
//!
//! Four reductions, repeated while one of them removes a state or an edge:
//! states on no accepting run go; marks that decide nothing go; an edge beside a more permissive
//! one to the same state goes; states that cannot be told apart become one.

use std::collections::{BTreeMap, BTreeSet};

use crate::automaton::{Buchi, BuchiState, Edge};
use crate::component;

/// An automaton with the words of `automaton`, with at most as many states, edges and marks.
pub(crate) fn reduce(mut automaton: Buchi) -> Buchi {
    loop {
        let size = size(&automaton);
        drop_useless_states(&mut automaton);
        clear_idle_marks(&mut automaton);
        drop_redundant_marks(&mut automaton);
        drop_covered_edges(&mut automaton);
        merge_equal_states(&mut automaton);
        if self::size(&automaton) == size {
            return automaton;
        }
    }
}

fn size(automaton: &Buchi) -> (usize, usize, u32) {
    let edges = automaton.states.iter().map(|s| s.edges.len()).sum();
    (automaton.states.len(), edges, automaton.acceptance)
}

fn graph(automaton: &Buchi) -> Vec<Vec<(usize, u64)>> {
    (automaton.states.iter())
        .map(|state| state.edges.iter().map(|e| (e.target, e.marks)).collect())
        .collect()
}

/// Removes the states that are not reachable and those from which no word is accepted.
fn drop_useless_states(automaton: &mut Buchi) {
    let edges = graph(automaton);
    let accepting = component::accepting(&edges, automaton.all_marks());
    let mut backwards = vec![Vec::new(); edges.len()];
    for (source, leaving) in edges.iter().enumerate() {
        for &(target, _) in leaving {
            backwards[target].push((source, 0));
        }
    }
    let reached = reachable(&edges, automaton.initial.iter().copied());
    let useful = reachable(&backwards, (0..edges.len()).filter(|&q| accepting[q]));
    let mut class = vec![None; edges.len()];
    let kept = (0..edges.len()).filter(|&q| reached[q] && useful[q]);
    for (number, q) in kept.enumerate() {
        class[q] = Some(number);
    }
    renumber(automaton, &class);
}

fn reachable(edges: &[Vec<(usize, u64)>], from: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut todo: Vec<usize> = from.collect();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            todo.extend(edges[node].iter().map(|&(target, _)| target));
        }
    }
    seen
}

/// Clears the marks of edges that no accepting run takes infinitely often.
fn clear_idle_marks(automaton: &mut Buchi) {
    let edges = graph(automaton);
    let component = component::components(&edges);
    let accepting = component::accepting(&edges, automaton.all_marks());
    for (q, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            if component[q] != component[edge.target] || !accepting[q] {
                edge.marks = 0;
            }
        }
    }
}

/// Removes a mark that recurs on every run on which another given mark does, or that is on every
/// edge an infinite run can take for ever.
fn drop_redundant_marks(automaton: &mut Buchi) {
    let edges = graph(automaton);
    let component = component::components(&edges);
    let inner: BTreeSet<u64> = (edges.iter().enumerate())
        .flat_map(|(q, leaving)| {
            leaving
                .iter()
                .map(move |&(target, marks)| (q, target, marks))
        })
        .filter(|&(q, target, _)| component[q] == component[target])
        .map(|(_, _, marks)| marks)
        .collect();
    let mut kept: Vec<u32> = (0..automaton.acceptance).collect();
    for mark in 0..automaton.acceptance {
        let has = |marks: &u64, mark: u32| marks >> mark & 1 != 0;
        let recurs_with =
            |other: &u32| *other != mark && (inner.iter()).all(|m| !has(m, *other) || has(m, mark));
        if inner.iter().all(|m| has(m, mark)) || kept.iter().any(recurs_with) {
            kept.retain(|k| *k != mark);
        }
    }
    for edge in automaton.states.iter_mut().flat_map(|s| &mut s.edges) {
        let old = edge.marks;
        edge.marks = (kept.iter().enumerate())
            .fold(0, |marks, (new, mark)| marks | (old >> mark & 1) << new);
    }
    automaton.acceptance = kept.len() as u32;
}

/// Removes an edge if another one to the same state has a weaker guard and no fewer marks.
fn drop_covered_edges(automaton: &mut Buchi) {
    for state in &mut automaton.states {
        state.edges.sort();
        state.edges.dedup();
        let covers = |a: &Edge, b: &Edge| {
            a != b
                && a.target == b.target
                && a.guard.follows_from(b.guard)
                && b.marks & !a.marks == 0
        };
        let all = state.edges.clone();
        state
            .edges
            .retain(|e| !all.iter().any(|other| covers(other, e)));
    }
}

/// Merges states with the same edges, where targets to be merged count as the same: the coarsest
/// bisimulation, by refining the partition into one class.
fn merge_equal_states(automaton: &mut Buchi) {
    let mut class = vec![0; automaton.states.len()];
    let mut classes = usize::from(!class.is_empty());
    loop {
        let mut numbers = BTreeMap::new();
        let refined: Vec<usize> = (automaton.states.iter())
            .map(|state| {
                let seen = |e: &Edge| (e.guard, e.marks, class[e.target]);
                let edges: BTreeSet<_> = state.edges.iter().map(seen).collect();
                let new = numbers.len();
                *numbers.entry(edges).or_insert(new)
            })
            .collect();
        let refined_classes = numbers.len();
        class = refined;
        if refined_classes == classes {
            break;
        }
        classes = refined_classes;
    }
    let class: Vec<_> = class.into_iter().map(Some).collect();
    renumber(automaton, &class);
}

/// Gives each state the number in `class`, the first one standing for all with the same number;
/// states without a number go, with the edges that lead to them. Numbers must be given in the
/// order of first use.
fn renumber(automaton: &mut Buchi, class: &[Option<usize>]) {
    let mut states: Vec<BuchiState> = Vec::new();
    for (q, state) in automaton.states.iter().enumerate() {
        if class[q] == Some(states.len()) {
            let kept = state
                .edges
                .iter()
                .filter_map(|e| class[e.target].map(|target| Edge { target, ..*e }));
            let mut edges: Vec<Edge> = kept.collect();
            edges.sort();
            edges.dedup();
            states.push(BuchiState { edges });
        }
    }
    automaton.states = states;
    let initial: BTreeSet<usize> = automaton.initial.iter().filter_map(|&q| class[q]).collect();
    automaton.initial = initial.into_iter().collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Guard;

    fn edge(target: usize, marks: u64) -> Edge {
        Edge {
            guard: Guard::TRUE,
            target,
            marks,
        }
    }

    fn automaton(acceptance: u32, states: &[&[Edge]]) -> Buchi {
        let states = (states.iter()).map(|edges| BuchiState {
            edges: edges.to_vec(),
        });
        Buchi {
            states: states.collect(),
            initial: vec![0],
            acceptance,
        }
    }

    #[test]
    fn what_accepts_nothing_vanishes() {
        let rejecting = automaton(1, &[&[edge(0, 0), edge(1, 1)], &[]]);
        assert_eq!(reduce(rejecting).states, []);
    }

    #[test]
    fn unreachable_states_vanish() {
        let reduced = reduce(automaton(0, &[&[edge(0, 0)], &[edge(0, 0), edge(1, 0)]]));
        assert_eq!(reduced.states.len(), 1);
    }

    #[test]
    fn equal_states_around_a_cycle_become_one() {
        let reduced = reduce(automaton(1, &[&[edge(1, 1)], &[edge(2, 1)], &[edge(0, 1)]]));
        assert_eq!((reduced.states.len(), reduced.acceptance), (1, 0));
    }

    #[test]
    fn a_mark_that_comes_with_another_is_redundant() {
        let both = automaton(2, &[&[edge(0, 0), edge(1, 3)], &[edge(0, 2), edge(0, 0)]]);
        let reduced = reduce(both);
        assert_eq!(reduced.acceptance, 1);
    }
}
