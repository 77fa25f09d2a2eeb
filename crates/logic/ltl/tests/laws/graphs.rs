//! Small graphs with marks, weak fairness of units and strong fairness of messages; their acceptance by brute force.
//!
//! Acceptance is implemented by its definition, not by goals: there is a strongly connected set of arcs that has every
//! mark, in which every unit that is enabled in all of its nodes occurs, and that delivers every message that it sends.

use crate::random::Random;
use ltl::{Arc, Goals, Space};

/// A set of marks, units or messages, one bit each.
type Bits = u32;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    pub from: usize,
    pub to: usize,
    pub marks: Bits,
    pub takes: Bits,
    pub puts: Bits,
    pub arrives: Bits,
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub possible: Vec<Bits>,
    pub lines: Vec<Line>,
    pub initial: Vec<usize>,
    pub marks: usize,
    pub units: usize,
    pub pairs: usize,
}

impl Graph {
    pub fn random(random: &mut Random, strong: bool) -> Graph {
        let nodes = 1 + random.below(6) as usize;
        let (marks, units) = (random.below(4) as usize, random.below(4) as usize);
        let pairs = if strong {
            1 + random.below(2) as usize
        } else {
            0
        };
        let mut bits = |count: usize, of: u64| {
            let mut one = |b| Bits::from(random.below(of) == 0) << b;
            (0..count).fold(0, |bits, b| bits | one(b))
        };
        let possible = (0..nodes)
            .map(|_| !bits(units, 4) & ((1 << units) - 1))
            .collect();
        let mut lines: Vec<Line> = (0..9)
            .map(|_| Line {
                marks: bits(marks, 2),
                takes: bits(units, 3),
                puts: bits(pairs, 2),
                arrives: bits(pairs, 4),
                ..Line::default()
            })
            .collect();
        lines.truncate(nodes + random.below(4) as usize);
        for line in &mut lines {
            line.from = random.below(nodes as u64) as usize;
            line.to = random.below(nodes as u64) as usize;
        }
        Graph {
            possible,
            lines,
            initial: (0..1 + random.below(2))
                .map(|_| random.below(nodes as u64) as usize)
                .collect(),
            marks,
            units,
            pairs,
        }
    }

    /// Whether the set of arcs is strongly connected and accepting, so that a cycle through all of them is.
    pub fn accepts(&self, lines: &[Line]) -> bool {
        let touched = |node: usize| lines.iter().any(|l| l.from == node || l.to == node);
        let nodes: Vec<usize> = (0..self.possible.len()).filter(|n| touched(*n)).collect();
        let connected = (nodes.iter()).all(|n| {
            let reached = reached(self.possible.len(), &[*n], lines);
            nodes.iter().all(|m| reached[*m])
        });
        let all = |of: fn(&Line) -> Bits| lines.iter().fold(0, |bits, line| bits | of(line));
        let everywhere = nodes
            .iter()
            .fold(Bits::MAX, |bits, n| bits & self.possible[*n]);
        !lines.is_empty()
            && connected
            && all(|l| l.marks) == (1 << self.marks) - 1
            && everywhere & !all(|l| l.takes) == 0
            && all(|l| l.puts) & !all(|l| l.arrives) == 0
    }

    /// Whether some set of reachable arcs is accepting, by enumeration.
    pub fn not_empty(&self) -> bool {
        let reached = reached(self.possible.len(), &self.initial, &self.lines);
        let lines = self.lines.iter().filter(|l| reached[l.from]);
        let lines: Vec<Line> = lines.copied().collect();
        (1..1usize << lines.len()).any(|subset| {
            let chosen = lines
                .iter()
                .enumerate()
                .filter(|(i, _)| subset >> i & 1 != 0);
            self.accepts(&chosen.map(|(_, line)| *line).collect::<Vec<_>>())
        })
    }

    /// The same for a graph without strong fairness, by its strongly connected components.
    pub fn not_empty_by_components(&self) -> bool {
        let nodes = self.possible.len();
        let from: Vec<Vec<bool>> = (0..nodes)
            .map(|n| reached(nodes, &[n], &self.lines))
            .collect();
        let start = reached(nodes, &self.initial, &self.lines);
        (0..nodes).filter(|n| start[*n]).any(|n| {
            let both = |m: usize| from[n][m] && from[m][n];
            let inner = self.lines.iter().filter(|l| both(l.from) && both(l.to));
            self.accepts(&inner.copied().collect::<Vec<_>>())
        })
    }

