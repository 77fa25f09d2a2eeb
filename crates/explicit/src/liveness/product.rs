//! The product of a state graph with an automaton, and its accepting fair strongly connected components.
//!
//! *Weak fairness* of a component: every fairness unit that is enabled in all its states acts in one of its
//! transitions. A component that is not weakly fair has no weakly fair subcomponent, because in a subcomponent the unit
//! is still enabled everywhere and never acts. *Strong fairness* of lossy channels: if messages of a type are put on an
//! edge and none arrives, the transitions that put them are removed, and the rest is decomposed again. *Time*, if the
//! Machine has any, must pass in the component.
//!
//! *During the search* the product consists of the expanded states and the transitions between them. Transitions to
//! other states count as enabled and are not followed. So every run of this product is a run of the complete product,
//! and is fair there if it is fair here.

use crate::defects::{Defect, broken};
use crate::graph::state_graph::{ERROR, Graph};
use crate::por::stubborn_sets::StubbornSets;
use foldhash::HashSet;
use ltl::scc::{Component, Table, components};
use verdict::Spent;

/// The value, instead of a label, of a stuttering step.
pub(crate) const STUTTER: u32 = u32::MAX;

/// The largest number of automaton states for which the table is dense. With more automaton states, most pairs of a
/// graph state and an automaton state do not occur.
const MOST_DENSE: usize = 24;

/// A state graph and an automaton, with the letter of each state.
pub(crate) struct Product<'p, 'g> {
    pub(crate) graph: &'p Graph<'g>,
    pub(crate) automaton: &'p ltl::Buchi,
    pub(crate) letters: &'p [ltl::Letter],
    /// States in which a condition has no value, sorted. A run ends there in an error.
    pub(crate) ends: &'p [u32],
    /// The number of expanded states. Only these belong to the product.
    pub(crate) known: u32,
    /// With partial-order reduction: weakens fairness, because reordering may keep an event enabled that was disabled
    /// at times.
    pub(crate) lenient: Option<&'p StubbornSets>,
    /// Whether stuttering steps are included.
    pub(crate) stutters: bool,
}

/// A state of the product: graph state times the number of automaton states, plus automaton state.
pub(crate) type Node = usize;

/// A transition of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) to: Node,
    pub(crate) label: u32,
    pub(crate) marks: u64,
}

/// An accepting fair strongly connected component.
pub(crate) struct AcceptingComponent {
    pub(crate) nodes: Vec<Node>,
    /// Message types that must not be put on edges in it: edge and record.
    pub(crate) banned: Vec<(u32, u32)>,
}

/// Why the enumeration of components ends early.
enum End {
    Spent(Spent),
    /// The caller needs no further components.
    Enough,
}

impl Product<'_, '_> {
    pub(crate) fn state(&self, node: Node) -> u32 {
        (node / self.automaton.states.len()) as u32
    }

    /// The automaton state of a node.
    pub(crate) fn place(&self, node: Node) -> usize {
        node % self.automaton.states.len()
    }

    fn node(&self, state: u32, place: usize) -> Node {
        state as usize * self.automaton.states.len() + place
    }

    fn ends_in(&self, state: u32) -> bool {
        self.ends.binary_search(&state).is_ok()
    }

    /// The initial nodes.
    pub(crate) fn initial(&self) -> Vec<Node> {
        let states = 0..self.graph.predecessors.initial().min(self.known);
        states
            .filter(|s| !self.ends_in(*s))
            .flat_map(|s| self.automaton.initial.iter().map(move |q| self.node(s, *q)))
            .collect()
    }

    /// Whether a run may stutter in a state.
    pub(crate) fn may_stutter(&self, state: u32) -> bool {
        self.graph.may_stutter(state) && !broken(Defect::StandingStillForgotten)
    }

    /// Calls `visit` with each transition of a node. With `stutters`, a state in which a run may stutter has a
    /// stuttering step.
    pub(crate) fn each_arc(&self, node: Node, mut visit: impl FnMut(Arc)) {
        let state = self.state(node);
        let letter = self.letters[state as usize];
        for edge in &self.automaton.states[self.place(node)].edges {
            if !edge.guard.holds(letter) {
                continue;
            }
            let mut add = |target, label| {
                visit(Arc {
                    to: self.node(target, edge.target),
                    label,
                    marks: edge.marks,
                });
            };
            if self.stutters && self.may_stutter(state) {
                add(state, STUTTER);
            }
            for t in self.graph.transitions_of(state) {
                let target = self.graph.transitions.targets[t];
                if target < self.known {
                    if !self.ends_in(target) {
                        add(target, self.graph.transitions.labels[t]);
                    }
                } else if target != ERROR && broken(Defect::LeavingStays) {
                    add(state, self.graph.transitions.labels[t]);
                }
            }
        }
    }

