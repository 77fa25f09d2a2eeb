//! The nodes and edges of an instance, and how messages are delivered.

use crate::build::graphs;
use crate::instance::data::{Channel, Instance};
use crate::instance::scope::Scope;
use crate::instance::state::State;
use crate::instance::value::{Res, refuse};
use std::collections::BTreeSet;
use syntax::ast::{self, BinaryOp, Delivery, ExprKind, NetworkItem};

/// Directed edges (from, to), sorted.
pub(crate) type Edges = Vec<(usize, usize)>;

/// Creates the nodes and returns the possible sets of edges: several for `graphs`, otherwise one.
pub(crate) fn lay_out(
    base: &mut Instance,
    network: Option<&ast::Network>,
    topology: Option<&ast::Topology>,
) -> Res<Vec<Edges>> {
    let shape = match topology {
        Some(topology) => Some(Shape::read(base, topology)?),
        None => None,
    };
    if let (Some(Shape::Graphs(None)), [kind]) = (&shape, &base.kinds[..])
        && kind.number.is_none()
    {
        return refuse("`graphs` without a number of nodes");
    }
    let listed = matches!(shape, Some(Shape::Edges(_)));
    place_nodes(base, shape.as_ref().and_then(Shape::size), listed)?;
    let n = base.size();
    let items = network.map_or(&[][..], |network| &network.items);
    let to_self = items
        .iter()
        .any(|item| matches!(item, NetworkItem::ToSelf(_)));
    for item in items {
        travel(base, item)?;
    }
    let Some(shape) = shape else {
        return Ok(vec![Vec::new()]);
    };
    base.ring = matches!(shape, Shape::Ring(_));
    let mut ways = Vec::new();
    for pairs in shape.pairs(base)? {
        let mut edges = BTreeSet::from_iter(pairs);
        if !matches!(shape, Shape::Edges(_)) {
            edges.extend({ edges.clone() }.into_iter().map(|(a, b)| (b, a)));
        }
        if to_self {
            edges.extend((0..n).map(|i| (i, i)));
        }
        ways.push(edges.into_iter().collect());
    }
    Ok(ways)
}

/// Numbers the nodes kind by kind, in the order of the kinds in the text. If the topology lists edges, there may be
/// more nodes than the edges mention.
fn place_nodes(base: &mut Instance, size: Option<usize>, listed: bool) -> Res<()> {
    let only = base.kinds.len() == 1;
    for kind in 0..base.kinds.len() {
        let number = match base.kinds[kind].number {
            Some(number) => plain(base, number)?,
            None if only => size.unwrap_or(1) as i128,
            None => 1,
        };
        if !(0..=1000).contains(&number) {
            return refuse(format!("{number} nodes"));
        }
        base.kind_of.extend(vec![kind; number as usize]);
    }
    if !listed && size.is_some_and(|size| size != base.size()) {
        return refuse("a topology with another number of nodes than the kinds have");
    }
    Ok(())
}

/// A topology as written; the number of nodes is `None` if it is not given.
enum Shape {
    Complete(Option<usize>),
    Ring(Option<usize>),
    Line(Option<usize>),
    Star(Option<usize>),
    /// A grid with this number of rows and columns.
    Grid(usize, usize),
    /// A grid with this number of rows and columns whose opposite sides are connected.
    Torus(usize, usize),
    /// The number of children of each inner node, and the number of edges from the root to each leaf.
    Tree(usize, usize),
    Graphs(Option<usize>),
    /// Listed edges: from, to, and whether the reverse edge exists as well.
    Edges(Vec<(End, End, bool)>),
}

/// An end of a listed edge.
enum End {
    /// A node by its index.
    Node(usize),
    /// The only node of a kind.
    Of(usize),
}

