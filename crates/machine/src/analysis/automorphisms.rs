//! Automorphisms of the network: permutations of the nodes that preserve kinds, edges and maps.

use crate::{Machine, NodeId};

/// Maximum number of automorphisms that are listed.
const MAX_LISTED: usize = 1_000;

impl Machine {
    /// The automorphisms that map each node in `fixed` to itself, each as the list of the images of all nodes. The
    /// first one is the identity. `None` if there are more than [`MAX_LISTED`].
    pub(crate) fn renumberings(&self, fixed: &dyn Fn(NodeId) -> bool) -> Option<Vec<Vec<NodeId>>> {
        let mut search = Renumberings {
            machine: self,
            joined: self.nodes().map(|_| Vec::new()).collect(),
            fixed,
            found: Vec::new(),
        };
        for row in &mut search.joined {
            row.resize(self.node_count() as usize, false);
        }
        for (a, b) in &self.edges {
            search.joined[a.index()][b.index()] = true;
        }
        search.extend(&mut Vec::new());
        (search.found.len() <= MAX_LISTED).then_some(search.found)
    }
}

struct Renumberings<'m> {
    machine: &'m Machine,
    joined: Vec<Vec<bool>>,
    fixed: &'m dyn Fn(NodeId) -> bool,
    found: Vec<Vec<NodeId>>,
}

impl Renumberings<'_> {
    /// Appends to `found` all automorphisms that extend `partial`, the images of the first nodes.
    fn extend(&mut self, partial: &mut Vec<NodeId>) {
        cancellation::poll();
        let next = NodeId(partial.len() as u32);
        if self.found.len() > MAX_LISTED {
            return;
        }
        if next.0 == self.machine.node_count() {
            let keeps = |to: &[NodeId]| {
                let of = |node: NodeId| to[node.index()];
                let mut nodes = self.machine.nodes();
                nodes.all(|node| of(partial[node.index()]) == partial[of(node).index()])
            };
            if self.machine.maps.iter().all(|map| keeps(&map.to)) {
                self.found.push(partial.clone());
            }
            return;
        }
        for to in self.machine.nodes() {
            let kept = if (self.fixed)(next) {
                to == next
            } else {
                !(self.fixed)(to)
            };
            let same_edges = || {
                let (from, to) = (next.index(), to.index());
                self.joined[from][from] == self.joined[to][to]
                    && partial.iter().enumerate().all(|(b, image)| {
                        self.joined[b][from] == self.joined[image.index()][to]
                            && self.joined[from][b] == self.joined[to][image.index()]
                    })
            };
            let kind = |node| self.machine.kind_of(node);
            if kept && !partial.contains(&to) && kind(to) == kind(next) && same_edges() {
                partial.push(to);
                self.extend(partial);
                partial.pop();
            }
        }
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

    fn count(machine: &Machine) -> usize {
        machine.renumberings(&|_| false).map_or(0, |all| all.len())
    }

    #[test]
    fn shapes_have_the_symmetries_that_they_have() {
        assert_eq!(count(&network(3, &[(0, 1), (1, 2)])), 2);
        assert_eq!(count(&network(4, &[(0, 1), (1, 2), (2, 3), (3, 0)])), 8);
        assert_eq!(count(&network(4, &[(0, 1), (0, 2), (0, 3)])), 6);
        let line = network(3, &[(0, 1), (1, 2)]);
        assert_eq!(
            line.renumberings(&|n| n.0 == 0).map_or(0, |all| all.len()),
            1
        );
        let same = |node: u32| NodeId(node);
        let first = line
            .renumberings(&|_| false)
            .and_then(|all| all.into_iter().next());
        assert_eq!(first, Some((0..3).map(same).collect()));
    }

    #[test]
    fn maps_are_kept() {
        let mut ring = network(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        ring.maps.push(crate::Map {
            name: "next".into(),
            to: (0..4).map(|n| NodeId((n + 1) % 4)).collect(),
        });
        // Only the rotations preserve the map; a reflection reverses it.
        assert_eq!(count(&ring), 4);
    }
}