    /// The total length of stem and cycle of a shortest accepting lasso, by enumeration of all paths; `None` if it
    /// exceeds `limit`.
    pub fn shortest(&self, limit: usize) -> Option<usize> {
        let mut walks: Vec<(usize, Vec<Line>)> =
            self.initial.iter().map(|n| (*n, vec![])).collect();
        for length in 1..=limit {
            let mut longer = Vec::new();
            for (at, walk) in &walks {
                for line in self.lines.iter().filter(|l| l.from == *at) {
                    let walk = [&walk[..], &[*line]].concat();
                    let closes = |i: &usize| walk[*i].from == line.to && self.accepts(&walk[*i..]);
                    if (0..length).any(|i| closes(&i)) {
                        return Some(length);
                    }
                    longer.push((line.to, walk));
                }
            }
            walks = longer;
        }
        None
    }
}

/// By node: whether it is reachable from one of `from` in zero or more steps.
pub fn reached(nodes: usize, from: &[usize], lines: &[Line]) -> Vec<bool> {
    let mut reached = vec![false; nodes];
    from.iter().for_each(|n| reached[*n] = true);
    for _ in 0..nodes {
        for line in lines {
            reached[line.to] |= reached[line.from];
        }
    }
    reached
}

/// A graph as a search space.
pub struct Walk<'g> {
    graph: &'g Graph,
}

/// The distance between the numbers of two goals, so that the goals lie in several words of the bit set.
const GAP: usize = 29;

impl<'g> Walk<'g> {
    pub fn new(graph: &'g Graph) -> Walk<'g> {
        Walk { graph }
    }

    fn add(done: &mut Goals, first: usize, bits: Bits) {
        for b in (0..32).filter(|b| bits >> b & 1 != 0) {
            done.add((first + b) * GAP);
        }
    }

    fn plain(&self) -> usize {
        self.graph.marks + self.graph.units
    }

    /// The messages that are sent and do not arrive, given the goals reached.
    fn lost(&self, done: &Goals) -> Bits {
        let (first, pairs) = (self.plain(), self.graph.pairs);
        let has = |b| done.has((first + b) * GAP) && !done.has((first + pairs + b) * GAP);
        (0..pairs).fold(0, |bits, b| bits | Bits::from(has(b)) << b)
    }

    fn missing(&self, done: &Goals) -> Option<usize> {
        (0..self.plain()).map(|g| g * GAP).find(|g| !done.has(*g))
    }
}

impl Space for Walk<'_> {
    type Node = usize;
    /// The index of the arc in `Graph::lines`.
    type Label = usize;

    fn goals(&self) -> usize {
        (self.plain() + 2 * self.graph.pairs) * GAP
    }

    fn initial(&mut self) -> Vec<usize> {
        self.graph.initial.clone()
    }

    fn arcs(&mut self, node: usize, into: &mut Vec<Arc<usize, usize>>) {
        for (label, line) in self.graph.lines.iter().enumerate() {
            if line.from == node {
                into.push(Arc { to: line.to, label });
            }
        }
    }

    fn in_node(&mut self, node: usize, done: &mut Goals) {
        let impossible = !self.graph.possible[node] & ((1 << self.graph.units) - 1);
        Walk::add(done, self.graph.marks, impossible);
    }

    fn on_arc(&mut self, _: usize, arc: &Arc<usize, usize>, done: &mut Goals) {
        let line = &self.graph.lines[arc.label];
        Walk::add(done, 0, line.marks);
        Walk::add(done, self.graph.marks, line.takes);
        Walk::add(done, self.plain(), line.puts);
        Walk::add(done, self.plain() + self.graph.pairs, line.arrives);
    }

    fn owed(&self, done: &Goals) -> Option<usize> {
        self.missing(done).or_else(|| {
            let lost = self.lost(done);
            let arrival = self.plain() + self.graph.pairs + lost.trailing_zeros() as usize;
            (lost != 0).then_some(arrival * GAP)
        })
    }

    fn parts_may_accept(&self) -> bool {
        self.graph.pairs != 0
    }
}
