//! Temporal claims about each node, asked about one.
//!
//! *What.* `all k in K: f(k)`, where `f` is no condition on single states, becomes `f` of the first node of K.
//!
//! *When.* For every other node of K there is a way to give nodes other names that makes it the first one and that neither
//! code, constants that are given, the network nor any property can tell. A run that breaks `f` of the other one is
//! then, with these names, a run of the same or another instance that breaks `f` of the first; and all instances are
//! looked at, up to names that leave the first where it is. Without this no two states of different nodes would be the
//! same to such a claim; with it those of all other nodes are.

use crate::defects::{Defect, broken};
use crate::symmetry::applicability::{obstacle, obstacle_in_code};
use crate::symmetry::group::are_interchangeable;
use machine::{Expr, Formula, LocalId, Machine, NodeId, Property, PropertyKind, Value};

/// The same Machine with claims about one node instead of all where that is the same, and which of its properties those are.
pub(crate) fn with_representatives(machine: &Machine) -> Option<(Machine, Vec<String>)> {
    if obstacle_in_code(machine).is_some() {
        return None;
    }
    let mut changed = machine.clone();
    let mut told = Vec::new();
    for property in &mut changed.properties {
        let Some((node, formula)) = about_one(machine, property) else {
            continue;
        };
        told.push(format!("{} is asked of {node} for all", property.name));
        property.kind = PropertyKind::Claim(formula);
    }
    // If states cannot be taken up to symmetry all the same, everything stays as it is.
    (!told.is_empty() && obstacle(&changed).is_none()).then_some((changed, told))
}

/// The claim about the first of some nodes that are all alike.
fn about_one(machine: &Machine, property: &Property) -> Option<(NodeId, Formula)> {
    let PropertyKind::Claim(claim) = &property.kind else {
        return None;
    };
    let Formula::All(local, domain, body) = claim.bare() else {
        return None;
    };
    if claim.invariant().is_some() || claim.condition().is_some() || binds(body, *local) {
        return None;
    }
    let nodes: Vec<NodeId> = match domain.bare() {
        Expr::Nodes(None) => machine.nodes().collect(),
        Expr::Nodes(Some(kind)) => machine.nodes_of(*kind).collect(),
        _ => return None,
    };
    let first = *nodes.first()?;
    let alike = broken(Defect::OneForOthers) || are_interchangeable(machine, first, &nodes)?;
    let formula = body.with_exprs(&mut |e| put(e, *local, first));
    alike.then_some((first, formula))
}

/// Whether a formula gives a local name another meaning.
fn binds(formula: &Formula, local: LocalId) -> bool {
    let mut found = false;
    formula.walk_exprs(&mut |e| {
        found |= match e {
            Expr::Let(name, ..)
            | Expr::Filter(name, ..)
            | Expr::Quantified(_, name, ..)
            | Expr::Extremum(_, name, ..) => *name == local,
            _ => false,
        };
    });
    found || quantifies(formula, local)
}

fn quantifies(formula: &Formula, local: LocalId) -> bool {
    match formula {
        Formula::State(_) => false,
        Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
            quantifies(a, local)
        }
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Until(a, b)
        | Formula::LeadsTo(a, b) => quantifies(a, local) || quantifies(b, local),
        Formula::All(name, _, a) | Formula::Exists(name, _, a) => {
            *name == local || quantifies(a, local)
        }
    }
}

/// An expression in which a local name is a node.
fn put(e: &Expr, local: LocalId, node: NodeId) -> Expr {
    match e {
        Expr::Local(name) if *name == local => Expr::Const(Value::Node(node)),
        other => other.with_parts(&mut |part| put(part, local, node)),
    }
}
