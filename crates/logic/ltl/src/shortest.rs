//! Finds short accepting lassos: a stem, and a cycle that reaches every goal.
//!
//! **Algorithm.** A breadth-first search stores the graph around the initial nodes until the effort is spent. For each
//! node of an accepting component, in the order of distance, a breadth-first search over pairs (node, set of goals
//! reached) finds a shortest accepting cycle through the node. The length of a cycle found greedily bounds this search.
//! If the effort is spent or there are too many goals, the result is the best lasso found, which may not be a shortest
//! one.

use crate::defects::{Defect, broken};
use crate::scc::component_numbers;
use crate::space::{ArcOf, Goals, Move, Moves, Space};
use crate::way::cycle_in;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// An accepting run as a lasso.
#[derive(Clone, Debug)]
pub struct Lasso<N, L> {
    /// The first node.
    pub start: N,
    /// The path from `start` to the first node of the cycle.
    pub stem: Vec<Move<N, L>>,
    /// The cycle, which is not empty and repeats for ever.
    pub cycle: Vec<Move<N, L>>,
    /// Whether it is proved that no accepting lasso has a shorter total length of stem and cycle.
    pub shortest: bool,
}

type Found<S> = Lasso<<S as Space>::Node, <S as Space>::Label>;

/// A short accepting run. `effort` bounds the number of arcs that are stored, and the number of pairs, about 50 bytes
/// each. `None` if there is no accepting run or none was found with this effort.
pub fn lasso<S: Space>(space: &mut S, effort: usize) -> Option<Found<S>> {
    let near = Near::new(space, effort);
    let mut best: Option<Best<S>> = None;
    let mut exact = true;
    let mut left = effort;
    for component in near.components(space) {
        let entry = component[0];
        if best
            .as_ref()
            .is_some_and(|b| near.depth[entry] + 1 >= b.length)
        {
            break; // no remaining component is nearer
        }
        let inside: HashSet<S::Node> = component.iter().map(|n| near.nodes[*n]).collect();
        if let Some(cycle) = cycle_in(space, &inside, near.nodes[entry]) {
            Best::improve(&mut best, near.depth[entry], entry, cycle);
        }
        let Some(pairs) = Pairs::new(space, &near, &component) else {
            exact = false;
            continue;
        };
        if broken(Defect::GreedyIsShortest) {
            continue;
        }
        for &node in &component {
            let limit = best.as_ref().map_or(usize::MAX, |b| b.length);
            if near.depth[node] + 1 >= limit {
                break;
            }
            match pairs.cycle(space, node, limit - near.depth[node] - 1, &mut left) {
                Cycle::Found(arcs) => {
                    let moves = arcs
                        .into_iter()
                        .map(|(from, a)| (near.nodes[from], near.arcs[from][a].1));
                    Best::improve(&mut best, near.depth[node], node, moves.collect());
                }
                Cycle::None => {}
                Cycle::Unknown => exact = false,
            }
        }
    }
    let best = best?;
    let (start, stem) = near.way(best.node);
    Some(Lasso {
        start,
        stem,
        cycle: best.cycle,
        shortest: exact && near.horizon.is_none_or(|h| best.length <= h + 1),
    })
}

/// The best lasso found so far.
struct Best<S: Space> {
    /// The total length of stem and cycle.
    length: usize,
    node: usize,
    cycle: Moves<S>,
}

impl<S: Space> Best<S> {
    fn improve(best: &mut Option<Best<S>>, depth: usize, node: usize, cycle: Moves<S>) {
        let length = depth + cycle.len();
        if best.as_ref().is_none_or(|b| length < b.length) {
            *best = Some(Best {
                length,
                node,
                cycle,
            });
        }
    }
}

/// The graph around the initial nodes. Nodes are indexed in the order of their distance from these.
struct Near<S: Space> {
    nodes: Vec<S::Node>,
    depth: Vec<usize>,
    /// By node: its predecessor in the breadth-first search and the index of the arc from there; `None` for an initial
    /// node.
    parent: Vec<Option<(usize, usize)>>,
    arcs: Vec<Vec<(usize, ArcOf<S>)>>,
    /// The depth of the first node whose arcs are not stored; `None` if all arcs are stored.
    horizon: Option<usize>,
}

impl<S: Space> Near<S> {
    fn new(space: &mut S, effort: usize) -> Near<S> {
        let mut near = Near {
            nodes: Vec::new(),
            depth: Vec::new(),
            parent: Vec::new(),
            arcs: Vec::new(),
            horizon: None,
        };
        let mut numbers: HashMap<S::Node, usize> = HashMap::new();
        for node in space.initial() {
            near.number(&mut numbers, node, 0, None);
        }
        let mut stored = 0;
        let mut buffer = Vec::new();
        while near.arcs.len() < near.nodes.len() {
            let here = near.arcs.len();
            if stored > effort {
                near.horizon = Some(near.depth[here]);
                break;
            }
            space.arcs(near.nodes[here], &mut buffer);
            stored += buffer.len();
            let depth = near.depth[here] + 1;
            let mut arcs = Vec::with_capacity(buffer.len());
            for (number, arc) in buffer.drain(..).enumerate() {
                let to = near.number(&mut numbers, arc.to, depth, Some((here, number)));
                arcs.push((to, arc));
            }
            near.arcs.push(arcs);
        }
        near.arcs.resize_with(near.nodes.len(), Vec::new);
        near
    }

