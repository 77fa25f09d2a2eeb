//! Reduction by simulation: removes states and edges that others simulate.
//!
//! **Definition.** State p *simulates* state q if for each edge of q and each letter of its guard, p has an edge for
//! this letter with at least the same marks, whose target simulates the target of the edge of q. Then p accepts every
//! word that q accepts. So states that simulate each other are merged, an edge is removed if other edges of its state
//! cover it, and an initial state is removed if another one simulates it. Backward simulation is the same on the
//! reversed edges.
//!
//! **Source.** F. Somenzi and R. Bloem, *Efficient Büchi Automata from LTL Formulae*, CAV 2000. The simulation is
//! computed once, for all edges, and then edges are removed one after the other. This is sound because the relation is
//! transitive and remains a simulation: L. Clemente and R. Mayr, *Advanced automata minimization*, POPL 2013.
//!
//! **Deviation.** Several edges together may cover the letters of one edge. If the bounded test for this gives up, the
//! state is taken not to simulate the other. The result is then a subset of a simulation; the argument above applies to
//! the simulation that it generates.

use crate::automaton::{Buchi, Edge, Guard};
use crate::defects::{Defect, broken};

/// The largest number of edge comparisons for one simulation, which take a few milliseconds.
const MAX_WORK: usize = 400_000;

/// Merges states and removes edges by forward simulation.
pub(crate) fn forwards(automaton: &mut Buchi) {
    let states: Vec<Vec<Edge>> = automaton.states.iter().map(|s| s.edges.clone()).collect();
    let Some(better) = Simulation::of(&states, |_, _| true) else {
        return;
    };
    let class = better.classes();
    for (state, edges) in automaton.states.iter_mut().zip(&states) {
        state.edges = better.best(edges, &class);
    }
    // An initial state that another one simulates is removed. Of those that simulate each other, the first is kept.
    let mut kept: Vec<usize> = Vec::new();
    for &q in &automaton.initial {
        if !kept.iter().any(|k| better.holds(q, *k)) {
            kept.retain(|k| !better.holds(*k, q));
            kept.push(q);
        }
    }
    automaton.initial = kept.into_iter().map(|q| class[q]).collect();
}

/// Merges states and removes edges by backward simulation.
pub(crate) fn backwards(automaton: &mut Buchi) {
    let count = automaton.states.len();
    let mut initial = vec![false; count];
    automaton.initial.iter().for_each(|q| initial[*q] = true);
    let mut entering: Vec<Vec<Edge>> = vec![Vec::new(); count];
    for (source, state) in automaton.states.iter().enumerate() {
        for edge in &state.edges {
            entering[edge.target].push(Edge {
                target: source,
                ..*edge
            });
        }
    }
    let Some(better) = Simulation::of(&entering, |q, other| {
        !initial[q] || initial[other] || broken(Defect::InitialIgnored)
    }) else {
        return;
    };
    let class = better.classes();
    automaton.states.iter_mut().for_each(|s| s.edges.clear());
    for (q, edges) in entering.iter().enumerate() {
        // Every path to a state of a class has a matching path to its first state.
        if class[q] == q {
            for edge in better.best(edges, &class) {
                automaton.states[edge.target]
                    .edges
                    .push(Edge { target: q, ..edge });
            }
        }
    }
    // If one state of a class is initial, all are, including the first one.
    automaton.initial.retain(|q| class[*q] == *q);
}

/// Strengthens the guard of an edge if other edges cover the difference. Then the automaton is less nondeterministic,
/// and its product with a system has fewer nodes. The numbers of states and edges do not change.
pub(crate) fn sharpen(automaton: &mut Buchi) {
    let states: Vec<Vec<Edge>> = automaton.states.iter().map(|s| s.edges.clone()).collect();
    let Some(better) = Simulation::of(&states, |_, _| true) else {
        return;
    };
    let atoms = states
        .iter()
        .flatten()
        .fold(0, |all, e| all | e.guard.positive | e.guard.negative);
    for state in &mut automaton.states {
        for at in 0..state.edges.len() {
            let mut edge = state.edges.remove(at);
            for bit in (0..64)
                .map(|atom| 1u64 << atom)
                .filter(|bit| atoms & bit != 0)
            {
                let Guard { positive, negative } = edge.guard;
                if (positive | negative) & bit != 0 {
                    continue;
                }
                let with = Guard {
                    positive: positive | bit,
                    negative,
                };
                let without = Guard {
                    positive,
                    negative: negative | bit,
                };
                if better.covers(
                    &state.edges,
                    &Edge {
                        guard: without,
                        ..edge
                    },
                ) {
                    edge.guard = with;
                } else if better.covers(
                    &state.edges,
                    &Edge {
                        guard: with,
                        ..edge
                    },
                ) {
                    edge.guard = without;
                }
            }
            state.edges.insert(at, edge);
        }
    }
}

/// The simulation relation.
struct Simulation {
    /// `better[q][other]`: whether `other` simulates `q`.
    better: Vec<Vec<bool>>,
}