impl Shape {
    fn read(base: &Instance, topology: &ast::Topology) -> Res<Shape> {
        if topology.name.text == "edges" {
            return listed(base, topology).map(Shape::Edges);
        }
        let mut numbers = Vec::new();
        for argument in &topology.arguments {
            match plain(base, argument)? {
                number @ 0..=1000 => numbers.push(number as usize),
                number => return refuse(format!("the size {number} of a topology")),
            }
        }
        let name = topology.name.text.as_str();
        let nodes = numbers.first().copied();
        Ok(match (name, &numbers[..]) {
            ("complete", [] | [_]) => Shape::Complete(nodes),
            ("ring", [] | [_]) => Shape::Ring(nodes),
            ("line", [] | [_]) => Shape::Line(nodes),
            ("star", [] | [_]) => Shape::Star(nodes),
            ("graphs", [] | [_]) => Shape::Graphs(nodes),
            ("grid", [a, b]) => Shape::Grid(*a, *b),
            ("torus", [a, b]) => Shape::Torus(*a, *b),
            ("tree", [children, height]) => Shape::Tree(*children, *height),
            (_, sizes) => {
                return refuse(format!("topology `{name}` with {} sizes", sizes.len()));
            }
        })
    }

    /// The number of nodes that the topology requires; `None` if it fits any number. For listed edges, the least number
    /// of nodes that contains all nodes mentioned by number.
    fn size(&self) -> Option<usize> {
        match self {
            Shape::Complete(n)
            | Shape::Ring(n)
            | Shape::Line(n)
            | Shape::Star(n)
            | Shape::Graphs(n) => *n,

            Shape::Edges(edges) => {
                let ends = edges.iter().flat_map(|(a, b, _)| [a, b]);
                let named = ends.filter_map(|end| match end {
                    End::Node(node) => Some(1 + node),
                    End::Of(_) => None,
                });
                named.max()
            }
            Shape::Grid(a, b) | Shape::Torus(a, b) => Some(a * b),
            Shape::Tree(children, height) => {
                let row = |row: usize| children.saturating_pow(row as u32);
                let nodes = (0..=*height).map(row);
                Some(nodes.fold(0, usize::saturating_add))
            }
        }
    }

    /// The possible sets of connected pairs. Listed edges are directed; other pairs stand for both directions.
    fn pairs(&self, base: &Instance) -> Res<Vec<Edges>> {
        let n = base.size();
        let pairs: Edges = match self {
            Shape::Complete(_) => (0..n).flat_map(|i| (0..i).map(move |j| (j, i))).collect(),
            Shape::Ring(_) => (0..n).map(|i| (i, (i + 1) % n)).collect(),
            Shape::Line(_) => (1..n).map(|i| (i - 1, i)).collect(),
            Shape::Star(_) => (1..n).map(|i| (0, i)).collect(),
            // Nodes are numbered row by row. In a torus, a row or column of one node has no edge to itself.
            Shape::Grid(rows, columns) | Shape::Torus(rows, columns) => {
                let round = matches!(self, Shape::Torus(..));
                let mut pairs = Vec::new();
                for (row, column) in (0..*rows).flat_map(|r| (0..*columns).map(move |c| (r, c))) {
                    if round || column + 1 < *columns {
                        pairs.push((row, (column + 1) % columns, row, column));
                    }
                    if round || row + 1 < *rows {
                        pairs.push(((row + 1) % rows, column, row, column));
                    }
                }
                let pairs = pairs
                    .into_iter()
                    .map(|(r, c, s, d)| (r * columns + c, s * columns + d));
                pairs.filter(|(a, b)| a != b).collect()
            }
            // Nodes are numbered level by level; the children of one node are adjacent.
            Shape::Tree(children, _) => (1..n).map(|i| ((i - 1) / children, i)).collect(),
            Shape::Edges(edges) => {
                let mut pairs = Vec::new();
                for (a, b, both) in edges {
                    let (a, b) = (a.node(base)?, b.node(base)?);
                    if a == b {
                        return refuse("an edge from a node to itself");
                    }
                    pairs.push((a, b));
                    pairs.extend(both.then_some((b, a)));
                }
                pairs
            }
            Shape::Graphs(_) => return graphs::connected(n, &base.kind_of),
        };
        Ok(vec![pairs])
    }
}

