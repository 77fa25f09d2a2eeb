//! Short lassos: a stem with an accepting fair cycle, or with a state in which the run stutters.
//!
//! *Guarantee.* The result is a lasso with the least number of events in stem and cycle together, among all lassos in
//! the explored part of the graph. This requires that [`EFFORT`] suffices for the exhaustive search, which stores the
//! surroundings of the initial states and follows pairs of a product state and the set of goals reached on the cycle.
//! It suffices unless there are hundreds of thousands of transitions before the end of the cycle, or more than 64
//! relevant goals of a cycle ([`Runs`]). Otherwise the result is the shortest of three lassos: the best one found
//! within this effort; one that stutters; and one with a shortest stem to the nearest accepting component and a cycle
//! that proceeds greedily to the nearest missing goal. With symmetry reduction the real cycle may consist of several
//! rounds.

use crate::graph::witness::{Lasso, Step};
use crate::liveness::product::{AcceptingComponent, Arc, Node, Product, STUTTER};
use foldhash::{HashMap, HashMapExt, HashSet};
use ltl::Goals;

/// The limit on stored transitions and on followed pairs, if there are fewer than 64 fairness units; less with more
/// units.
const EFFORT: usize = 400_000;

/// A transition of the product, with its source.
type Move = ltl::Move<Node, (u32, u64)>;

/// A short lasso; `None` only if there is none.
pub(crate) fn find(product: &Product<'_, '_>, fair: bool) -> Option<Lasso> {
    // Claims are stutter-invariant, so it suffices to consider runs without stuttering steps and runs that stutter for
    // ever.
    let moving = &Product {
        stutters: false,
        ..*product
    };
    let mut runs = Runs::new(moving, fair);
    let standing = to_stuttering_state(&mut runs);
    let effort = EFFORT / (1 + runs.units / 64);
    let near = ltl::lasso(&mut runs, effort);
    let shortest = near.as_ref().is_some_and(|near| near.shortest);
    let near = near.map(|near| runs.lasso(near.start, &near.stem, &near.cycle));
    let far = match shortest {
        true => None,
        false => to_component(&mut runs),
    };
    let length = |lasso: &Lasso| lasso.stem.len() + lasso.cycle.len();
    let known = [standing, near, far].into_iter().flatten();
    let found = known.min_by_key(length);
    found.or_else(|| to_component(&mut Runs::new(product, fair)))
}

/// A lasso with a shortest stem to a state in which the run stutters for ever; `None` if there is none.
pub(crate) fn find_stuttering(product: &Product<'_, '_>) -> Option<Lasso> {
    let moving = &Product {
        stutters: false,
        ..*product
    };
    to_stuttering_state(&mut Runs::new(moving, false))
}

/// A shortest stem to a product state from which stuttering for ever is accepted.
fn to_stuttering_state(runs: &mut Runs<'_, '_>) -> Option<Lasso> {
    let product = runs.product;
    if product.graph.has_time() {
        return None; // a run with time cannot stutter for ever
    }
    // By letter: the automaton states from which its infinite repetition is accepted.
    let mut accepted: HashMap<ltl::Letter, Vec<bool>> = HashMap::new();
    let mut accepting = |letter: ltl::Letter| {
        let from = |place| product.automaton.accepts_for_ever(place, letter);
        let places = 0..product.automaton.states.len();
        let all = accepted.entry(letter);
        all.or_insert_with(|| places.map(from).collect()).clone()
    };
    let states: HashMap<u32, Vec<bool>> = (0..product.known)
        .filter(|state| product.may_stutter(*state))
        .map(|state| (state, accepting(product.letters[state as usize])))
        .filter(|(_, accepted)| accepted.contains(&true))
        .collect();
    if states.is_empty() {
        return None;
    }
    let wanted = &mut |node| {
        let accepted = states.get(&product.state(node));
        accepted.is_some_and(|accepted| accepted[product.place(node)])
    };
    let (start, stem) = ltl::way_to(runs, wanted)?;
    Some(runs.lasso(start, &stem, &[]))
}

/// A lasso into the accepting component that is nearest to an initial state.
fn to_component(runs: &mut Runs<'_, '_>) -> Option<Lasso> {
    let parts = runs.product.accepting_components(runs.fair, &mut || None);
    let parts: Vec<AcceptingComponent> = parts.expect("it is never interrupted");
    let mut part_of = HashMap::new();
    for (p, part) in parts.iter().enumerate() {
        for node in &part.nodes {
            part_of.entry(*node).or_insert(p);
        }
    }
    let (start, stem) = ltl::way_to(runs, &mut |node| part_of.contains_key(&node))?;
    let entry = stem.last().map_or(start, |(_, arc)| arc.to);
    let part = &parts[part_of[&entry]];
    let inside: HashSet<Node> = part.nodes.iter().copied().collect();
    runs.banned.clone_from(&part.banned);
    let cycle = ltl::cycle_in(runs, &inside, entry);
    runs.banned.clear();
    cycle.map(|cycle| runs.lasso(start, &stem, &cycle))
}