impl Simulation {
    /// The largest simulation contained in the relation `may`, as far as `covers` can tell. `None` if `MAX_WORK` is
    /// reached. `edges` has the edges of each state.
    fn of(edges: &[Vec<Edge>], may: impl Fn(usize, usize) -> bool) -> Option<Simulation> {
        let count = edges.len();
        let mut work = 0;
        let mut simulation = Simulation {
            better: (0..count)
                .map(|q| (0..count).map(|other| may(q, other)).collect())
                .collect(),
        };
        loop {
            let mut changed = false;
            for q in 0..count {
                for other in 0..count {
                    if q == other || !simulation.better[q][other] {
                        continue;
                    }
                    work += 1 + edges[q].len() * edges[other].len();
                    if work > MAX_WORK {
                        return None;
                    }
                    if !(edges[q].iter()).all(|e| simulation.covers(&edges[other], e)) {
                        simulation.better[q][other] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(simulation);
            }
        }
    }

    /// Whether `other` simulates `q`.
    fn holds(&self, q: usize, other: usize) -> bool {
        self.better[q][other]
    }

    /// Whether for each letter of the guard of `edge` one of `edges` matches it: its guard holds, it has at least the
    /// same marks, and its target simulates the target of `edge`.
    fn covers(&self, edges: &[Edge], edge: &Edge) -> bool {
        let good = |e: &&Edge| {
            (edge.marks & !e.marks == 0 || broken(Defect::MarksIgnored))
                && self.holds(edge.target, e.target)
        };
        let guards: Vec<Guard> = edges.iter().filter(good).map(|e| e.guard).collect();
        covered(edge.guard, &guards)
    }

    /// By state: the representative of its class, which is the first state that simulates it and is simulated by it.
    fn classes(&self) -> Vec<usize> {
        let mutual = |q: usize, other: usize| self.holds(q, other) && self.holds(other, q);
        let mut class: Vec<usize> = Vec::new();
        for q in 0..self.better.len() {
            // Because `covered` may give up, mutual simulation need not be transitive. So the representative of the
            // first state found is used.
            let first = (0..q).find(|other| mutual(q, *other));
            class.push(first.map_or(q, |first| class[first]));
        }
        class
    }

    /// The edges, redirected to the representatives of their targets, without those that others cover.
    fn best(&self, edges: &[Edge], class: &[usize]) -> Vec<Edge> {
        let lead = |e: &Edge| Edge {
            target: class[e.target],
            ..*e
        };
        let mut kept: Vec<Edge> = edges.iter().map(lead).collect();
        let mut next = 0;
        while next < kept.len() {
            let edge = kept.remove(next);
            if !self.covers(&kept, &edge) {
                kept.insert(next, edge);
                next += 1;
            }
        }
        kept
    }
}

/// Whether `guard` implies the disjunction of `guards`. The test is sound but incomplete, and its effort is bounded.
pub(crate) fn covered(guard: Guard, guards: &[Guard]) -> bool {
    guards.iter().any(|g| g.follows_from(guard)) || covered_by_several(guard, guards, &mut 40)
}

fn covered_by_several(guard: Guard, guards: &[Guard], fuel: &mut u32) -> bool {
    if *fuel == 0 {
        return false;
    }
    *fuel -= 1;
    let meets = |g: &Guard| g.and(guard).is_some();
    let rest: Vec<Guard> = guards.iter().copied().filter(meets).collect();
    if rest.iter().any(|g| g.follows_from(guard)) {
        return true;
    }
    // A case split is useful only on an atom that occurs both positively and negatively in the guards.
    let both = rest.iter().fold(0, |all, g| all | g.positive)
        & rest.iter().fold(0, |all, g| all | g.negative)
        & !(guard.positive | guard.negative);
    if both == 0 {
        return false;
    }
    let atom = both & both.wrapping_neg();
    let with = Guard {
        positive: guard.positive | atom,
        ..guard
    };
    let without = Guard {
        negative: guard.negative | atom,
        ..guard
    };
    covered_by_several(with, &rest, fuel) && covered_by_several(without, &rest, fuel)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The guard that a text denotes: one letter for each atom, in upper case if it is negated.
    fn guard(text: &str) -> Guard {
        let mut guard = Guard::TRUE;
        for letter in text.chars() {
            let bit = 1 << (letter.to_ascii_lowercase() as u8 - b'a');
            if letter.is_ascii_lowercase() {
                guard.positive |= bit;
            } else {
                guard.negative |= bit;
            }
        }
        guard
    }

    /// Compares `covered` with an enumeration of all letters, for all sets of up to three guards over two atoms.
    #[test]
    fn covers_exactly_what_it_covers() {
        let all: Vec<Guard> = ["", "a", "A", "b", "B", "ab", "aB", "Ab", "AB"]
            .map(guard)
            .to_vec();
        let check = |guards: &[Guard], of: Guard| {
            let by_letters = (0..4).all(|l| !of.holds(l) || guards.iter().any(|g| g.holds(l)));
            assert_eq!(covered(of, guards), by_letters, "{of} by {guards:?}");
        };
        for &of in &all {
            check(&[], of);
            for &x in &all {
                for &y in &all {
                    all.iter().for_each(|&z| check(&[x, y, z], of));
                }
            }
        }
    }

    #[test]
    fn covers_over_three_atoms() {
        assert!(covered(guard(""), &["a", "Ab", "ABc", "ABC"].map(guard)));
        assert!(!covered(guard(""), &["a", "Ab", "ABc"].map(guard)));
        assert!(covered(guard("c"), &["aB", "bC", "cA", "ab"].map(guard)));
    }
}
