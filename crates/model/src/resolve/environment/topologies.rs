//! Topologies, in networks and after `for`.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::suggest::suggest;
use crate::{EdgeEnd, Topology, TopologyEdge, TopologyShape};
use source::{Diagnostic, codes};
use syntax::ast::{self, BinaryOp, ForClause, Item};

/// The name and shape of each topology, and descriptions of its arguments.
const TOPOLOGIES: [(&str, TopologyShape, &[&str]); 9] = [
    ("ring", TopologyShape::Ring, &["the number of nodes"]),
    (
        "complete",
        TopologyShape::Complete,
        &["the number of nodes"],
    ),
    ("line", TopologyShape::Line, &["the number of nodes"]),
    ("star", TopologyShape::Star, &["the number of nodes"]),
    ("graphs", TopologyShape::Graphs, &["the number of nodes"]),
    ("grid", TopologyShape::Grid, &["rows", "columns"]),
    ("torus", TopologyShape::Torus, &["rows", "columns"]),
    (
        "tree",
        TopologyShape::Tree,
        &["children of each inner node", "levels below the root"],
    ),
    ("edges", TopologyShape::Edges, &[]),
];

impl Resolver<'_> {
    /// A topology without its `where` condition, which is resolved later, because it may contain nodes and
    /// abbreviations. `None` after a reported error.
    pub(crate) fn topology(&mut self, tree: &ast::Topology) -> Option<Topology> {
        let name = tree.name.text.as_str();
        let known = TOPOLOGIES.iter().find(|(known, ..)| *known == name);
        let Some((_, shape, parts)) = known.copied() else {
            let diagnostic = Diagnostic::error(
                codes::UNKNOWN_TOPOLOGY,
                tree.name.span,
                format!("there is no topology `{name}`"),
            )
            .note("there are `ring`, `complete`, `line`, `star`, `grid(a, b)`, `torus(a, b)`, `tree(d, h)`, `edges(1 - 2, …)` and `graphs`");
            let known = TOPOLOGIES.map(|(known, ..)| known);
            self.report(suggest(diagnostic, &tree.name, known));
            return None;
        };
        let count = tree.arguments.len();
        let right = match (shape, parts) {
            (TopologyShape::Edges, _) => !tree.edges.is_empty() && count == 0,
            (_, [_]) => count <= 1,
            _ => count == parts.len(),
        };
        if !right {
            let text = match (shape, parts) {
                (TopologyShape::Edges, _) => {
                    "`edges` lists who is connected: `edges(1 - 2, 2 - 3)`".to_string()
                }
                (_, [one]) => format!("`{name}` has one number: {one}"),
                _ => format!("`{name}` has two numbers: {}", parts.join(" and ")),
            };
            self.error(codes::WRONG_ARGUMENTS, tree.span, text);
            return None;
        }
        let sizes = tree.arguments.iter().map(|e| self.constant_number(e));
        let sizes = sizes.collect();
        let edges = tree.edges.iter().map(|edge| self.edge(edge));
        let edges: Vec<Option<TopologyEdge>> = edges.collect();
        Some(Topology {
            shape,
            sizes,
            edges: edges.into_iter().collect::<Option<_>>()?,
            condition: None,
            span: tree.span,
        })
    }

    /// Resolves the condition `where φ` of a topology. Reports it if it depends on something that changes during a
    /// run.
    pub(crate) fn topology_condition(&mut self, tree: &ast::Topology, topology: &mut Topology) {
        let Some(tree) = &tree.condition else {
            return;
        };
        let condition = self.state_condition(tree, "`where`");
        if self.changes(&condition) {
            self.report(
                Diagnostic::error(
                    codes::WHERE_CHANGES,
                    condition.span,
                    "`where` chooses networks before anything runs, and this changes in a run",
                )
                .note("it may look at distances, neighbours and constants such as `k.id`; what variables begin with is said by `initially` or `assuming`"),
            );
            return;
        }
        topology.condition = Some(condition);
    }

    /// Resolves the `where` conditions of the networks of the file and of its worlds.
    pub(crate) fn network_conditions(&mut self) {
        let file = self.trees.file;
        let mut items = file.items.iter();
        let own = items.find_map(|item| match item {
            Item::Network(tree) => Some(tree),
            _ => None,
        });
        if let (Some(tree), Some(mut network)) = (own, self.model.network.clone()) {
            self.topology_condition(&tree.topology, &mut network.topology);
            self.model.network = Some(network);
        }
        for index in 0..self.trees.worlds.len() {
            // The last network is in the Model; if there are two, the second has been reported.
            let items = self.trees.worlds[index].items.iter().rev();
            let tree = items.clone().find_map(|item| match item {
                Item::Network(tree) => Some(tree),
                _ => None,
            });
            if let (Some(tree), Some(mut network)) =
                (tree, self.model.worlds[index].network.clone())
            {
                self.topology_condition(&tree.topology, &mut network.topology);
                self.model.worlds[index].network = Some(network);
            }
        }
    }

    fn edge(&mut self, tree: &ast::TopologyEdge) -> Option<TopologyEdge> {
        let (from, to, both_ways) = match (&tree.from.kind, &tree.to) {
            (_, Some(to)) => (&tree.from, to, false),
            (ast::ExprKind::Binary(BinaryOp::Sub, from, to), None) => (&**from, &**to, true),
            (ast::ExprKind::Error, None) => return None,
            _ => {
                self.report(
                    Diagnostic::error(codes::BAD_EDGE, tree.span, "this is no edge").note(
                        "write `1 - 2` if node 1 and node 2 can send to each other, `1 to 2` if only node 1 can send",
                    ),
                );
                return None;
            }
        };
        let ends = (self.edge_end(from)?, self.edge_end(to)?);
        let number = |this: &Self, end: &EdgeEnd| match end {
            EdgeEnd::Number(number) => this.literal(number),
            EdgeEnd::The(_) => None,
        };
        let same = match &ends {
            (EdgeEnd::The(a), EdgeEnd::The(b)) => a == b,
            (a, b) => number(self, a).is_some() && number(self, a) == number(self, b),
        };
        if same {
            self.report(
                Diagnostic::error(codes::BAD_EDGE, tree.span, "this edge leads from a node to itself")
                    .note("nodes that can send to themselves are declared by `to self` in the braces of the network"),
            );
            return None;
        }
        Some(TopologyEdge {
            from: ends.0,
            to: ends.1,
            both_ways,
            span: tree.span,
        })
    }

    fn edge_end(&mut self, tree: &ast::Expr) -> Option<EdgeEnd> {
        if let ast::ExprKind::Name(name) = &tree.kind
            && let Some(Global::Kind(kind)) = self.globals.get(&name.text).copied()
        {
            if self.kind_tree(kind).number.is_some() || self.model.kinds.len() == 1 {
                self.report(
                    Diagnostic::error(
                        codes::BAD_EDGE,
                        tree.span,
                        format!("there can be several nodes of `{}`: which?", name.text),
                    )
                    .note("nodes are numbered from 1, kinds in the order of the text"),
                );
                return None;
            }
            return Some(EdgeEnd::The(kind));
        }
        Some(EdgeEnd::Number(self.constant_number(tree)))
    }

    /// Whether some topology in the file satisfies `like`: of its network, of a world, or after `for`.
    pub(crate) fn some_topology(&self, like: impl Fn(&ast::Topology) -> bool) -> bool {
        let network = |item: &Item| matches!(item, Item::Network(n) if like(&n.topology));
        self.trees.file.items.iter().any(|item| match item {
            Item::World(world) => world.items.iter().any(network),
            Item::Check(check) => check.ranges.iter().any(|clause| match clause {
                ForClause::Topology(topology) => like(topology),
                _ => false,
            }),
            item => network(item),
        })
    }

    /// Whether a topology determines the number of nodes.
    pub(crate) fn determines_size(topology: &ast::Topology) -> bool {
        let named = topology.name.text == "graphs";
        named || !topology.arguments.is_empty() || !topology.edges.is_empty()
    }

    /// Reports a topology after `for` in a check without a network.
    pub(crate) fn has_network(&mut self, clause: &ast::Topology, world: Option<crate::WorldId>) {
        let own = world.and_then(|w| self.model.world(w).network.as_ref());
        if own.or(self.model.network.as_ref()).is_none() && !self.network_refused {
            self.report(
                Diagnostic::error(
                    codes::NO_NETWORK,
                    clause.span,
                    "this check has no network whose topology could be another",
                )
                .note("declare how messages travel: `network line { channel fifo }`"),
            );
        }
    }
}
