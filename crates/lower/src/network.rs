//! Who can send to whom: the edges of a topology.

use machine::NodeId;
use model::TopologyShape;

/// The directed edges between `n` nodes, by sender and receiver.
pub(crate) fn edges(shape: TopologyShape, n: u32, to_self: bool) -> Vec<(NodeId, NodeId)> {
    let joined = |a: u32, b: u32| match shape {
        // The only edge from a node to itself that is there without `to self`.
        TopologyShape::Ring if n == 1 => true,
        _ if a == b => to_self,
        TopologyShape::Complete => true,
        TopologyShape::Ring => (a + 1) % n == b || (b + 1) % n == a,
        TopologyShape::Line => a.abs_diff(b) == 1,
        TopologyShape::Star => a == 0 || b == 0,
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

/// The node behind (`step` 1) or before (`step` n - 1) each node of a ring.
pub(crate) fn around(n: u32, step: u32) -> Vec<NodeId> {
    (0..n).map(|node| NodeId((node + step) % n)).collect()
}

#[cfg(test)]
mod tests {
    use super::edges;
    use model::TopologyShape::{Complete, Line, Ring, Star};

    fn text(edges: Vec<(machine::NodeId, machine::NodeId)>) -> String {
        let pairs: Vec<String> = edges
            .iter()
            .map(|(a, b)| format!("{}{}", a.0 + 1, b.0 + 1))
            .collect();
        pairs.join(" ")
    }

    #[test]
    fn every_edge_goes_both_ways() {
        assert_eq!(text(edges(Ring, 1, false)), "11");
        assert_eq!(text(edges(Ring, 2, false)), "12 21");
        assert_eq!(text(edges(Ring, 4, false)), "12 14 21 23 32 34 41 43");
        assert_eq!(text(edges(Complete, 3, false)), "12 13 21 23 31 32");
        assert_eq!(text(edges(Line, 3, false)), "12 21 23 32");
        assert_eq!(text(edges(Star, 3, false)), "12 13 21 31");
        assert_eq!(text(edges(Line, 1, false)), "");
    }

    #[test]
    fn to_self_adds_an_edge_per_node() {
        assert_eq!(text(edges(Line, 2, true)), "11 12 21 22");
        assert_eq!(text(edges(Ring, 1, true)), "11");
    }
}
