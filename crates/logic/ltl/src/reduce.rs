//! Reduces an automaton and preserves its language.
//!
//! These passes repeat while the automaton shrinks: remove states that are on no accepting run; remove redundant marks;
//! remove edges that other edges to the same state cover; merge bisimilar states; reduce by simulation (`simulate`);
//! renumber the marks of each component separately.

use std::collections::{BTreeMap, BTreeSet};

use crate::automaton::{Buchi, BuchiState, Edge, Guard};
use crate::defects::{Defect, broken};
use crate::scc::component_numbers;
use crate::{component, simulate};

/// An automaton with the same language that is not larger.
pub(crate) fn reduce(automaton: Buchi) -> Buchi {
    let alternatives = automaton.initial.len() > 1;
    let mut reduced = reduce_as_it_is(automaton);
    if alternatives {
        // If there are several initial states, one new initial state with the edges of all of them may allow more
        // reductions.
        let mut one = reduced.clone();
        let first = (one.initial.iter()).flat_map(|q| one.states[*q].edges.clone());
        let edges = first.collect();
        one.initial = vec![one.states.len()];
        one.states.push(BuchiState { edges });
        let one = reduce_as_it_is(one);
        if size(&one) < size(&reduced) {
            reduced = one;
        }
    }
    simulate::sharpen(&mut reduced);
    reduced
}

fn reduce_as_it_is(mut automaton: Buchi) -> Buchi {
    loop {
        let before = size(&automaton);
        tidy(&mut automaton);
        simulate::forwards(&mut automaton);
        tidy(&mut automaton);
        // The marks of edges between components are irrelevant. With all marks, such edges cover more edges.
        let all = automaton.all_marks();
        mark_bridges(&mut automaton, all);
        simulate::forwards(&mut automaton);
        mark_bridges(&mut automaton, 0);
        tidy(&mut automaton);
        simulate::backwards(&mut automaton);
        tidy(&mut automaton);
        fewest_marks_in_each_component(&mut automaton);
        if size(&automaton) >= before {
            return automaton;
        }
    }
}

fn tidy(automaton: &mut Buchi) {
    drop_useless_states(automaton);
    clear_idle_marks(automaton);
    drop_redundant_marks(automaton);
    drop_covered_edges(automaton);
    merge_equal_states(automaton);
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

/// Removes states that are unreachable or from which no word is accepted.
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

/// Clears the marks of edges that no accepting run takes infinitely often: edges between components and edges in
/// components that are not accepting.
fn clear_idle_marks(automaton: &mut Buchi) {
    let edges = graph(automaton);
    let component = component_numbers(&edges);
    let accepting = component::accepting(&edges, automaton.all_marks());
    for (q, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            if component[q] != component[edge.target] || !accepting[q] {
                edge.marks = 0;
            }
        }
    }
}

/// Removes a mark if every inner edge of a component has it, or if every inner edge with some other mark has it, too.
/// Then the mark is implied.
fn drop_redundant_marks(automaton: &mut Buchi) {
    let edges = graph(automaton);
    let component = component_numbers(&edges);
    let inner: BTreeSet<u64> = (edges.iter().enumerate())
        .flat_map(|(q, leaving)| {
            leaving
                .iter()
                .map(move |&(target, marks)| (q, target, marks))
        })
        .filter(|&(q, target, _)| component[q] == component[target])
        .map(|(_, _, marks)| marks)
        .collect();
    let kept = needed_marks(automaton.acceptance, &inner);
    for edge in automaton.states.iter_mut().flat_map(|s| &mut s.edges) {
        edge.marks = renamed(edge.marks, &kept);
    }
    automaton.acceptance = kept.len() as u32;
}

/// Sets the marks of all edges between components. No run takes such an edge infinitely often, so this preserves the
/// language.
fn mark_bridges(automaton: &mut Buchi, marks: u64) {
    let component = component_numbers(&graph(automaton));
    for (q, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            if component[q] != component[edge.target] {
                edge.marks = marks;
            }
        }
    }
}

