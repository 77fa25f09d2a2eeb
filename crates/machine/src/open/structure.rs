//! The structure of an open Machine, and the Machine that it is at one size.

use crate::open::deadlines::expand;
use crate::{BinaryOp, Expr, KindId, Machine, NodeId, Origin, UnaryOp, Value};

/// A protocol whose number of nodes is a parameter.
///
/// Everything that does not depend on the size is in `base`, a Machine without nodes of the open kinds and without
/// edges. [`OpenMachine::at`] computes the Machine at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenMachine {
    /// What does not depend on the size. Open kinds have no nodes, there are no edges, functions between nodes have no
    /// values, and open limits are `None`. An expression that depends on the size is marked: see [`SIZE`].
    pub base: Machine,
    /// The parameter that is the number of nodes of each open kind.
    pub size: SizeParameter,
    /// The kinds whose number of nodes is the size, in ascending order; at least one.
    pub open: Vec<KindId>,
    /// The number of ids that no node has; `None` if the protocol has no ids.
    pub extra_ids: Option<u32>,
    /// Which edges there are.
    pub edges: EdgeRule,
    /// By function from nodes to nodes: its rule.
    pub maps: Vec<MapRule>,
    /// By fault group (`base.node_faults`): its limit.
    pub limits: Vec<OpenLimit>,
    /// By runtime fault group (`base.runtime_faults`): its limit.
    pub runtime_limits: Vec<OpenLimit>,
    /// By response (`base.responses`): the number of nodes that it names. These nodes are its first locals; the
    /// quantifiers over nodes around its deadline bind them, outermost first. The Machine at one size has one response
    /// for each choice of these nodes.
    pub deadlines: Vec<u32>,
}

/// The parameter that is a number of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeParameter {
    /// Its name.
    pub name: String,
    /// Its least value: the lower end of its range, at least 1.
    pub least: u32,
}

/// Which edges there are, always in both directions. The nodes of all kinds together form the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeRule {
    /// None at all.
    None,
    /// The shape, and whether each node has an edge to itself.
    Joined(Shape, bool),
}

/// The shape of a network of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every node with every other one.
    Complete,
    /// Every node with the next one, and the last with the first. One node alone has an edge to itself.
    Ring,
    /// Every node with the next one.
    Line,
    /// The first node with every other one.
    Star,
}

/// A function from nodes to nodes, for every size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapRule {
    /// The next node; of the last one, the first.
    Next,
    /// The previous node; of the first one, the last.
    Previous,
}

/// How a limit depends on the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenLimit {
    /// Not at all; `None` means no limit.
    Fixed(Option<u32>),
    /// The size minus this number, which is at most the least size.
    AllBut(u32),
}

/// The reserved source location that marks an expression that depends on the size: `At(SIZE, e)`. The marked expression
/// contains only integers, their arithmetic, and the numbers of nodes of open kinds, written as `size` of the set of
/// all nodes of the kind. In the Machine at one size its value replaces the marked expression.
pub const SIZE: Origin = Origin(u32::MAX);

impl Shape {
    /// Whether nodes a and b of n nodes, a < b, numbered from 0, are neighbours.
    fn joins(self, n: u32, a: u32, b: u32) -> bool {
        match self {
            Shape::Complete => true,
            Shape::Ring => a + 1 == b || (a, b) == (0, n - 1),
            Shape::Line => a + 1 == b,
            Shape::Star => a == 0,
        }
    }
}

impl EdgeRule {
    /// The directed edges between n nodes, sorted.
    pub fn edges(self, n: u32) -> Vec<(NodeId, NodeId)> {
        let EdgeRule::Joined(shape, to_self) = self else {
            return Vec::new();
        };
        let alone = shape == Shape::Ring && n == 1;
        let joined = |a: u32, b: u32| match a == b {
            true => to_self || alone,
            false => shape.joins(n, a.min(b), a.max(b)),
        };
        let mut edges = Vec::new();
        for from in 0..n {
            cancellation::poll();
            let to = (0..n).filter(|to| joined(from, *to));
            edges.extend(to.map(|to| (NodeId(from), NodeId(to))));
        }
        edges
    }
}

impl MapRule {
    /// The values for n nodes.
    pub fn values(self, n: u32) -> Vec<NodeId> {
        let step = match self {
            MapRule::Next => 1,
            MapRule::Previous => n - 1,
        };
        (0..n).map(|node| NodeId((node + step) % n)).collect()
    }
}

impl OpenLimit {
    /// The limit at one size.
    pub fn at(self, n: u32) -> Option<u32> {
        match self {
            OpenLimit::Fixed(limit) => limit,
            OpenLimit::AllBut(without) => Some(n.saturating_sub(without)),
        }
    }

