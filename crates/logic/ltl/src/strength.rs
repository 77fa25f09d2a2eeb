//! The strength of the strongly connected components of an automaton, on which the search for accepting runs depends.

use crate::automaton::{Buchi, Guard};
use crate::scc::component_numbers;
use crate::{component, simulate};

/// Which runs that stay in a component are accepting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// None.
    Rejects,
    /// All, and every word can be read within the component. So a run of the product is accepting as soon as it reaches
    /// the component.
    Terminal,
    /// All: every cycle has all marks.
    Weak,
    /// Those that take all marks infinitely often. The search needs strongly connected components or nested depth-first
    /// search.
    Strong,
}

impl Buchi {
    /// By state: the strength of its component. The strength of the automaton is the greatest of them.
    ///
    /// A component that is reported as weak may be terminal, because the test whether every word can be read is
    /// incomplete.
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
            // If a cycle without this mark exists, the component is not weak.
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