    /// Whether a transition puts a banned message type on an edge.
    pub(crate) fn is_banned(&self, arc: &Arc, banned: &[(u32, u32)]) -> bool {
        !banned.is_empty()
            && arc.label != STUTTER
            && self.graph.labels.table[arc.label as usize]
                .puts
                .iter()
                .any(|put| banned.contains(put))
    }

    /// Whether some component is accepting and, if `fair` is set, fair.
    pub(crate) fn accepts(
        &self,
        fair: bool,
        go_on: &mut dyn FnMut() -> Option<Spent>,
    ) -> Result<bool, Spent> {
        let mut found = false;
        self.each_component(fair, go_on, &mut |_| {
            found = true;
            false
        })?;
        Ok(found)
    }

    /// All components that are accepting and, if `fair` is set, fair.
    pub(crate) fn accepting_components(
        &self,
        fair: bool,
        go_on: &mut dyn FnMut() -> Option<Spent>,
    ) -> Result<Vec<AcceptingComponent>, Spent> {
        let mut accepting = Vec::new();
        self.each_component(fair, go_on, &mut |part| {
            accepting.push(part);
            true
        })?;
        Ok(accepting)
    }

    /// Calls `found` with each component that is accepting and, if `fair` is set, fair, until `found` returns `false`.
    fn each_component(
        &self,
        fair: bool,
        go_on: &mut dyn FnMut() -> Option<Spent>,
        found: &mut dyn FnMut(AcceptingComponent) -> bool,
    ) -> Result<(), Spent> {
        let places = self.automaton.states.len();
        let table = match places <= MOST_DENSE {
            true => Table::dense(self.known as usize * places),
            false => Table::sparse(),
        };
        let mut waiting = Vec::new();
        let mut labels = Labels::new(self.graph.labels.table.len());
        let mut end = components(
            table,
            self.initial(),
            |node, ahead| {
                self.each_arc(node, |arc| ahead.push(arc.to));
                go_on().map_or(Ok(()), |spent| Err(End::Spent(spent)))
            },
            |part| self.report_component(part, &[], fair, &mut labels, found, &mut waiting),
        );
        while end.is_ok()
            && let Some(part) = waiting.pop()
        {
            let inside: HashSet<Node> = part.nodes.iter().copied().collect();
            let banned = part.banned;
            end = components(
                Table::sparse(),
                part.nodes,
                |node, ahead| {
                    self.each_arc(node, |arc| {
                        if inside.contains(&arc.to) && !self.is_banned(&arc, &banned) {
                            ahead.push(arc.to);
                        }
                    });
                    go_on().map_or(Ok(()), |spent| Err(End::Spent(spent)))
                },
                |part| self.report_component(part, &banned, fair, &mut labels, found, &mut waiting),
            );
        }
        match end {
            Err(End::Spent(spent)) => Err(spent),
            Ok(()) | Err(End::Enough) => Ok(()),
        }
    }

    /// Passes an accepting component to `found`. A component that has to be decomposed again is pushed to `waiting`.
    fn report_component(
        &self,
        part: &Component<'_>,
        banned: &[(u32, u32)],
        fair: bool,
        labels: &mut Labels,
        found: &mut dyn FnMut(AcceptingComponent) -> bool,
        waiting: &mut Vec<AcceptingComponent>,
    ) -> Result<(), End> {
        if !part.loops {
            return Ok(());
        }
        let nodes = || part.nodes.to_vec();
        match self.judge(part, banned, fair, labels) {
            Judgement::Rejects => {}
            Judgement::Accepts => {
                let (nodes, banned) = (nodes(), banned.to_vec());
                if !found(AcceptingComponent { nodes, banned }) {
                    return Err(End::Enough);
                }
            }
            Judgement::Without(more) => {
                let (nodes, banned) = (nodes(), [banned, &more].concat());
                waiting.push(AcceptingComponent { nodes, banned });
            }
        }
        Ok(())
    }

