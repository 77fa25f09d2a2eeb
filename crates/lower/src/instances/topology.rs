//! The number of nodes and the edges of a topology.

use crate::instances::request::no_value;
use machine::NodeId;
use model::{
    Constant, EdgeEnd, Environment, Expr, KindId, Topology, TopologyEdge, TopologyShape, evaluate,
};
use source::{Diagnostic, codes};

/// Maximum number of nodes.
pub(crate) const MOST_NODES: i64 = machine::MOST_NODES as i64;

/// The number of nodes of a topology; `None` if the topology does not determine it.
pub(crate) fn size(topology: &Topology, env: &Environment<'_>) -> Result<Option<i64>, Diagnostic> {
    let number = |e: &Expr| match evaluate(e, env) {
        Ok(Constant::Int(number)) => Ok(number),
        Ok(_) => Ok(0),
        Err(error) => Err(no_value(&error)),
    };
    let sizes: Vec<i64> = topology
        .sizes
        .iter()
        .map(number)
        .collect::<Result<_, _>>()?;
    let too_small = |what: &str, e: &Expr, found: i64| {
        Diagnostic::error(
            codes::NODE_COUNT,
            e.span,
            format!("{what}; here are {found}"),
        )
    };
    Ok(match (topology.shape, &sizes[..]) {
        (TopologyShape::Edges, _) => {
            let ends = topology
                .edges
                .iter()
                .flat_map(|edge| [&edge.from, &edge.to]);
            let mut largest = 0;
            for end in ends {
                if let EdgeEnd::Number(e) = end {
                    largest = largest.max(number(e)?);
                }
            }
            Some(largest)
        }
        (TopologyShape::Grid | TopologyShape::Torus, &[rows, columns]) => {
            for (e, found) in topology.sizes.iter().zip(&sizes) {
                if *found < 1 {
                    return Err(too_small(
                        "there is at least one row and one column",
                        e,
                        *found,
                    ));
                }
            }
            Some(rows.saturating_mul(columns))
        }
        (TopologyShape::Tree, &[children, levels]) => {
            if children < 1 {
                let e = &topology.sizes[0];
                return Err(too_small(
                    "an inner node has at least one child",
                    e,
                    children,
                ));
            }
            if levels < 0 {
                let e = &topology.sizes[1];
                return Err(too_small("there cannot be less than no levels", e, levels));
            }
            Some(tree_size(children, levels))
        }
        (_, sizes) => sizes.first().copied(),
    })
}

/// The number of nodes of a tree; stops counting above [`MOST_NODES`].
fn tree_size(children: i64, levels: i64) -> i64 {
    let (mut level, mut all) = (1i64, 1i64);
    for _ in 0..levels {
        level = level.saturating_mul(children);
        all = all.saturating_add(level);
        if all > MOST_NODES {
            break;
        }
    }
    all
}

/// Whether nodes a and b of n nodes, numbered from 0, are neighbours; not for `graphs` and `edges`.
fn joined(shape: TopologyShape, sizes: &[i64], n: u32, a: u32, b: u32) -> bool {
    let (a, b) = (a.min(b), a.max(b));
    match (shape, sizes) {
        (TopologyShape::Complete, _) => true,
        (TopologyShape::Ring, _) => a + 1 == b || (a, b) == (0, n - 1),
        (TopologyShape::Line, _) => a + 1 == b,
        (TopologyShape::Star, _) => a == 0,
        (TopologyShape::Grid | TopologyShape::Torus, &[rows, columns]) => {
            let (rows, columns) = (rows as u32, columns as u32);
            let beside = |a: u32, b: u32, of: u32| {
                let (a, b) = (a.min(b), a.max(b));
                a + 1 == b || shape == TopologyShape::Torus && (a, b) == (0, of - 1)
            };
            let (ra, ca) = (a / columns, a % columns);
            let (rb, cb) = (b / columns, b % columns);
            ra == rb && beside(ca, cb, columns) || ca == cb && beside(ra, rb, rows)
        }
        (TopologyShape::Tree, &[children, _]) => u64::from(a) == u64::from(b - 1) / children as u64,
        (TopologyShape::Graphs | TopologyShape::Edges, _) => false,
        _ => false,
    }
}

/// The directed edges (sender, receiver) between `n` nodes, for all shapes except `graphs` and `edges`.
pub(crate) fn edges(
    shape: TopologyShape,
    sizes: &[i64],
    n: u32,
    to_self: bool,
) -> Vec<(NodeId, NodeId)> {
    // A ring of one node has an edge to itself even without `to self`.
    let alone = shape == TopologyShape::Ring && n == 1;
    let joined = |a: u32, b: u32| match a == b {
        true => to_self || alone,
        false => joined(shape, sizes, n, a, b),
    };
    let mut edges = Vec::new();
    for from in 0..n {
        for to in 0..n {
            if joined(from, to) {
                edges.push((NodeId(from), NodeId(to)));
            }
        }
    }
    edges
}

/// The directed edges in both directions for pairs of neighbours, sorted; with an edge from each node to itself if
/// `to_self`.
pub(crate) fn both_ways(
    pairs: impl Iterator<Item = (u32, u32)>,
    n: u32,
    to_self: bool,
) -> Vec<(NodeId, NodeId)> {
    let both = pairs.flat_map(|(a, b)| [(a, b), (b, a)]);
    let selves = (0..n).filter(|_| to_self).map(|node| (node, node));
    let mut edges: Vec<(u32, u32)> = both.chain(selves).collect();
    edges.sort_unstable();
    edges.dedup();
    let nodes = edges.into_iter().map(|(a, b)| (NodeId(a), NodeId(b)));
    nodes.collect()
}

