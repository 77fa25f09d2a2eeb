//! The least number of events of an infinite run that violates a claim, by exhaustive enumeration.

use super::fixpoint::{Arc, Duty, product};
use super::graph::{Graph, Lossy};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The largest number of nodes of a product that is searched.
const MOST_NODES: usize = 150;

/// The greatest number of fairness and acceptance conditions.
const MOST_DUTIES: usize = 14;

/// The greatest number of pairs of a product state and a set of satisfied conditions.
const MOST_PAIRS: usize = 300_000;

/// The least number of events in stem and cycle together; `Ok(None)` if there is no such run. `Err` if the computation
/// would take too long.
pub fn shortest(
    graph: &Graph<'_>,
    letters: &[Option<ltl::Letter>],
    automaton: &ltl::Buchi,
    fair: bool,
) -> Result<Option<usize>, ()> {
    let (nodes, arcs) = product(graph, letters, automaton).ok_or(())?;
    let begin = { 0..graph.explored.initial }.filter(|s| letters[*s].is_some());
    let begin = begin.count() * automaton.initial.len();
    let mut duties: Vec<Duty<'_>> = { 0..automaton.acceptance }
        .map(|mark| Duty::Mark(1 << mark))
        .collect();
    if graph.instance.machine.digitisation().is_some() {
        duties.push(Duty::Wait);
    }
    let mut lossy: Vec<Lossy> = Vec::new();
    if fair {
        let units: BTreeSet<_> = graph.possible.iter().flatten().collect();
        duties.extend(units.into_iter().map(Duty::Unit));
        let puts = arcs.iter().filter_map(|arc| arc.moved);
        let puts: BTreeSet<Lossy> = puts.flat_map(|m| m.puts.iter().copied()).collect();
        lossy.extend(puts);
    }
    if nodes > MOST_NODES || duties.len() + 2 * lossy.len() > MOST_DUTIES {
        return Err(());
    }
    let does = |arc: &Arc<'_>| {
        let mut done = 0u32;
        for (i, duty) in duties.iter().enumerate() {
            done |= u32::from(duty.done_by(graph, arc)) << i;
        }
        for (i, pair) in lossy.iter().enumerate() {
            let puts = arc.moved.is_some_and(|m| m.puts.contains(pair));
            let arrives = arc.moved.is_some_and(|m| m.arrives == Some(*pair));
            done |= u32::from(puts) << (duties.len() + i);
            done |= u32::from(arrives) << (duties.len() + lossy.len() + i);
        }
        done
    };
    let enough = |done: u32| {
        let all = (1 << duties.len()) - 1;
        let (puts, arrives) = (done >> duties.len(), done >> (duties.len() + lossy.len()));
        done & all == all && puts & !arrives & ((1 << lossy.len()) - 1) == 0
    };
    let mut out: Vec<Vec<(usize, u32, usize)>> = vec![Vec::new(); nodes];
    for arc in &arcs {
        let events = usize::from(arc.moved.is_some());
        out[arc.from].push((arc.to, does(arc), events));
    }
    let depths = distances(
        &{ 0..begin }.map(|n| (n, 0)).collect::<Vec<_>>(),
        &out,
        false,
    );
    let mut best: Option<usize> = None;
    let mut pairs = 0;
    for (&(node, _), &depth) in &depths? {
        // The first step is fixed, so that the cycle is not empty.
        for (to, done, events) in &out[node] {
            let there = distances(&[(*to, *done)], &out, true)?;
            pairs += there.len();
            if pairs > MOST_PAIRS {
                return Err(());
            }
            let back = there
                .iter()
                .filter(|((n, done), _)| *n == node && enough(*done));
            for (_, more) in back {
                let length = depth + events + more;
                best = Some(best.map_or(length, |best| best.min(length)));
            }
        }
    }
    Ok(best)
}

/// The least number of events to each pair of a product state and the set of conditions satisfied on the way. Without
/// `duties`, the set is always empty.
fn distances(
    from: &[(usize, u32)],
    out: &[Vec<(usize, u32, usize)>],
    duties: bool,
) -> Result<BTreeMap<(usize, u32), usize>, ()> {
    let mut found: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut queue: VecDeque<((usize, u32), usize)> = from.iter().map(|at| (*at, 0)).collect();
    while let Some((at, length)) = queue.pop_front() {
        if found.contains_key(&at) {
            continue;
        }
        found.insert(at, length);
        if found.len() > MOST_PAIRS {
            return Err(());
        }
        for (to, does, events) in &out[at.0] {
            let next = (*to, if duties { at.1 | does } else { 0 });
            match events {
                0 => queue.push_front((next, length)),
                _ => queue.push_back((next, length + 1)),
            }
        }
    }
    Ok(found)
}