    /// Whether a component is accepting and, if `fair` is set, fair.
    fn judge(
        &self,
        part: &Component<'_>,
        banned: &[(u32, u32)],
        fair: bool,
        labels: &mut Labels,
    ) -> Judgement {
        labels.clear();
        let mut marks = 0;
        for node in part.nodes {
            self.each_arc(*node, |arc| {
                if part.contains(arc.to) && !self.is_banned(&arc, banned) {
                    marks |= arc.marks;
                    if arc.label != STUTTER {
                        labels.add(arc.label);
                    }
                }
            });
        }
        let labels = || {
            let all = labels.met.iter();
            all.map(|label| &self.graph.labels.table[*label as usize])
        };
        // In an infinite run time diverges.
        let passes = !self.graph.has_time() || labels().any(|label| label.waits);
        if !passes || marks != self.automaton.all_marks() {
            return Judgement::Rejects;
        }
        if !fair {
            return Judgement::Accepts;
        }
        let mut taken = vec![false; self.graph.labels.unit_count()];
        for unit in labels().flat_map(|label| &label.units) {
            taken[*unit as usize] = true;
        }
        if let Some(stubborn) = self.lenient {
            stubborn.weaken_fairness(self.graph, &mut taken);
        }
        if self.owes(part.nodes, &taken) {
            return Judgement::Rejects;
        }
        let arrives = |put: &&(u32, u32)| labels().any(|label| label.arrives == Some(**put));
        let puts = labels().flat_map(|label| &label.puts);
        let mut lost: Vec<(u32, u32)> = puts.filter(|put| !arrives(put)).copied().collect();
        lost.sort_unstable();
        lost.dedup();
        match lost.is_empty() {
            true => Judgement::Accepts,
            false => Judgement::Without(lost),
        }
    }

    /// Whether a fairness unit is enabled in all of the nodes and not marked in `taken`.
    fn owes(&self, nodes: &[Node], taken: &[bool]) -> bool {
        let mut owed: Option<Vec<u32>> = None;
        let mut before = None;
        for node in nodes {
            let state = self.state(*node);
            if before.replace(state) == Some(state) {
                continue;
            }
            let mut possible = self.enabled_units(state);
            possible.retain(|unit| !taken[*unit as usize]);
            if broken(Defect::FairnessStrong) && !possible.is_empty() {
                return true;
            }
            match &mut owed {
                None => owed = Some(possible),
                Some(owed) => owed.retain(|unit| possible.contains(unit)),
            }
            if owed.as_ref().is_none_or(Vec::is_empty) && !broken(Defect::FairnessStrong) {
                return false;
            }
        }
        owed.is_some_and(|owed| !owed.is_empty())
    }

    /// The fairness units with an enabled event in a state, sorted, without duplicates.
    pub(crate) fn enabled_units(&self, state: u32) -> Vec<u32> {
        if let Some(all) = self.graph.partial.as_ref().and_then(|r| r.owed(state)) {
            return all.to_vec();
        }
        let transitions = self.graph.transitions_of(state);
        let leaves = |t: &usize| (self.known..ERROR).contains(&self.graph.transitions.targets[*t]);
        let counts = transitions.filter(|t| !(broken(Defect::LeavingImpossible) && leaves(t)));
        let labels = counts.map(|t| self.graph.transitions.labels[t]);
        let units = labels.flat_map(|l| self.graph.labels.table[l as usize].units.iter().copied());
        let mut units: Vec<u32> = units.collect();
        units.sort_unstable();
        units.dedup();
        units
    }
}

enum Judgement {
    Accepts,
    Rejects,
    /// A subcomponent in which these messages are not put on edges may be accepting.
    Without(Vec<(u32, u32)>),
}

/// A set of label numbers.
struct Labels {
    has: Vec<bool>,
    met: Vec<u32>,
}

impl Labels {
    /// An empty set for label numbers below `count`.
    fn new(count: usize) -> Labels {
        Labels {
            has: vec![false; count],
            met: Vec::new(),
        }
    }

    fn add(&mut self, label: u32) {
        if !std::mem::replace(&mut self.has[label as usize], true) {
            self.met.push(label);
        }
    }

    fn clear(&mut self) {
        for label in self.met.drain(..) {
            self.has[label as usize] = false;
        }
    }
}
