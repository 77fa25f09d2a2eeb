//! Distances in the network.

use crate::{Machine, NodeId};

impl Machine {
    /// The length of a shortest path along directed edges; 0 from a node to itself. If there is no path, the result is
    /// the number of nodes, which exceeds the length of every shortest path.
    pub fn distance(&self, from: NodeId, to: NodeId) -> i64 {
        self.distances(from)[to.index()]
    }

    /// The distance from one node to each node, indexed by node; see [`Machine::distance`].
    pub fn distances(&self, from: NodeId) -> Vec<i64> {
        let none = i64::from(self.node_count());
        let mut distances = vec![none; self.node_count() as usize];
        distances[from.index()] = 0;
        let mut frontier = vec![from];
        let mut length = 0;
        while !frontier.is_empty() {
            length += 1;
            let mut further = Vec::new();
            for (_, to) in self.edges.iter().filter(|(a, _)| frontier.contains(a)) {
                if distances[to.index()] == none {
                    distances[to.index()] = length;
                    further.push(*to);
                }
            }
            frontier = further;
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use crate::{Kind, Machine, NodeId};

    fn network(n: u32, edges: &[(u32, u32)]) -> Machine {
        let both = edges.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        Machine {
            kinds: vec![Kind {
                name: "K".into(),
                count: n,
                ignores: Vec::new(),
            }],
            edges: both.map(|(a, b)| (NodeId(a), NodeId(b))).collect(),
            ..Machine::default()
        }
    }

    #[test]
    fn distances_are_lengths_of_shortest_ways() {
        let ring = network(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
        assert_eq!(ring.distances(NodeId(1)), [1, 0, 1, 2, 2]);
        let apart = network(3, &[(0, 1)]);
        assert_eq!(apart.distances(NodeId(0)), [0, 1, 3]);
    }
}
