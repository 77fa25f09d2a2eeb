//! The product of a graph with an automaton, and its strongly connected parts that accept and are fair.
//!
//! *Weak fairness* of a part: every unit that is possible in all its states is taken on one of its
//! transitions. A part that is not weakly fair has no weakly fair part inside, because there the unit
//! stays possible and is still not taken. *Strong fairness* of lossy channels: what is put on an edge and
//! never arrives must not be put; those transitions are taken out and what remains is looked at again.
//! *Time*, if there is any, passes in it.

use crate::defects::{Defect, broken};
use crate::graph::{ERROR, Graph};
use foldhash::{HashMap, HashMapExt};
use verdict::Spent;

/// In place of a label: the run stands still.
pub(crate) const STANDS_STILL: u32 = u32::MAX;

/// A graph and an automaton, with the letter of each state.
pub(crate) struct Product<'p, 'g> {
    pub(crate) graph: &'p Graph<'g>,
    pub(crate) automaton: &'p ltl::Buchi,
    pub(crate) letters: &'p [ltl::Letter],
    /// States without a letter, in order: a run ends there in an error.
    pub(crate) ends: &'p [u32],
    /// Where orders of events were left out: what they may have made impossible for a while is not owed.
    pub(crate) lenient: bool,
}

/// A state of the graph with a state of the automaton.
pub(crate) type Node = u64;

/// A transition of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) to: Node,
    pub(crate) label: u32,
    pub(crate) marks: u64,
}

/// A strongly connected part that accepts and is fair.
pub(crate) struct Part {
    pub(crate) nodes: Vec<Node>,
    /// What must not be put on edges in it.
    pub(crate) banned: Vec<(u32, u32)>,
}

impl Product<'_, '_> {
    pub(crate) fn state(&self, node: Node) -> u32 {
        (node / self.automaton.states.len() as u64) as u32
    }

    fn node(&self, state: u32, place: usize) -> Node {
        u64::from(state) * self.automaton.states.len() as u64 + place as u64
    }

    fn ends_in(&self, state: u32) -> bool {
        self.ends.binary_search(&state).is_ok()
    }

    /// Where runs begin.
    pub(crate) fn initial(&self) -> Vec<Node> {
        let states = 0..self.graph.lineage.initial();
        states
            .filter(|s| !self.ends_in(*s))
            .flat_map(|s| self.automaton.initial.iter().map(move |q| self.node(s, *q)))
            .collect()
    }

    /// The transitions of a node. A final state stands still.
    pub(crate) fn arcs(&self, node: Node) -> Vec<Arc> {
        let state = self.state(node);
        let place = (node % self.automaton.states.len() as u64) as usize;
        let letter = self.letters[state as usize];
        let mut arcs = Vec::new();
        for edge in &self.automaton.states[place].edges {
            if !edge.guard.holds(letter) {
                continue;
            }
            let mut add = |target, label| {
                arcs.push(Arc {
                    to: self.node(target, edge.target),
                    label,
                    marks: edge.marks,
                });
            };
            if self.graph.may_stand_still(state) && !broken(Defect::StandingStillForgotten) {
                add(state, STANDS_STILL);
            }
            for t in self.graph.transitions_of(state) {
                if self.graph.targets[t] != ERROR && !self.ends_in(self.graph.targets[t]) {
                    add(self.graph.targets[t], self.graph.labels[t]);
                }
            }
        }
        arcs
    }

    /// Whether a transition puts something that is banned.
    pub(crate) fn is_banned(&self, arc: &Arc, banned: &[(u32, u32)]) -> bool {
        arc.label != STANDS_STILL
            && self.graph.label_table[arc.label as usize]
                .puts
                .iter()
                .any(|put| banned.contains(put))
    }

    /// All parts that accept and, if wanted, are fair.
    pub(crate) fn accepting_parts(
        &self,
        fair: bool,
        go_on: &mut dyn FnMut() -> Option<Spent>,
    ) -> Result<Vec<Part>, Spent> {
        let mut accepting = Vec::new();
        let mut waiting = Vec::new();
        self.components(&self.initial(), None, &[], go_on, &mut |nodes| {
            waiting.push(Part {
                nodes,
                banned: Vec::new(),
            });
        })?;
        while let Some(part) = waiting.pop() {
            match self.judge(&part, fair) {
                Judgement::Accepts => accepting.push(part),
                Judgement::Rejects => {}
                Judgement::Without(more) => {
                    let banned = [&part.banned[..], &more].concat();
                    let inside = part.nodes.iter().map(|n| (*n, ())).collect();
                    self.components(&part.nodes, Some(&inside), &banned, go_on, &mut |nodes| {
                        waiting.push(Part {
                            nodes,
                            banned: banned.clone(),
                        });
                    })?;
                }
            }
        }
        Ok(accepting)
    }

