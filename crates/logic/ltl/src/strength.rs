//! How hard it is to find out that a run of an automaton accepts.

use crate::automaton::{Buchi, Guard};
use crate::scc::component_numbers;
use crate::{component, simulate};

/// What a run does that stays in the component of a state for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// It does not accept, or no run stays there.
    Rejects,
    /// It accepts, and every word can be read there: that the component is reached is enough.
    Terminal,
    /// It accepts: any cycle will do.
    Weak,
    /// It accepts if it has all marks: components have to be found, or nested searches.
    Strong,
}

impl Buchi {
    /// The strength of each state, that of its component. The strength of the automaton is the greatest.
    ///
    /// A component that is called weak may be terminal: that every word can be read is not always found out.
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
            // Where a cycle is left without the mark, the component is not weak.
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
