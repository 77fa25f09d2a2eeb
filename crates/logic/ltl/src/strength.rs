//! The strength of the components of an automaton: the kind of search that acceptance needs.

use crate::automaton::{Buchi, Guard};
use crate::scc::component_numbers;
use crate::{component, simulate};

/// The acceptance of runs that stay in the component of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Such a run is not accepting, or does not exist.
    Rejects,
    /// Such a run is accepting, and every word can be read: reaching the component is sufficient.
    Terminal,
    /// Every cycle is accepting.
    Weak,
    /// A cycle is accepting if it has all marks: the search needs components or nested depth-first search.
    Strong,
}

impl Buchi {
    /// The strength of each state, that of its component. The strength of the automaton is the greatest.
    ///
    /// A component reported as weak may be terminal: the test whether every word can be read is incomplete.
    pub fn strengths(&self) -> Vec<Strength> {
        let edges: Vec<Vec<(usize, u64)>> = (self.states.iter())
            .map(|state| state.edges.iter().map(|e| (e.target, e.marks)).collect())
            .collect();
        let component = component_numbers(&edges);
        let accepting = component::accepting(&edges, self.all_marks());
        let mut weak = vec![true; self.states.len()];
        for mark in 0..self.acceptance {
            let without: Vec<Vec<(usize, u64)>> = (edges.iter().enumerate())
                .map(|(q, leaving)| {
                    let inner = |(to, marks): &&(usize, u64)| {
                        component[*to] == component[q] && marks >> mark & 1 == 0
                    };
                    leaving.iter().filter(inner).copied().collect()
                })
                .collect();
            // If a cycle without the mark remains, the component is not weak.
            let cyclic = component::accepting(&without, 0);
            for q in (0..edges.len()).filter(|q| cyclic[*q]) {
                weak[component[q]] = false;
            }
        }
        let mut terminal = weak.clone();
        for (q, state) in self.states.iter().enumerate() {
            let inner = |target: usize| component[target] == component[q];
            let guards = state.edges.iter().filter(|e| inner(e.target));
            let guards: Vec<Guard> = guards.map(|e| e.guard).collect();
            terminal[component[q]] &= simulate::covered(Guard::TRUE, &guards);
        }
        (component.iter().zip(&accepting))
            .map(|(&c, &accepting)| match (accepting, weak[c], terminal[c]) {
                (false, _, _) => Strength::Rejects,
                (true, _, true) => Strength::Terminal,
                (true, true, false) => Strength::Weak,
                (true, false, false) => Strength::Strong,
            })
            .collect()
    }
}