/// The directed edges of a list `edges(…)`, sorted; with an edge from each node to itself if `to_self`. `the` gives
/// the only node of a kind.
pub(crate) fn written(
    list: &[TopologyEdge],
    env: &Environment<'_>,
    the: &dyn Fn(KindId) -> u32,
    n: u32,
    to_self: bool,
) -> Result<Vec<(NodeId, NodeId)>, Diagnostic> {
    let mut edges: Vec<(u32, u32)> = (0..n).filter(|_| to_self).map(|i| (i, i)).collect();
    for edge in list {
        let wrong = |text: String| Err(Diagnostic::error(codes::BAD_EDGE, edge.span, text));
        let mut ends = [0; 2];
        for (place, end) in ends.iter_mut().zip([&edge.from, &edge.to]) {
            *place = match end {
                EdgeEnd::The(kind) => the(*kind),
                EdgeEnd::Number(e) => match evaluate(e, env) {
                    Ok(Constant::Int(number)) if (1..=i64::from(n)).contains(&number) => {
                        number as u32 - 1
                    }
                    Ok(other) => {
                        let found = other.as_int().unwrap_or_default();
                        let there = match n {
                            1 => "there is one node, node 1".to_string(),
                            _ => format!("the nodes are 1 to {n}"),
                        };
                        return wrong(format!("there is no node {found}: {there}"));
                    }
                    Err(error) => return Err(no_value(&error)),
                },
            };
        }
        let [from, to] = ends;
        if from == to {
            return wrong("this edge leads from a node to itself".into());
        }
        let mut new = vec![(from, to)];
        if edge.both_ways {
            new.push((to, from));
        }
        if new.iter().any(|edge| edges.contains(edge)) {
            return wrong("this edge is there already".into());
        }
        edges.append(&mut new);
    }
    edges.sort_unstable();
    let nodes = edges.into_iter().map(|(a, b)| (NodeId(a), NodeId(b)));
    Ok(nodes.collect())
}

/// For each node of a ring, its successor (`step` is 1) or predecessor (`step` is n - 1).
pub(crate) fn around(n: u32, step: u32) -> Vec<NodeId> {
    (0..n).map(|node| NodeId((node + step) % n)).collect()
}

#[cfg(test)]
mod tests {
    use super::{edges, tree_size};
    use model::TopologyShape::{self, Complete, Grid, Line, Ring, Star, Torus, Tree};

    fn text(shape: TopologyShape, sizes: &[i64], n: u32, to_self: bool) -> String {
        let edges = edges(shape, sizes, n, to_self);
        let pairs: Vec<String> = edges
            .iter()
            .map(|(a, b)| format!("{}{}", a.0 + 1, b.0 + 1))
            .collect();
        pairs.join(" ")
    }

    /// The pairs of neighbours, each once.
    fn pairs(shape: TopologyShape, sizes: &[i64], n: u32) -> String {
        let edges = edges(shape, sizes, n, false);
        assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))));
        let once = edges.iter().filter(|(a, b)| a < b);
        let once: Vec<String> = once
            .map(|(a, b)| format!("{}-{}", a.0 + 1, b.0 + 1))
            .collect();
        once.join(" ")
    }

    #[test]
    fn every_edge_goes_both_ways() {
        assert_eq!(text(Ring, &[], 1, false), "11");
        assert_eq!(text(Ring, &[], 2, false), "12 21");
        assert_eq!(text(Ring, &[], 4, false), "12 14 21 23 32 34 41 43");
        assert_eq!(text(Complete, &[], 3, false), "12 13 21 23 31 32");
        assert_eq!(text(Line, &[], 3, false), "12 21 23 32");
        assert_eq!(text(Star, &[], 3, false), "12 13 21 31");
        assert_eq!(text(Line, &[], 1, false), "");
    }

    #[test]
    fn to_self_adds_an_edge_per_node() {
        assert_eq!(text(Line, &[], 2, true), "11 12 21 22");
        assert_eq!(text(Ring, &[], 1, true), "11");
        assert_eq!(text(Tree, &[2, 0], 1, true), "11");
    }

    #[test]
    fn grids_are_numbered_row_by_row() {
        assert_eq!(pairs(Grid, &[2, 3], 6), "1-2 1-4 2-3 2-5 3-6 4-5 5-6");
        assert_eq!(pairs(Grid, &[1, 3], 3), pairs(Line, &[], 3));
        assert_eq!(pairs(Grid, &[3, 1], 3), pairs(Line, &[], 3));
        assert_eq!(pairs(Grid, &[1, 1], 1), "");
    }

    #[test]
    fn a_torus_is_a_grid_whose_ends_meet() {
        assert_eq!(pairs(Torus, &[1, 4], 4), pairs(Ring, &[], 4));
        assert_eq!(pairs(Torus, &[4, 1], 4), pairs(Ring, &[], 4));
        // With two rows, the last row is already a neighbour of the first.
        assert_eq!(pairs(Torus, &[2, 2], 4), pairs(Grid, &[2, 2], 4));
        assert_eq!(pairs(Torus, &[1, 1], 1), "");
        // Each of the nine nodes has four neighbours.
        assert_eq!(edges(Torus, &[3, 3], 9, false).len(), 36);
    }

    #[test]
    fn trees_are_numbered_level_by_level() {
        assert_eq!(pairs(Tree, &[2, 2], 7), "1-2 1-3 2-4 2-5 3-6 3-7");
        assert_eq!(pairs(Tree, &[3, 1], 4), pairs(Star, &[], 4));
        assert_eq!(pairs(Tree, &[1, 3], 4), pairs(Line, &[], 4));
        let sizes: Vec<i64> = (0..4).map(|levels| tree_size(3, levels)).collect();
        assert_eq!(sizes, [1, 4, 13, 40]);
    }
}
