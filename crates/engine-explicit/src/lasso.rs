//! Short lassos: the nearest accepting part, and a cycle in it that accepts and is fair.

use crate::product::{Arc, Node, Part, Product, STANDS_STILL};
use foldhash::{HashMap, HashMapExt, HashSet};
use std::collections::VecDeque;

/// A path from an initial state, and a cycle at its end; no cycle: the run stands still there.
pub(crate) struct Lasso {
    pub(crate) initial: u32,
    pub(crate) stem: Vec<Step>,
    pub(crate) cycle: Vec<Step>,
}

/// A transition of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) label: u32,
}

/// A transition of the product, with where it begins.
type Move = (Node, Arc);

/// What a cycle must still do.
#[derive(Clone, Copy)]
enum Want {
    /// Take a transition with this mark.
    Mark(u64),
    /// Take the unit, or come to a state in which it is not possible.
    Unit(u32),
    /// Let something arrive.
    Arrival((u32, u32)),
    /// Let time pass.
    Wait,
    /// Take any transition.
    Move,
}

/// A lasso into the part that is nearest to an initial state.
pub(crate) fn find(product: &Product<'_, '_>, parts: &[Part], fair: bool) -> Option<Lasso> {
    let mut part_of = HashMap::new();
    for (p, part) in parts.iter().enumerate() {
        for node in &part.nodes {
            part_of.entry(*node).or_insert(p);
        }
    }
    let initial = product.initial();
    let (begin, stem) = nearest(
        &initial,
        |node| product.arcs(node),
        |node| part_of.contains_key(&node),
        |_| false,
    )?;
    let entry = stem.last().map_or(begin, |(_, arc)| arc.to);
    let cycle = cycle(product, &parts[part_of[&entry]], entry, fair);
    let stands = cycle.iter().all(|(_, arc)| arc.label == STANDS_STILL);
    let steps = |moves: &[Move]| {
        let real = moves.iter().filter(|(_, arc)| arc.label != STANDS_STILL);
        real.map(|(from, arc)| Step {
            from: product.state(*from),
            to: product.state(arc.to),
            label: arc.label,
        })
        .collect()
    };
    Some(Lasso {
        initial: product.state(begin),
        stem: steps(&stem),
        cycle: if stands { Vec::new() } else { steps(&cycle) },
    })
}

/// A cycle through a node of a part that does everything it must.
fn cycle(product: &Product<'_, '_>, part: &Part, entry: Node, fair: bool) -> Vec<Move> {
    let inside: HashSet<Node> = part.nodes.iter().copied().collect();
    let arcs = |node| {
        let mut arcs = product.arcs(node);
        arcs.retain(|arc| inside.contains(&arc.to) && !product.is_banned(arc, &part.banned));
        arcs
    };
    let mut moves: Vec<Move> = Vec::new();
    loop {
        let at = moves.last().map_or(entry, |(_, arc)| arc.to);
        let Some(want) = missing(product, &moves, entry, fair) else {
            if at == entry {
                return moves;
            }
            let (_, back) =
                nearest(&[at], arcs, |node| node == entry, |_| false).expect("strongly connected");
            moves.extend(back);
            continue;
        };
        let here = |node: Node| match want {
            Want::Unit(unit) => !product.possible_units(product.state(node)).contains(&unit),
            Want::Mark(_) | Want::Arrival(_) | Want::Wait | Want::Move => false,
        };
        let there = |arc: &Arc| {
            let label =
                (arc.label != STANDS_STILL).then(|| &product.graph.label_table[arc.label as usize]);
            match want {
                Want::Mark(mark) => arc.marks & mark != 0,
                Want::Unit(unit) => label.is_some_and(|l| l.units.contains(&unit)),
                Want::Arrival(what) => label.is_some_and(|l| l.arrives == Some(what)),
                Want::Wait => label.is_some_and(|l| l.waits),
                Want::Move => true,
            }
        };
        let (_, more) = nearest(&[at], arcs, here, there).expect("the part does it somewhere");
        moves.extend(more);
    }
}

/// Something that the cycle must do and does not do yet.
fn missing(product: &Product<'_, '_>, moves: &[Move], entry: Node, fair: bool) -> Option<Want> {
    let marks = moves.iter().fold(0, |marks, (_, arc)| marks | arc.marks);
    let open = product.automaton.all_marks() & !marks;
    if open != 0 {
        return Some(Want::Mark(open & open.wrapping_neg()));
    }
    if moves.is_empty() {
        return Some(Want::Move);
    }
    let labels = || {
        let real = moves.iter().filter(|(_, arc)| arc.label != STANDS_STILL);
        real.map(|(_, arc)| &product.graph.label_table[arc.label as usize])
    };
    if product.graph.has_time() && !labels().any(|label| label.waits) {
        return Some(Want::Wait);
    }
    if !fair {
        return None;
    }
    let mut everywhere = product.possible_units(product.state(entry));
    for (_, arc) in moves {
        let possible = product.possible_units(product.state(arc.to));
        everywhere.retain(|unit| possible.contains(unit));
    }
    everywhere.retain(|unit| !labels().any(|label| label.units.contains(unit)));
    if let Some(unit) = everywhere.first() {
        return Some(Want::Unit(*unit));
    }
    let lost = labels()
        .flat_map(|l| &l.puts)
        .find(|put| !labels().any(|l| l.arrives == Some(**put)));
    lost.map(|put| Want::Arrival(*put))
}

/// A shortest path from one of the nodes to a node that is wanted, or along a transition that is wanted.
fn nearest(
    from: &[Node],
    arcs: impl Fn(Node) -> Vec<Arc>,
    wanted: impl Fn(Node) -> bool,
    wanted_arc: impl Fn(&Arc) -> bool,
) -> Option<(Node, Vec<Move>)> {
    let mut came: HashMap<Node, Option<Move>> = HashMap::new();
    let mut queue = VecDeque::new();
    for node in from {
        came.insert(*node, None);
        queue.push_back(*node);
    }
    while let Some(node) = queue.pop_front() {
        if wanted(node) {
            return Some(way(&came, node, None));
        }
        for arc in arcs(node) {
            if wanted_arc(&arc) {
                return Some(way(&came, node, Some((node, arc))));
            }
            came.entry(arc.to).or_insert_with(|| {
                queue.push_back(arc.to);
                Some((node, arc))
            });
        }
    }
    None
}

/// The way to a node, and one move further.
fn way(came: &HashMap<Node, Option<Move>>, node: Node, last: Option<Move>) -> (Node, Vec<Move>) {
    let mut moves: Vec<Move> = last.into_iter().collect();
    let mut at = node;
    while let Some((from, arc)) = came[&at] {
        moves.push((from, arc));
        at = from;
    }
    moves.reverse();
    (at, moves)
}
