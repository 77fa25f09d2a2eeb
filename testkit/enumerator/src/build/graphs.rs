//! All connected undirected graphs of n nodes, up to isomorphism.

use crate::build::topology::Edges;
use crate::instance::value::{Res, refuse};

/// One graph per isomorphism class, where isomorphisms preserve the colours of nodes. Refuses more than 6 nodes.
pub(crate) fn connected(n: usize, colours: &[usize]) -> Res<Vec<Edges>> {
    if n > 6 {
        return refuse(format!("all graphs with {n} nodes"));
    }
    let pairs: Edges = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let place = |a: usize, b: usize| pairs.iter().position(|p| *p == (a.min(b), a.max(b)));
    // For each permutation of the nodes that preserves colours: the image of each pair.
    let moves: Vec<Vec<usize>> = orders(n)
        .into_iter()
        .filter(|order| (0..n).all(|node| colours[order[node]] == colours[node]))
        .map(|order| {
            let moved = pairs.iter().map(|(a, b)| place(order[*a], order[*b]));
            moved.flatten().collect()
        })
        .collect();
    let mut found = Vec::new();
    // A graph is a bit set of pairs; the graph with the least number represents its class.
    for graph in 0..1_u32 << pairs.len() {
        let has = |pair: usize| graph & (1 << pair) != 0;
        let edges: Edges = (0..pairs.len())
            .filter(|pair| has(*pair))
            .map(|pair| pairs[pair])
            .collect();
        if edges.len() + 1 < n || !is_connected(n, &edges) {
            continue;
        }
        let moved = |to: &Vec<usize>| {
            let bits = (0..pairs.len())
                .filter(|pair| has(*pair))
                .map(|pair| to[pair]);
            bits.fold(0_u32, |all, bit| all | 1 << bit)
        };
        if moves.iter().all(|to| moved(to) >= graph) {
            found.push(edges);
        }
    }
    Ok(found)
}

fn is_connected(n: usize, edges: &Edges) -> bool {
    let mut reached = vec![false; n];
    reached.iter_mut().take(1).for_each(|first| *first = true);
    for _ in 1..n {
        for (a, b) in edges {
            let either = reached[*a] || reached[*b];
            (reached[*a], reached[*b]) = (either, either);
        }
    }
    reached.into_iter().all(|reached| reached)
}

/// Every permutation of n nodes.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = all.iter().flat_map(|begun: &Vec<usize>| {
            let rest = (0..n).filter(|node| !begun.contains(node));
            rest.map(|node| [&begun[..], &[node]].concat())
        });
        all = longer.collect();
    }
    all
}
