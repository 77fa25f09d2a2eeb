//! Enumeration of all connected undirected graphs up to isomorphism, optionally with coloured nodes.
//!
//! Every connected graph has a node whose removal leaves it connected. So each connected graph of n nodes arises from
//! one of n - 1 nodes by adding a node with at least one neighbour. Of each isomorphism class the first graph is
//! kept. Coloured graphs are enumerated as a graph with a colour for each node, up to the automorphisms of the graph.

/// A graph by its adjacency sets: for each node a bit set of its neighbours.
pub(crate) type Graph = Vec<u32>;

/// Maximum number of nodes. There are 853 connected graphs of seven nodes, and 11117 of eight.
pub(crate) const MOST_NODES: u32 = 7;

/// Maximum number of coloured graphs.
pub(crate) const MOST_GRAPHS: usize = 5_000;

/// The connected graphs of `n` nodes, ordered by the number of edges.
pub(crate) fn connected(n: u32) -> Vec<Graph> {
    let mut all: Vec<Graph> = vec![vec![0]];
    for new in 1..n {
        let mut larger: Vec<(Vec<(u32, u32)>, Graph)> = Vec::new();
        for graph in &all {
            for neighbours in 1..1u32 << new {
                let mut graph = graph.clone();
                for (node, row) in graph.iter_mut().enumerate() {
                    *row |= (neighbours >> node & 1) << new;
                }
                graph.push(neighbours);
                let invariant = invariant(&graph);
                let mut alike = larger.iter().filter(|(known, _)| *known == invariant);
                if !alike.any(|(_, known)| !isomorphisms(known, &graph, 1).is_empty()) {
                    larger.push((invariant, graph));
                }
            }
        }
        all = larger.into_iter().map(|(_, graph)| graph).collect();
    }
    all.sort_by_key(|graph| edges(graph).len());
    all
}

/// The connected graphs whose node i has colour `colours[i]`, up to isomorphisms that preserve colours. `None` if
/// there are more than [`MOST_GRAPHS`].
pub(crate) fn coloured(colours: &[usize]) -> Option<Vec<Graph>> {
    let n = colours.len();
    let plain = connected(n as u32);
    if colours.iter().all(|c| *c == colours[0]) {
        return Some(plain);
    }
    let mut found = Vec::new();
    for graph in &plain {
        let symmetries = isomorphisms(graph, graph, usize::MAX);
        let mut given = colours.to_vec();
        given.sort_unstable();
        // Every assignment of the colours to the nodes of the graph, in lexicographic order. The least of each orbit
        // under the automorphisms is kept.
        loop {
            let moved = |to: &Vec<usize>| {
                let moved: Vec<usize> = (0..n).map(|node| given[to[node]]).collect();
                moved
            };
            if symmetries.iter().all(|to| given <= moved(to)) {
                found.push(placed(graph, &given, colours));
                if found.len() > MOST_GRAPHS {
                    return None;
                }
            }
            if !next_permutation(&mut given) {
                break;
            }
        }
    }
    Some(found)
}

/// The edges of a graph, each once; nodes are numbered from 0.
pub(crate) fn edges(graph: &Graph) -> Vec<(u32, u32)> {
    let n = graph.len() as u32;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    pairs
        .filter(|(a, b)| graph[*a as usize] >> b & 1 == 1)
        .collect()
}

/// The graph with its nodes renumbered such that node i has the colour `wanted[i]`; `given` is the colour of each
/// node before. Nodes of the same colour keep their order.
fn placed(graph: &Graph, given: &[usize], wanted: &[usize]) -> Graph {
    let mut taken = vec![false; given.len()];
    let from: Vec<usize> = wanted
        .iter()
        .map(|colour| {
            let node = (0..given.len()).find(|node| !taken[*node] && given[*node] == *colour);
            let node = node.expect("both lists have the same colours");
            taken[node] = true;
            node
        })
        .collect();
    let row = |a: &usize| {
        let bits = from
            .iter()
            .enumerate()
            .map(|(b, old)| (graph[*a] >> old & 1) << b);
        bits.sum()
    };
    from.iter().map(row).collect()
}

/// Changes a list to its next permutation in lexicographic order; returns false if it was the last.
fn next_permutation(list: &mut [usize]) -> bool {
    let Some(last) = list.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let larger = list.iter().rposition(|item| *item > list[last]);
    list.swap(last, larger.expect("a larger element exists"));
    list[last + 1..].reverse();
    true
}

