//! Ways through a graph: the shortest to something wanted, and a cycle made of such ways.

use crate::space::{ArcOf, Goals, MoveOf, Moves, Space};
use foldhash::{HashMap, HashMapExt, HashSet};
use std::collections::VecDeque;

/// How each node was reached; none: it is where ways begin.
type Came<S> = HashMap<<S as Space>::Node, Option<MoveOf<S>>>;

/// A cycle through a node that stays inside and accepts, always on to the nearest thing that is still owed.
pub(crate) fn greedy<S: Space, E>(
    space: &mut S,
    inside: &HashSet<S::Node>,
    entry: S::Node,
    go_on: &mut dyn FnMut() -> Option<E>,
) -> Result<Option<Moves<S>>, E> {
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
            nearest(
                space,
                &[at],
                Some(inside),
                &mut |_| false,
                &mut useful,
                go_on,
            )?
        } else if cycle.is_empty() {
            nearest(
                space,
                &[at],
                Some(inside),
                &mut |_| false,
                &mut |_, _, _| true,
                go_on,
            )?
        } else if at == entry {
            return Ok(Some(cycle));
        } else {
            nearest(
                space,
                &[at],
                Some(inside),
                &mut |node| node == entry,
                &mut |_, _, _| false,
                go_on,
            )?
        };
        let Some((_, moves)) = part else {
            return Ok(None);
        };
        for (from, arc) in &moves {
            space.on_arc(*from, arc, &mut done);
            space.in_node(arc.to, &mut done);
        }
        cycle.extend(moves);
    }
}

/// A shortest path from one of the nodes, inside, to a node that is wanted or along an arc that is wanted.
#[expect(clippy::type_complexity, reason = "named parts would not be shorter")]
pub(crate) fn nearest<S: Space, E>(
    space: &mut S,
    from: &[S::Node],
    inside: Option<&HashSet<S::Node>>,
    here: &mut dyn FnMut(S::Node) -> bool,
    there: &mut dyn FnMut(&mut S, S::Node, &ArcOf<S>) -> bool,
    go_on: &mut dyn FnMut() -> Option<E>,
) -> Result<Option<(S::Node, Moves<S>)>, E> {
    let mut came: Came<S> = HashMap::new();
    let mut queue = VecDeque::new();
    for node in from {
        if came.insert(*node, None).is_none() {
            queue.push_back(*node);
        }
    }
    let mut arcs = Vec::new();
    while let Some(node) = queue.pop_front() {
        if let Some(spent) = go_on() {
            return Err(spent);
        }
        if here(node) {
            return Ok(Some(way::<S>(&came, node, None)));
        }
        space.arcs(node, &mut arcs);
        for arc in arcs.drain(..) {
            if inside.is_some_and(|inside| !inside.contains(&arc.to)) {
                continue;
            }
            if there(space, node, &arc) {
                return Ok(Some(way::<S>(&came, node, Some((node, arc)))));
            }
            came.entry(arc.to).or_insert_with(|| {
                queue.push_back(arc.to);
                Some((node, arc))
            });
        }
    }
    Ok(None)
}

/// The way to a node, and one move further.
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
