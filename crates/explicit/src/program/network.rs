//! The edges of a Machine, by node and by pair of nodes.

use machine::{EdgeId, Machine, NodeId};

/// The edges between nodes.
pub(crate) struct Network {
    /// By node: its outgoing edges.
    pub(crate) out_edges: Vec<Vec<EdgeId>>,
    /// By node: where its edges lead.
    targets: Vec<Targets>,
}

/// The outgoing edges of a node by the node to which they lead, from the first such node to the last one. The table is
/// small where neighbours have numbers near each other. In complete networks it has about one entry per edge.
#[derive(Clone, Default)]
struct Targets {
    first: i64,
    edges: Vec<Option<EdgeId>>,
}

impl Network {
    pub(crate) fn of(machine: &Machine) -> Network {
        let mut out_edges = vec![Vec::new(); machine.node_count() as usize];
        for (e, (from, _)) in machine.edges.iter().enumerate() {
            out_edges[from.index()].push(EdgeId(e as u32));
        }
        let to = |edge: EdgeId| i64::from(machine.edges[edge.index()].1.0);
        let targets = out_edges.iter().map(|edges: &Vec<EdgeId>| {
            cancellation::poll();
            let ends = edges.iter().map(|edge| to(*edge));
            let (Some(first), Some(last)) = (ends.clone().min(), ends.max()) else {
                return Targets::default();
            };
            let nodes = (last - first + 1) as usize;
            cancellation::claim(nodes * size_of::<Option<EdgeId>>());
            let mut targets = vec![None; nodes];
            for edge in edges {
                targets[(to(*edge) - first) as usize] = Some(*edge);
            }
            Targets {
                first,
                edges: targets,
            }
        });
        Network {
            targets: targets.collect(),
            out_edges,
        }
    }

    /// The edge from one node to another one.
    pub(crate) fn edge_between(&self, from: NodeId, to: i64) -> Option<EdgeId> {
        let targets = &self.targets[from.index()];
        let place = usize::try_from(to - targets.first).ok()?;
        targets.edges.get(place).copied().flatten()
    }
}