    /// The limit in the base: `None` if the limit depends on the size, or if there is no limit.
    pub fn at_every_size(self) -> Option<u32> {
        match self {
            OpenLimit::Fixed(limit) => limit,
            OpenLimit::AllBut(_) => None,
        }
    }
}

impl OpenMachine {
    /// An open Machine with the limits of the base, without rules for functions between nodes, and with responses that
    /// name no nodes.
    pub fn new(
        base: Machine,
        size: SizeParameter,
        open: Vec<KindId>,
        extra_ids: Option<u32>,
        edges: EdgeRule,
    ) -> OpenMachine {
        let limits = base.node_faults.iter();
        let runtime_limits = base.runtime_faults.iter();
        OpenMachine {
            limits: limits.map(|f| OpenLimit::Fixed(f.limit)).collect(),
            runtime_limits: runtime_limits.map(|f| OpenLimit::Fixed(f.limit)).collect(),
            deadlines: vec![0; base.responses.len()],
            base,
            size,
            open,
            extra_ids,
            edges,
            maps: Vec::new(),
        }
    }

    /// Number of nodes of all kinds together if the size is n.
    pub fn nodes_at(&self, n: u32) -> u32 {
        let fixed = self.base.node_count();
        fixed.saturating_add(n.saturating_mul(self.open.len() as u32))
    }

    /// The Machine at one size. A complete network has nearly as many edges as the square of the number of nodes.
    pub fn at(&self, n: u32) -> Machine {
        let mut machine = self.base.clone();
        for kind in &self.open {
            machine.kinds[kind.index()].count = n;
        }
        let nodes = machine.node_count();
        machine.ids = self.extra_ids.map_or(0, |extra| nodes + extra);
        machine.edges = self.edges.edges(nodes);
        for (map, rule) in machine.maps.iter_mut().zip(&self.maps) {
            map.to = rule.values(nodes);
        }
        for (fault, limit) in machine.node_faults.iter_mut().zip(&self.limits) {
            fault.limit = limit.at(n);
        }
        let runtime = machine.runtime_faults.iter_mut();
        for (fault, limit) in runtime.zip(&self.runtime_limits) {
            fault.limit = limit.at(n);
        }
        machine.map_exprs(&mut |e| self.expr_at(n, e));
        if !machine.responses.is_empty() {
            expand(&mut machine, &self.deadlines);
        }
        machine
    }

    /// The expression of the Machine at size n for an expression of the base.
    pub fn expr_at(&self, n: u32, e: &Expr) -> Expr {
        e.rebuild(&mut |part| match part {
            Expr::At(SIZE, inner) => Some(match value_at(n, inner) {
                Some(value) => Expr::Const(Value::Int(value)),
                // Not a well-formed open Machine: see `verify_open`.
                None => (**inner).clone(),
            }),
            _ => None,
        })
    }
}

impl Expr {
    /// The number of nodes of an open kind, as an expression of an open Machine.
    pub fn size_of_kind(kind: KindId) -> Expr {
        let nodes = Expr::Nodes(Some(kind));
        let size = Expr::Unary(UnaryOp::Size, Box::new(nodes));
        Expr::At(SIZE, Box::new(size))
    }
}

/// The value of a marked expression at size n; `None` if the evaluation overflows or if the expression may not be
/// marked.
pub(crate) fn value_at(n: u32, e: &Expr) -> Option<i64> {
    let value = |e: &Expr| value_at(n, e);
    match e {
        Expr::At(_, inner) => value(inner),
        Expr::Const(Value::Int(i)) => Some(*i),
        Expr::Unary(UnaryOp::Size, set) if matches!(**set, Expr::Nodes(Some(_))) => {
            Some(i64::from(n))
        }
        Expr::Unary(UnaryOp::Neg, a) => value(a)?.checked_neg(),
        Expr::Binary(op, a, b) => {
            let (a, b) = (value(a)?, value(b)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::FloorDiv if b != 0 => {
                    let (a, b) = (i128::from(a), i128::from(b));
                    let down = a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0);
                    i64::try_from(down).ok()
                }
                BinaryOp::CeilDiv if b != 0 => {
                    let (a, b) = (-i128::from(a), i128::from(b));
                    let down = a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0);
                    i64::try_from(-down).ok()
                }
                BinaryOp::Mod if b != 0 => a.checked_rem_euclid(b),
                BinaryOp::Min => Some(a.min(b)),
                BinaryOp::Max => Some(a.max(b)),
                _ => None,
            }
        }
        _ => None,
    }
}
