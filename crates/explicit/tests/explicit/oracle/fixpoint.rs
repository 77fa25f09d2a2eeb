//! Whether a fair run satisfies a formula, by fixpoints on the product of the states with an automaton.
//!
//! After Emerson and Lei: a node lies on or before a fair cycle inside Z if, for every fairness condition, it can reach
//! inside Z a transition that satisfies the condition. The greatest such Z is computed by removing nodes repeatedly. A
//! strong fairness condition is not satisfied by single transitions. The code therefore guesses the lossy edges to
//! which no message is sent from some point on; for each guess, the remaining conditions have this form.

use super::graph::{Graph, Lossy, Move};
use machine::Unit;
use std::collections::{BTreeSet, HashMap};

/// A transition of the product. Without a move, it is a stuttering step.
pub struct Arc<'g> {
    pub from: usize,
    pub to: usize,
    pub state: usize,
    pub marks: u64,
    pub moved: Option<&'g Move>,
}

/// A condition that must be satisfied infinitely often.
pub enum Duty<'g> {
    Anything,
    Mark(u64),
    /// The fairness unit acts, or is disabled.
    Unit(&'g Unit),
    Arrival(Lossy),
    /// Time passes.
    Wait,
}

/// The greatest number of lossy edges for which all guesses are tried.
const MOST_LOSSY: usize = 10;

/// The largest number of transitions of a product that is searched.
const MOST_ARCS: usize = 200_000;

/// Whether some run through states with a letter is accepted by the automaton and, if `fair` is set, fair. `None` if
/// the computation would take too long.
pub fn some_run(
    graph: &Graph<'_>,
    letters: &[Option<ltl::Letter>],
    automaton: &ltl::Buchi,
    fair: bool,
) -> Option<bool> {
    let (nodes, arcs) = product(graph, letters, automaton)?;
    let mut duties = vec![Duty::Anything];
    duties.extend((0..automaton.acceptance).map(|mark| Duty::Mark(1 << mark)));
    if graph.instance.machine.digitisation().is_some() {
        duties.push(Duty::Wait);
    }
    let all = arcs.iter().collect::<Vec<_>>();
    if !fair {
        return Some(!hull(graph, nodes, &all, &duties).is_empty());
    }
    let units: BTreeSet<&Unit> = graph.possible.iter().flatten().collect();
    duties.extend(units.into_iter().map(Duty::Unit));
    let inside = hull(graph, nodes, &all, &duties);
    let left = |arc: &&&Arc<'_>| inside.contains(&arc.from) && inside.contains(&arc.to);
    let arcs: Vec<&Arc<'_>> = all.iter().filter(left).copied().collect();
    let moves = arcs.iter().filter_map(|arc| arc.moved);
    let lossy: BTreeSet<Lossy> = moves.flat_map(|m| m.puts.iter().copied()).collect();
    let lossy: Vec<Lossy> = lossy.into_iter().collect();
    if lossy.len() > MOST_LOSSY {
        return None;
    }
    Some((0..1u32 << lossy.len()).any(|guess| {
        let idle = |(i, _): &(usize, &Lossy)| guess >> i & 1 == 1;
        let (idle, busy): (Vec<_>, Vec<_>) = lossy.iter().enumerate().partition(idle);
        let silent = |arc: &&Arc<'_>| {
            let puts =
                |(_, pair): &(usize, &Lossy)| arc.moved.is_some_and(|m| m.puts.contains(*pair));
            !idle.iter().any(puts)
        };
        let arcs: Vec<&Arc<'_>> = arcs.iter().copied().filter(silent).collect();
        let before = duties.len();
        duties.extend(busy.iter().map(|(_, pair)| Duty::Arrival(**pair)));
        let found = !hull(graph, nodes, &arcs, &duties).is_empty();
        duties.truncate(before);
        found
    }))
}

/// The number of nodes and the transitions of the reachable part of the product; `None` if it is too large. Initial
/// nodes come first.
pub fn product<'g>(
    graph: &'g Graph<'_>,
    letters: &[Option<ltl::Letter>],
    automaton: &ltl::Buchi,
) -> Option<(usize, Vec<Arc<'g>>)> {
    let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
    let mut nodes: Vec<(usize, usize)> = Vec::new();
    let mut arcs = Vec::new();
    let mut number = |node, nodes: &mut Vec<(usize, usize)>| {
        *numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        })
    };
    for state in (0..graph.explored.initial).filter(|s| letters[*s].is_some()) {
        for place in &automaton.initial {
            number((state, *place), &mut nodes);
        }
    }
    let mut from = 0;
    while from < nodes.len() {
        if arcs.len() > MOST_ARCS {
            return None;
        }
        let (state, place) = nodes[from];
        let letter = letters[state].expect("only states with a letter are nodes");
        for edge in &automaton.states[place].edges {
            if !edge.guard.holds(letter) {
                continue;
            }
            let stays = graph.is_final(state).then_some((state, None));
            let goes = graph.moves[state].iter().map(|m| (m.to, Some(m)));
            for (target, moved) in goes.chain(stays) {
                if letters[target].is_some() {
                    let to = number((target, edge.target), &mut nodes);
                    let marks = edge.marks;
                    arcs.push(Arc {
                        from,
                        to,
                        state,
                        marks,
                        moved,
                    });
                }
            }
        }
        from += 1;
    }
    Some((nodes.len(), arcs))
}

/// The nodes from which an infinite run along these transitions can satisfy all conditions infinitely often.
fn hull(
    graph: &Graph<'_>,
    nodes: usize,
    arcs: &[&Arc<'_>],
    duties: &[Duty<'_>],
) -> BTreeSet<usize> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (a, arc) in arcs.iter().enumerate() {
        into[arc.to].push(a);
    }
    let mut inside = vec![true; nodes];
    loop {
        let mut changed = false;
        for duty in duties {
            // Nodes that can reach a transition which satisfies the condition, by backward search.
            let mut able = vec![false; nodes];
            let does = arcs
                .iter()
                .filter(|arc| inside[arc.from] && inside[arc.to] && duty.done_by(graph, arc));
            let mut todo: Vec<usize> = does.map(|arc| arc.from).collect();
            while let Some(node) = todo.pop() {
                if !std::mem::replace(&mut able[node], true) {
                    let before = into[node].iter().map(|a| arcs[*a].from);
                    todo.extend(before.filter(|from| inside[*from]));
                }
            }
            changed |= able != inside;
            inside = able;
        }
        if !changed {
            return (0..nodes).filter(|node| inside[*node]).collect();
        }
    }
}

impl Duty<'_> {
    pub fn done_by(&self, graph: &Graph<'_>, arc: &Arc<'_>) -> bool {
        match self {
            Duty::Anything => true,
            Duty::Mark(mark) => arc.marks & mark != 0,
            Duty::Unit(unit) => {
                !graph.possible[arc.state].contains(unit)
                    || arc.moved.is_some_and(|m| m.units.contains(unit))
            }
            Duty::Wait => arc.moved.is_some_and(|m| m.waits),
            Duty::Arrival(pair) => arc.moved.is_some_and(|m| m.arrives == Some(*pair)),
        }
    }
}