/// Renumbers the marks of each component separately, if this reduces the number of marks of the automaton. A component
/// that needs fewer marks than another gets the missing ones on all its inner edges.
fn fewest_marks_in_each_component(automaton: &mut Buchi) {
    let edges = graph(automaton);
    let component = component_numbers(&edges);
    let accepting = component::accepting(&edges, automaton.all_marks());
    let mut inner: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    let mut rejecting = false;
    for (q, leaving) in edges.iter().enumerate() {
        for &(target, marks) in leaving {
            if component[q] == component[target] {
                rejecting |= !accepting[q];
                if accepting[q] {
                    inner.entry(component[q]).or_default().insert(marks);
                }
            }
        }
    }
    let kept: BTreeMap<usize, Vec<u32>> = (inner.iter())
        .map(|(component, marks)| (*component, needed_marks(automaton.acceptance, marks)))
        .collect();
    let most = kept.values().map(Vec::len).max().unwrap_or(0);
    let most = most.max(usize::from(rejecting)) as u32;
    if most >= automaton.acceptance {
        return;
    }
    automaton.acceptance = most;
    let all = automaton.all_marks();
    for (q, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            let old = std::mem::take(&mut edge.marks);
            if component[q] == component[edge.target] && accepting[q] {
                let kept = &kept[&component[q]];
                edge.marks =
                    renamed(old, kept) | all & u64::MAX.checked_shl(kept.len() as u32).unwrap_or(0);
            }
        }
    }
}

/// The marks out of `0..count` without those that are on every edge, and without those that are on every edge with
/// another kept mark. `edges` are the mark sets of the edges.
fn needed_marks(count: u32, edges: &BTreeSet<u64>) -> Vec<u32> {
    let mut kept: Vec<u32> = (0..count).collect();
    for mark in 0..count {
        let has = |marks: &u64, mark: u32| marks >> mark & 1 != 0;
        let recurs_with =
            |other: &u32| *other != mark && (edges.iter()).all(|m| !has(m, *other) || has(m, mark));
        if edges.iter().all(|m| has(m, mark)) || kept.iter().any(recurs_with) {
            kept.retain(|k| *k != mark);
        }
    }
    if broken(Defect::MarkDropped) {
        kept.pop();
    }
    kept
}

/// The set `marks` restricted to the marks in `kept`, renumbered from 0.
fn renamed(marks: u64, kept: &[u32]) -> u64 {
    (kept.iter().enumerate()).fold(0, |new, (number, mark)| new | (marks >> mark & 1) << number)
}

/// Removes an edge if other edges to the same state with at least its marks cover its guard. Removes a literal from the
/// guard of an edge if these other edges cover the difference.
fn drop_covered_edges(automaton: &mut Buchi) {
    for state in &mut automaton.states {
        state.edges.sort();
        state.edges.dedup();
        let mut next = 0;
        while next < state.edges.len() {
            let mut edge = state.edges.remove(next);
            let beside = |e: &&Edge| e.target == edge.target && edge.marks & !e.marks == 0;
            let guards: Vec<Guard> = state.edges.iter().filter(beside).map(|e| e.guard).collect();
            if simulate::covered(edge.guard, &guards) {
                continue;
            }
            for bit in (0..64).map(|atom| 1u64 << atom) {
                let Guard { positive, negative } = edge.guard;
                if (positive | negative) & bit != 0 {
                    let other = Guard {
                        positive: positive ^ bit,
                        negative: negative ^ bit,
                    };
                    if simulate::covered(other, &guards) {
                        edge.guard.positive &= !bit;
                        edge.guard.negative &= !bit;
                    }
                }
            }
            state.edges.insert(next, edge);
            next += 1;
        }
    }
}

/// Merges bisimilar states. The coarsest bisimulation is computed by partition refinement, starting with one class.
fn merge_equal_states(automaton: &mut Buchi) {
    let mut class = vec![0; automaton.states.len()];
    let mut classes = usize::from(!class.is_empty());
    loop {
        let mut numbers = BTreeMap::new();
        let refined: Vec<usize> = (automaton.states.iter())
            .map(|state| {
                let guard = |e: &Edge| {
                    if broken(Defect::GuardsIgnored) {
                        Guard::TRUE
                    } else {
                        e.guard
                    }
                };
                let seen = |e: &Edge| (guard(e), e.marks, class[e.target]);
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

/// Replaces the states by their classes: the first state of a class represents it. States without a class are removed,
/// together with the edges to them. Classes must be numbered in the order of their first states.
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