/// The runs of a product, with the goals that a cycle must reach. The goals are numbered in this order: acceptance
/// marks; fairness units, reached where the unit acts or is disabled; the passing of time; for each lossy edge and
/// message type, that a message is put on the edge; and for each of these, that one arrives. An arrival is required
/// only if a message is put.
struct Runs<'p, 'g> {
    product: &'p Product<'p, 'g>,
    fair: bool,
    marks: usize,
    units: usize,
    waits: usize,
    lossy: Vec<(u32, u32)>,
    /// Message types that must not be put on edges: edge and record.
    banned: Vec<(u32, u32)>,
    /// The bit mask of the goals of all fairness units.
    every_unit: Vec<u64>,
}

impl<'p, 'g> Runs<'p, 'g> {
    fn new(product: &'p Product<'p, 'g>, fair: bool) -> Runs<'p, 'g> {
        let graph = product.graph;
        let mut lossy: Vec<(u32, u32)> = match fair {
            true => { graph.labels.table.iter() }
                .flat_map(|l| l.puts.clone())
                .collect(),
            false => Vec::new(),
        };
        lossy.sort_unstable();
        lossy.dedup();
        let marks = product.automaton.acceptance as usize;
        let units = if fair { graph.labels.unit_count() } else { 0 };
        let mut every_unit = vec![0; (marks + units).div_ceil(64)];
        for goal in marks..marks + units {
            every_unit[goal / 64] |= 1 << (goal % 64);
        }
        Runs {
            product,
            fair,
            marks,
            units,
            waits: usize::from(graph.has_time()),
            lossy,
            banned: Vec::new(),
            every_unit,
        }
    }

    fn first_lossy(&self) -> usize {
        self.marks + self.units + self.waits
    }

    /// The number of the goal that a message of this edge and type is put or, if `arrives` is set, that one arrives.
    fn lossy_goal(&self, what: (u32, u32), arrives: bool) -> Option<usize> {
        let place = self.lossy.binary_search(&what).ok()?;
        let behind = if arrives { self.lossy.len() } else { 0 };
        Some(self.first_lossy() + behind + place)
    }

    /// The lasso of the graph for a lasso of the product, without stuttering steps.
    fn lasso(&self, start: Node, stem: &[Move], cycle: &[Move]) -> Lasso {
        let steps = |moves: &[Move]| {
            let real = moves.iter().filter(|(_, arc)| arc.label.0 != STUTTER);
            real.map(|(from, arc)| Step {
                from: self.product.state(*from),
                to: self.product.state(arc.to),
                label: arc.label.0,
            })
            .collect()
        };
        Lasso {
            initial: self.product.state(start),
            stem: steps(stem),
            cycle: steps(cycle),
        }
    }
}

impl ltl::Space for Runs<'_, '_> {
    type Node = Node;
    /// The number of the transition label, and the acceptance marks.
    type Label = (u32, u64);

    fn goals(&self) -> usize {
        self.first_lossy() + 2 * self.lossy.len()
    }

    fn initial(&mut self) -> Vec<Node> {
        self.product.initial()
    }

    fn arcs(&mut self, node: Node, into: &mut Vec<ltl::Arc<Node, (u32, u64)>>) {
        self.product.each_arc(node, |arc: Arc| {
            if !self.product.is_banned(&arc, &self.banned) {
                let (to, label) = (arc.to, (arc.label, arc.marks));
                into.push(ltl::Arc { to, label });
            }
        });
    }

    fn in_node(&mut self, node: Node, done: &mut Goals) {
        if self.units == 0 {
            return;
        }
        let mut words = self.every_unit.clone();
        for unit in self.product.enabled_units(self.product.state(node)) {
            let goal = self.marks + unit as usize;
            words[goal / 64] &= !(1 << (goal % 64));
        }
        for (word, bits) in words.into_iter().enumerate() {
            done.add_word(word, bits);
        }
    }

    fn on_arc(&mut self, _: Node, arc: &ltl::Arc<Node, (u32, u64)>, done: &mut Goals) {
        let (label, marks) = arc.label;
        done.add_word(0, marks & self.product.automaton.all_marks());
        if label == STUTTER {
            return;
        }
        let label = &self.product.graph.labels.table[label as usize];
        if label.waits && self.waits > 0 {
            done.add(self.marks + self.units);
        }
        if !self.fair {
            return;
        }
        for unit in &label.units {
            done.add(self.marks + *unit as usize);
        }
        let puts = label.puts.iter().map(|put| self.lossy_goal(*put, false));
        let arrives = label.arrives.map(|what| self.lossy_goal(what, true));
        for goal in puts.chain(arrives).flatten() {
            done.add(goal);
        }
    }

    fn owed(&self, done: &Goals) -> Option<usize> {
        let plain = self.first_lossy();
        if let Some(goal) = done.first_missing(plain) {
            return Some(goal);
        }
        let pairs = (0..self.lossy.len()).map(|i| (plain + i, plain + self.lossy.len() + i));
        let lost = { pairs }.find(|(put, arrival)| done.has(*put) && !done.has(*arrival));
        lost.map(|(_, arrival)| arrival)
    }

    fn parts_may_accept(&self) -> bool {
        !self.lossy.is_empty()
    }
}
