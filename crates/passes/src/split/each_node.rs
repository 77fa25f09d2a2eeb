//! Splitting of a claim about all nodes into one claim per node.
//!
//! *What.* `always all k in S: φ(k)` becomes one claim for each node n, `always (n in S implies φ(n))`. A claim
//! `eventually always all k in S: φ(k)` is split in the same way.
//!
//! *When.* There is one kind of node, S is a set of nodes, and the condition is never a runtime error, so the order of
//! evaluation does not matter.
//!
//! *Why it is exact.* A run satisfies the claim if and only if it satisfies all claims about single nodes, because the
//! number of nodes is finite. Vacuity is not considered here: the premises of the new claims differ from that of the
//! claim. If rotation is a symmetry of the Machine, the claim about one node stands for all: a rotation maps a run that
//! violates it for one node to a run that violates it for another.

use crate::analysis::sites::binders;
use machine::{
    BinaryOp, Expr, Formula, LocalId, Machine, NodeId, Property, PropertyKind, Quantifier, Type,
    Typing, UnaryOp, Value, may_fail, rotations,
};

/// The claims about single nodes whose conjunction is the only claim of a Machine. If rotation is a symmetry, only the
/// claim about the first node. `None` if the claim does not have the required form.
pub fn each_node(machine: &Machine) -> Option<Vec<Property>> {
    let [property] = &machine.properties[..] else {
        return None;
    };
    let PropertyKind::Claim(claim) = &property.kind else {
        return None;
    };
    let (condition, eventually) = match claim.invariant() {
        Some(condition) => (condition, false),
        None => match bare(claim) {
            Formula::Eventually(inner) => (inner.invariant()?, true),
            _ => return None,
        },
    };
    let Expr::Quantified(Quantifier::All, local, domain, body) = condition.bare() else {
        return None;
    };
    let of_nodes = Typing::all_bound(machine, &property.scope).type_of(domain);
    if of_nodes != Ok(Type::Node.set())
        || may_fail(machine, &condition, &[])
        || machine.kinds.len() > 1
        || binders(&condition, *local) > 1
    {
        return None;
    }
    let one = |node: NodeId| {
        let (premise, instance) = (member(machine, node, domain), at(body, *local, node));
        let condition = Expr::Binary(BinaryOp::Implies, Box::new(premise), Box::new(instance));
        let always = Formula::Always(Box::new(Formula::State(condition)));
        let claim = match eventually {
            true => Formula::Eventually(Box::new(always)),
            false => always,
        };
        Property {
            kind: PropertyKind::Claim(claim),
            ..property.clone()
        }
    };
    let needed = if rotations(machine) { 1 } else { usize::MAX };
    Some(machine.nodes().take(needed).map(one).collect())
}

fn bare(formula: &Formula) -> &Formula {
    match formula {
        Formula::At(_, inner) => bare(inner),
        other => other,
    }
}

/// The expression with a node substituted for a local.
pub(crate) fn at(expr: &Expr, local: LocalId, node: NodeId) -> Expr {
    expr.rebuild(&mut |e| (*e == Expr::Local(local)).then_some(Expr::Const(Value::Node(node))))
}

/// The condition that a node is in a set of nodes.
pub(crate) fn member(machine: &Machine, node: NodeId, set: &Expr) -> Expr {
    let both = |op, a, b| Expr::Binary(op, Box::new(a), Box::new(b));
    match set.bare() {
        Expr::Nodes(kind) => {
            let is_one = kind.is_none_or(|kind| kind == machine.kind_of(node));
            Expr::Const(Value::Bool(is_one))
        }
        Expr::Filter(local, inner, condition) if binders(set, *local) == 1 => both(
            BinaryOp::And,
            member(machine, node, inner),
            at(condition, *local, node),
        ),
        Expr::Binary(BinaryOp::Union, a, b) => both(
            BinaryOp::Or,
            member(machine, node, a),
            member(machine, node, b),
        ),
        Expr::Binary(BinaryOp::Intersect, a, b) => both(
            BinaryOp::And,
            member(machine, node, a),
            member(machine, node, b),
        ),
        Expr::Binary(BinaryOp::Minus, a, b) => both(
            BinaryOp::And,
            member(machine, node, a),
            Expr::Unary(UnaryOp::Not, Box::new(member(machine, node, b))),
        ),
        _ => both(BinaryOp::In, Expr::Const(Value::Node(node)), set.clone()),
    }
}