    fn number(
        &mut self,
        numbers: &mut HashMap<S::Node, usize>,
        node: S::Node,
        depth: usize,
        parent: Option<(usize, usize)>,
    ) -> usize {
        *numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.depth.push(depth);
            self.parent.push(parent);
            self.nodes.len() - 1
        })
    }

    /// The strongly connected components that may contain an accepting cycle, the nearest first. The nodes of each are
    /// in the order of distance.
    fn components(&self, space: &mut S) -> Vec<Vec<usize>> {
        let edges: Vec<Vec<(usize, u64)>> = (self.arcs.iter())
            .map(|arcs| arcs.iter().map(|(to, _)| (*to, 0)).collect())
            .collect();
        let component = &component_numbers(&edges);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (node, component) in component.iter().enumerate() {
            members[*component].push(node);
        }
        members.retain(|nodes| {
            let inner = |node: usize| {
                let arcs = self.arcs[node].iter();
                arcs.filter(move |(to, _)| component[*to] == component[node])
            };
            if nodes.iter().all(|node| inner(*node).next().is_none()) {
                return false; // a component without inner arcs, as most are
            }
            let mut done = Goals::none(space.goals());
            for &node in nodes {
                space.in_node(self.nodes[node], &mut done);
                for (_, arc) in inner(node) {
                    space.on_arc(self.nodes[node], arc, &mut done);
                }
            }
            space.parts_may_accept() || space.owed(&done).is_none()
        });
        members.sort_unstable_by_key(|nodes| nodes[0]);
        members
    }

    /// The initial node and the moves of a shortest path to a node.
    fn way(&self, node: usize) -> (S::Node, Moves<S>) {
        let mut stem = Vec::new();
        let mut at = node;
        while let Some((from, arc)) = self.parent[at] {
            stem.push((self.nodes[from], self.arcs[from][arc].1));
            at = from;
        }
        stem.reverse();
        (self.nodes[at], stem)
    }
}

/// The inner arcs of a component, with the goals that they reach as bit sets.
struct Pairs {
    /// By node: its inner arcs, each as target, index of the arc, and goals reached.
    arcs: HashMap<usize, Vec<(usize, usize, u64)>>,
    /// The goals that every inner arc reaches. They need no bits.
    base: Goals,
    /// By bit: the goal for which it stands. Goals that no inner arc reaches have no bit.
    bits: Vec<usize>,
}

enum Cycle {
    /// The arcs of the cycle, each as its source and its index there.
    Found(Vec<(usize, usize)>),
    None,
    /// The effort was spent before the search ended.
    Unknown,
}

impl Pairs {
    /// The inner arcs of `component`; `None` if more than 64 goals need bits.
    fn new<S: Space>(space: &mut S, near: &Near<S>, component: &[usize]) -> Option<Pairs> {
        let inside: HashSet<usize> = component.iter().copied().collect();
        let mut full: Vec<(usize, usize, usize, Goals)> = Vec::new();
        for &node in component {
            let mut here = Goals::none(space.goals());
            space.in_node(near.nodes[node], &mut here);
            for (number, (to, arc)) in near.arcs[node].iter().enumerate() {
                if inside.contains(to) {
                    let mut done = here.clone();
                    space.on_arc(near.nodes[node], arc, &mut done);
                    full.push((node, *to, number, done));
                }
            }
        }
        let mut base = Goals::none(space.goals());
        let mut bits = Vec::new();
        for goal in 0..space.goals() {
            if full.iter().all(|(_, _, _, done)| done.has(goal)) {
                base.add(goal);
            } else if full.iter().any(|(_, _, _, done)| done.has(goal)) {
                bits.push(goal);
            }
        }
        if bits.len() > 64 {
            return None;
        }
        let mut arcs: HashMap<usize, Vec<(usize, usize, u64)>> = HashMap::new();
        for (from, to, number, done) in full {
            let mask = (bits.iter().enumerate())
                .fold(0, |mask, (b, goal)| mask | u64::from(done.has(*goal)) << b);
            arcs.entry(from).or_default().push((to, number, mask));
        }
        Some(Pairs { arcs, base, bits })
    }

    /// A shortest accepting cycle through `node` with at most `limit` arcs. `left` is the remaining effort.
    fn cycle<S: Space>(&self, space: &S, node: usize, limit: usize, left: &mut usize) -> Cycle {
        // Each pair (node, goals) with the index of its predecessor, the index of the arc from there, and its distance.
        let mut pairs = vec![(node, 0u64, usize::MAX, 0, 0)];
        let mut seen: HashSet<(usize, u64)> = HashSet::new();
        let mut next = 0;
        while let Some(&(at, done, _, _, length)) = pairs.get(next) {
            if length == limit {
                break;
            }
            for &(to, number, mask) in self.arcs.get(&at).into_iter().flatten() {
                let more = done | mask;
                if !seen.insert((to, more)) {
                    continue;
                }
                if *left == 0 {
                    return Cycle::Unknown;
                }
                *left -= 1;
                pairs.push((to, more, next, number, length + 1));
                if to == node && space.owed(&self.goals(more)).is_none() {
                    let mut arcs = Vec::new();
                    let mut last = pairs.len() - 1;
                    while last != 0 {
                        let (_, _, before, number, _) = pairs[last];
                        arcs.push((pairs[before].0, number));
                        last = before;
                    }
                    arcs.reverse();
                    return Cycle::Found(arcs);
                }
            }
            next += 1;
        }
        Cycle::None
    }

    fn goals(&self, mask: u64) -> Goals {
        let mut goals = self.base.clone();
        for (b, goal) in self.bits.iter().enumerate() {
            if mask >> b & 1 != 0 {
                goals.add(*goal);
            }
        }
        goals
    }
}