/// An isomorphism invariant: for each node its degree and the sum of the squared degrees of its neighbours, sorted.
fn invariant(graph: &Graph) -> Vec<(u32, u32)> {
    let degree = |node: usize| graph[node].count_ones();
    let around = |node: usize| {
        let neighbours = (0..graph.len()).filter(|other| graph[node] >> other & 1 == 1);
        neighbours.map(|other| degree(other) * degree(other)).sum()
    };
    let mut all: Vec<(u32, u32)> = (0..graph.len())
        .map(|node| (degree(node), around(node)))
        .collect();
    all.sort_unstable();
    all
}

/// At most `wanted` isomorphisms from one graph to another; each is the list of the images of the nodes.
fn isomorphisms(from: &Graph, to: &Graph, wanted: usize) -> Vec<Vec<usize>> {
    fn extend(
        (from, to): (&Graph, &Graph),
        begun: &mut Vec<usize>,
        wanted: usize,
        found: &mut Vec<Vec<usize>>,
    ) {
        cancellation::poll();
        let next = begun.len();
        if next == from.len() {
            found.push(begun.clone());
            return;
        }
        for image in 0..to.len() {
            let same =
                |(node, there): (usize, &usize)| from[next] >> node & 1 == to[image] >> *there & 1;
            if found.len() < wanted
                && from[next].count_ones() == to[image].count_ones()
                && !begun.contains(&image)
                && begun.iter().enumerate().all(same)
            {
                begun.push(image);
                extend((from, to), begun, wanted, found);
                begun.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend((from, to), &mut Vec::new(), wanted, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The number of connected graphs: <https://oeis.org/A001349>.
    #[test]
    fn counts_match_oeis() {
        let counts: Vec<usize> = (1..=7).map(|n| connected(n).len()).collect();
        assert_eq!(counts, [1, 1, 2, 6, 21, 112, 853]);
    }

    fn is_connected(graph: &Graph) -> bool {
        let mut reached = 1u32;
        for _ in graph {
            let there = (0..graph.len()).filter(|node| reached >> node & 1 == 1);
            reached |= there.map(|node| graph[node]).fold(0, |a, b| a | b);
        }
        reached == (1 << graph.len()) - 1
    }

    /// Every connected graph with numbered nodes.
    fn labelled(n: usize) -> Vec<Graph> {
        let pairs: Vec<(usize, usize)> = (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .collect();
        let graphs = (0..1u32 << pairs.len()).map(|set| {
            let mut graph = vec![0; n];
            for (bit, (a, b)) in pairs.iter().enumerate() {
                graph[*a] |= (set >> bit & 1) << b;
                graph[*b] |= (set >> bit & 1) << a;
            }
            graph
        });
        graphs.filter(is_connected).collect()
    }

    fn permutations(n: usize) -> Vec<Vec<usize>> {
        let mut list: Vec<usize> = (0..n).collect();
        let mut all = vec![list.clone()];
        while next_permutation(&mut list) {
            all.push(list.clone());
        }
        all
    }

    /// The least graph among all renumberings that preserve the colours.
    fn least(graph: &Graph, colours: &[usize]) -> Graph {
        let all = permutations(graph.len());
        let keeps = |to: &&Vec<usize>| (0..to.len()).all(|node| colours[to[node]] == colours[node]);
        let renumbered = all.iter().filter(keeps).map(|to| {
            let mut moved = vec![0; graph.len()];
            for a in 0..graph.len() {
                for b in 0..graph.len() {
                    moved[to[a]] |= (graph[a] >> b & 1) << to[b];
                }
            }
            moved
        });
        renumbered.min().expect("the identity is a permutation")
    }

    #[test]
    fn one_graph_of_each_isomorphism_class() {
        for colours in [
            &[0, 0, 0][..],
            &[0, 0, 0, 0, 0],
            &[0, 1, 1, 1],
            &[0, 0, 1, 1],
            &[0, 1, 1, 2],
            &[0, 1, 2, 3],
            &[1, 0, 0, 1, 2],
        ] {
            let all = labelled(colours.len());
            let classes: BTreeSet<Graph> = all.iter().map(|g| least(g, colours)).collect();
            let found = coloured(colours).expect("few graphs");
            let kept: BTreeSet<Graph> = found.iter().map(|g| least(g, colours)).collect();
            assert_eq!(kept, classes, "{colours:?}");
            assert_eq!(found.len(), classes.len(), "{colours:?}");
        }
        // If all colours differ, every connected graph with numbered nodes is a class of its own:
        // <https://oeis.org/A001187>.
        assert_eq!(coloured(&[0, 1, 2, 3]).map(|all| all.len()), Some(38));
        assert_eq!(coloured(&[0, 1, 2, 3, 4]).map(|all| all.len()), Some(728));
        assert_eq!(coloured(&[0, 1, 2, 3, 4, 5]), None);
    }
}