    /// Whether a strongly connected part accepts and is fair.
    fn judge(&self, part: &Part, fair: bool) -> Judgement {
        let inside: HashMap<Node, ()> = part.nodes.iter().map(|n| (*n, ())).collect();
        let mut marks = 0;
        let mut taken = vec![false; self.graph.unit_count()];
        let mut possible = vec![0u64; self.graph.unit_count()];
        let (mut puts, mut arrivals) = (Vec::new(), Vec::new());
        let (mut moves, mut waits) = (false, false);
        for node in &part.nodes {
            for unit in self.possible_units(self.state(*node)) {
                possible[unit as usize] += 1;
            }
            for arc in self.arcs(*node) {
                if !inside.contains_key(&arc.to) || self.is_banned(&arc, &part.banned) {
                    continue;
                }
                moves = true;
                marks |= arc.marks;
                if arc.label != STANDS_STILL {
                    let label = &self.graph.label_table[arc.label as usize];
                    label.units.iter().for_each(|u| taken[*u as usize] = true);
                    waits |= label.waits;
                    puts.extend(&label.puts);
                    arrivals.extend(label.arrives);
                }
            }
        }
        // In an infinite run time grows beyond every bound.
        let passes = waits || !self.graph.has_time();
        if !moves || !passes || marks != self.automaton.all_marks() {
            return Judgement::Rejects;
        }
        if !fair {
            return Judgement::Accepts;
        }
        if self.lenient
            && let Some(reduction) = &self.graph.reduction
        {
            reduction.excuse(self.graph, &mut taken);
        }
        let everywhere = part.nodes.len() as u64;
        let strong = broken(Defect::FairnessStrong);
        if possible
            .iter()
            .zip(&taken)
            .any(|(count, taken)| (*count == everywhere || strong && *count > 0) && !taken)
        {
            return Judgement::Rejects;
        }
        puts.retain(|put| !arrivals.contains(put));
        puts.sort_unstable();
        puts.dedup();
        if puts.is_empty() {
            Judgement::Accepts
        } else {
            Judgement::Without(puts)
        }
    }

    /// The units of which an event is possible in a state, each once.
    pub(crate) fn possible_units(&self, state: u32) -> Vec<u32> {
        if let Some(all) = self.graph.reduction.as_ref().and_then(|r| r.owed(state)) {
            return all.to_vec();
        }
        let labels = self
            .graph
            .transitions_of(state)
            .map(|t| self.graph.labels[t]);
        let units = labels.flat_map(|l| self.graph.label_table[l as usize].units.iter().copied());
        let mut units: Vec<u32> = units.collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// Tarjan's algorithm from the given nodes, without recursion: calls `found` with each strongly
    /// connected component that has a transition inside.
    fn components(
        &self,
        from: &[Node],
        inside: Option<&HashMap<Node, ()>>,
        banned: &[(u32, u32)],
        go_on: &mut dyn FnMut() -> Option<Spent>,
        found: &mut dyn FnMut(Vec<Node>),
    ) -> Result<(), Spent> {
        struct Frame {
            node: Node,
            arcs: std::vec::IntoIter<Node>,
            loops: bool,
        }
        let successors = |node| {
            let arcs = self.arcs(node).into_iter();
            let kept = arcs.filter(|arc| {
                !self.is_banned(arc, banned) && inside.is_none_or(|i| i.contains_key(&arc.to))
            });
            kept.map(|arc| arc.to).collect::<Vec<_>>().into_iter()
        };
        // The number of a visited node by time of arrival, and the least one it is connected with; `DONE` once closed.
        const DONE: u32 = u32::MAX;
        let mut low: HashMap<Node, (u32, u32)> = HashMap::new();
        let mut open: Vec<Node> = Vec::new();
        let mut frames: Vec<Frame> = Vec::new();
        for root in from {
            if low.contains_key(root) {
                continue;
            }
            let mut enter = vec![*root];
            loop {
                if let Some(node) = enter.pop() {
                    let time = low.len() as u32;
                    low.insert(node, (time, time));
                    open.push(node);
                    frames.push(Frame {
                        node,
                        arcs: successors(node),
                        loops: false,
                    });
                    if let Some(spent) = go_on() {
                        return Err(spent);
                    }
                }
                let Some(frame) = frames.last_mut() else {
                    break;
                };
                let node = frame.node;
                match frame.arcs.next() {
                    Some(to) => {
                        frame.loops |= to == node;
                        match low.get(&to) {
                            None => enter.push(to),
                            Some((_, DONE)) => {}
                            Some((time, _)) => {
                                let time = *time;
                                let entry = low.get_mut(&node).expect("visited");
                                entry.1 = entry.1.min(time);
                            }
                        }
                    }
                    None => {
                        let (time, least) = low[&node];
                        let loops = frame.loops;
                        frames.pop();
                        if let Some(parent) = frames.last() {
                            let entry = low.get_mut(&parent.node).expect("visited");
                            entry.1 = entry.1.min(least);
                        }
                        if time == least {
                            let start = open.iter().rposition(|n| *n == node).expect("open");
                            let component = open.split_off(start);
                            for member in &component {
                                low.get_mut(member).expect("visited").1 = DONE;
                            }
                            if component.len() > 1 || loops {
                                found(component);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

enum Judgement {
    Accepts,
    Rejects,
    /// Perhaps a part of it, without putting these on edges.
    Without(Vec<(u32, u32)>),
}
