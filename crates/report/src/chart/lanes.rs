//! Selects the nodes that have lanes in a chart or timeline, and writes their frozen values.

use crate::replay::run::ReplayedRun;
use crate::replay::slice::roots;
use machine::{NodeId, Value};

/// The largest number of lanes.
const MOST_LANES: usize = 14;

/// The nodes that have lanes: all if they are at most `MOST_LANES`, otherwise those that matter most. `nodes` has the
/// node of each event, and `matters` whether the event matters.
pub(crate) fn lanes(
    replay: &ReplayedRun<'_>,
    nodes: &[Option<NodeId>],
    matters: &[bool],
) -> Vec<NodeId> {
    let all: Vec<NodeId> = replay.words.machine.nodes().collect();
    if all.len() <= MOST_LANES {
        return all;
    }
    let roots = roots(replay);
    let busy = |node: NodeId| {
        let own = nodes
            .iter()
            .zip(matters)
            .filter(|(of, _)| **of == Some(node));
        let (count, mattering) = own.fold((0, 0), |(c, m), (_, matters)| {
            (c + 1, m + usize::from(*matters))
        });
        (mattering, count)
    };
    let mut ranked: Vec<(NodeId, (usize, usize), bool)> = all
        .into_iter()
        .map(|n| (n, busy(n), roots.contains(&n)))
        .filter(|(_, (mattering, _), _)| *mattering > 0)
        .collect();
    if ranked.is_empty() {
        return replay.words.machine.nodes().take(MOST_LANES).collect();
    }
    // First the root nodes (unless all are roots), then those with the most events that matter.
    let all_are_roots = roots.len() == replay.words.machine.node_count() as usize;
    ranked.sort_by_key(|(node, busy, root)| {
        (!*root || all_are_roots, std::cmp::Reverse(*busy), *node)
    });
    let mut lanes: Vec<NodeId> = ranked.iter().take(MOST_LANES).map(|r| r.0).collect();
    lanes.sort();
    lanes
}

/// The frozen values of a node, such as `id #3`; empty if there are none.
pub(crate) fn constants(replay: &ReplayedRun<'_>, node: NodeId) -> String {
    let words = replay.words;
    let machine = words.machine;
    let (kind, place) = (machine.kind_of(node), machine.place_in_kind(node));
    let own = machine.frozen_vars.iter().zip(&replay.run.frozen.values);
    let own = own
        .filter(|(var, _)| var.kind == kind)
        .map(|(var, values)| {
            let value: &Value = &values[place];
            format!("{} {}", var.name, words.value(value))
        });
    own.collect::<Vec<_>>().join(", ")
}