/// Reads `edges(1 - 2, 2 to Hub)`: pairs of nodes, given by number or by the name of a kind with one node.
fn listed(base: &Instance, topology: &ast::Topology) -> Res<Vec<(End, End, bool)>> {
    let mut edges = Vec::new();
    for edge in &topology.edges {
        let (a, b) = match (&edge.from.kind, &edge.to) {
            (_, Some(to)) => (&edge.from, to),
            (ExprKind::Binary(BinaryOp::Sub, a, b), None) => (&**a, &**b),
            _ => return refuse("an edge that is no pair of nodes"),
        };
        edges.push((End::read(base, a)?, End::read(base, b)?, edge.to.is_none()));
    }
    Ok(edges)
}

impl End {
    fn read(base: &Instance, e: &ast::Expr) -> Res<End> {
        if let ExprKind::Name(name) = &e.kind
            && let Some(kind) = base.kinds.iter().position(|k| k.name == name.text)
        {
            return Ok(End::Of(kind));
        }
        match plain(base, e)? {
            number @ 1..=1000 => Ok(End::Node(number as usize - 1)),
            number => refuse(format!("an edge of node {number}")),
        }
    }

    fn node(&self, base: &Instance) -> Res<usize> {
        match self {
            End::Node(node) if *node < base.size() => Ok(*node),
            End::Node(node) => refuse(format!("an edge of node {}", node + 1)),
            End::Of(kind) => match base.nodes_of(*kind)[..] {
                [one] => Ok(one),
                _ => refuse("an edge of a kind that has not one node"),
            },
        }
    }
}

/// Reads an item of the network: how messages are delivered, or how inboxes work.
fn travel(base: &mut Instance, item: &NetworkItem) -> Res<()> {
    match item {
        NetworkItem::ToSelf(_) => {}
        NetworkItem::Inbox(inbox, _) => {
            base.inbox.latest = inbox.latest_per_sender;
            base.inbox.start = inbox.start;
        }
        NetworkItem::Delivery(Delivery::Instant, _) => base.channel = Channel::Instant,
        NetworkItem::Delivery(Delivery::Unordered, _) => base.channel = Channel::Unordered,
        NetworkItem::Delivery(Delivery::Fifo(None), _) => base.channel = Channel::Fifo(None),
        NetworkItem::Delivery(Delivery::Fifo(Some(e)), _) => {
            let capacity = plain(base, e)?;
            if capacity < 1 {
                return refuse("a channel without room");
            }
            base.channel = Channel::Fifo(Some(capacity as usize));
        }
        NetworkItem::Delivery(Delivery::Within(delay, fifo), _) => {
            base.delay = Some(base.fixed_interval(delay)?);
            base.channel = in_order(*fifo);
        }
        NetworkItem::Delivery(Delivery::BeforeNextActivation(fifo), _) => {
            base.before_next = true;
            base.channel = in_order(*fifo);
        }
    }
    Ok(())
}

/// A bag, or a queue if `fifo` is written.
fn in_order(fifo: Option<bool>) -> Channel {
    match fifo {
        Some(true) => Channel::Fifo(None),
        _ => Channel::Unordered,
    }
}

/// The value of an integer expression that reads only parameters.
fn plain(base: &Instance, e: &ast::Expr) -> Res<i128> {
    base.eval(e, &State::empty(), &mut Scope::default())?.int()
}

impl Instance<'_> {
    /// The number of edges on a shortest path from one node to another.
    pub fn distance(&self, from: usize, to: usize) -> Res<i128> {
        let mut reached = BTreeSet::from([from]);
        let mut hops = 0;
        while !reached.contains(&to) {
            let further = self.edges.iter().filter(|(a, _)| reached.contains(a));
            let further: Vec<usize> = further.map(|(_, b)| *b).collect();
            let before = reached.len();
            reached.extend(further);
            if reached.len() == before {
                return refuse("the distance of nodes without a way between them");
            }
            hops += 1;
        }
        Ok(hops)
    }
}
