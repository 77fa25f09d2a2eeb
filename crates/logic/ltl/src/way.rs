//! Shortest paths in a search space, and accepting cycles composed of them.

use crate::space::{ArcOf, Goals, MoveOf, Moves, Space};
use foldhash::{HashMap, HashMapExt, HashSet};
use std::collections::VecDeque;

/// By node: the move by which it was reached; `None` for a start node.
type Came<S> = HashMap<<S as Space>::Node, Option<MoveOf<S>>>;

/// A shortest path from an initial node to a node for which `wanted` is true: the initial node and the moves. `None` if
/// no such node is reachable.
pub fn way_to<S: Space>(
    space: &mut S,
    wanted: &mut dyn FnMut(S::Node) -> bool,
) -> Option<(S::Node, Vec<MoveOf<S>>)> {
    let initial = space.initial();
    let mut any = |_: &mut S, _, _: &ArcOf<S>| false;
    nearest(space, &initial, None, wanted, &mut any)
}

/// An accepting cycle through `entry` within a set of nodes, which must be an accepting component. The search is
/// greedy: it always moves to the nearest required goal. None only if [`Space::parts_may_accept`] and the path has
/// reached a goal that requires another one that the set does not contain.
pub fn cycle_in<S: Space>(
    space: &mut S,
    inside: &HashSet<S::Node>,
    entry: S::Node,
) -> Option<Vec<MoveOf<S>>> {
    let goals = space.goals();
    let mut done = Goals::none(goals);
    space.in_node(entry, &mut done);
    let mut cycle: Moves<S> = Vec::new();
    loop {
        let at = cycle.last().map_or(entry, |(_, arc)| arc.to);
        let owed = space.owed(&done);
        let part = if let Some(goal) = owed {
            let any = !space.parts_may_accept();
            let mut useful = |space: &mut S, from: S::Node, arc: &ArcOf<S>| {
                let mut more = Goals::none(goals);
                space.on_arc(from, arc, &mut more);
                space.in_node(arc.to, &mut more);
                more.has(goal) || any && more.join(&mut done.words().to_vec())
            };
            nearest(space, &[at], Some(inside), &mut |_| false, &mut useful)
        } else if cycle.is_empty() {
            nearest(
                space,
                &[at],
                Some(inside),
                &mut |_| false,
                &mut |_, _, _| true,
            )
        } else if at == entry {
            return Some(cycle);
        } else {
            nearest(
                space,
                &[at],
                Some(inside),
                &mut |node| node == entry,
                &mut |_, _, _| false,
            )
        };
        let (_, moves) = part?;
        for (from, arc) in &moves {
            space.on_arc(*from, arc, &mut done);
            space.in_node(arc.to, &mut done);
        }
        cycle.extend(moves);
    }
}

/// A shortest path from one of the nodes `from`, within the set `inside` if it is given, that ends in a node for which
/// `here` is true or with an arc for which `there` is true. `None` if there is none.
#[expect(clippy::type_complexity, reason = "named parts would not be shorter")]
fn nearest<S: Space>(
    space: &mut S,
    from: &[S::Node],
    inside: Option<&HashSet<S::Node>>,
    here: &mut dyn FnMut(S::Node) -> bool,
    there: &mut dyn FnMut(&mut S, S::Node, &ArcOf<S>) -> bool,
) -> Option<(S::Node, Moves<S>)> {
    let mut came: Came<S> = HashMap::new();
    let mut queue = VecDeque::new();
    for node in from {
        if came.insert(*node, None).is_none() {
            queue.push_back(*node);
        }
    }
    let mut arcs = Vec::new();
    while let Some(node) = queue.pop_front() {
        if here(node) {
            return Some(way::<S>(&came, node, None));
        }
        space.arcs(node, &mut arcs);
        for arc in arcs.drain(..) {
            if inside.is_some_and(|inside| !inside.contains(&arc.to)) {
                continue;
            }
            if there(space, node, &arc) {
                return Some(way::<S>(&came, node, Some((node, arc))));
            }
            came.entry(arc.to).or_insert_with(|| {
                queue.push_back(arc.to);
                Some((node, arc))
            });
        }
    }
    None
}

/// The path to a node, extended by the move `last` if there is one.
fn way<S: Space>(came: &Came<S>, node: S::Node, last: Option<MoveOf<S>>) -> (S::Node, Moves<S>) {
    let mut moves: Moves<S> = last.into_iter().collect();
    let mut at = node;
    while let Some((from, arc)) = came[&at] {
        moves.push((from, arc));
        at = from;
    }
    moves.reverse();
    (at, moves)
}
