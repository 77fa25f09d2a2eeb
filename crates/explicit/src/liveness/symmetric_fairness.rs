//! Fairness under symmetry reduction.
//!
//! Fairness refers to node names, which canonical forms do not preserve. Whether some run, fair or not, violates a
//! claim does not depend on names: if none does, the claim holds. Otherwise violating runs end in accepting strongly
//! connected components of the product. The real states of these components, and of a path to each, are computed, and
//! fairness is decided there.
//!
//! *Completeness.* A fair run that violates the claim eventually stays in real states of one such component. The
//! computed real states contain a path to one of these states or to a permutation of one. In the latter case the
//! permuted run is also a run, and fair.

use crate::graph::state_graph::{ERROR, Graph};
use crate::liveness::product::{Node, Product};
use foldhash::{HashMap, HashMapExt, HashSet};
use std::collections::VecDeque;
use verdict::Spent;

/// The states of all accepting components, and of a path to each. `go_on` returns the limit that is reached, if any.
pub(crate) fn accepting_states(
    product: &Product<'_, '_>,
    go_on: &mut dyn FnMut() -> Option<Spent>,
) -> Result<HashSet<u32>, Spent> {
    let mut found = HashSet::default();
    let parts = product.accepting_components(false, go_on)?;
    if parts.is_empty() {
        return Ok(found);
    }
    let mut came: HashMap<Node, Node> = HashMap::new();
    let mut queue: VecDeque<Node> = product.initial().into();
    came.extend(queue.iter().map(|node| (*node, *node)));
    while let Some(node) = queue.pop_front() {
        if let Some(spent) = go_on() {
            return Err(spent);
        }
        product.each_arc(node, |arc| {
            came.entry(arc.to).or_insert_with(|| {
                queue.push_back(arc.to);
                node
            });
        });
    }
    for part in parts {
        let states = part.nodes.iter().map(|node| product.state(*node));
        found.extend(states);
        let mut node = part.nodes[0];
        while came[&node] != node {
            node = came[&node];
            found.insert(product.state(node));
        }
    }
    Ok(found)
}

/// The graph of the real states whose canonical forms are in `states`. Transitions to other states are stored with
/// target [`ERROR`]: they count as enabled and are not followed.
pub(crate) fn unfolded<'a>(
    graph: &mut Graph<'a>,
    states: &HashSet<u32>,
    go_on: &mut dyn FnMut() -> Option<Spent>,
) -> Result<Graph<'a>, Spent> {
    let initial = 0..graph.predecessors.initial();
    let initial: Vec<u32> = initial.filter(|s| states.contains(s)).collect();
    let mut real = graph.real(&initial);
    real.transitions.keep = true;
    let mut state = 0;
    let mut spent = None;
    while state < real.store.len() && spent.is_none() {
        spent = go_on();
        for (target, label) in real.all_targets(state) {
            let inside = target.filter(|target| {
                let parts = graph.fold(&mut real, target);
                let number = graph.store.find(&parts);
                number.is_some_and(|number| states.contains(&number))
            });
            let target = match inside {
                None => ERROR,
                Some(parts) => {
                    let (target, new) = real.store.insert(&parts);
                    if new {
                        real.predecessors.found();
                    }
                    target
                }
            };
            real.transitions.count += 1;
            real.transitions.targets.push(target);
            real.transitions.labels.push(label);
        }
        real.end_of_state();
        state += 1;
    }
    match spent {
        Some(spent) => Err(spent),
        None => Ok(real),
    }
}
