//! Representative claims: a temporal claim about each of several symmetric nodes is checked for one of them.
//!
//! *Transformation.* `all k in K: f(k)`, where `f` is not a condition on single states, becomes `f` of the first node
//! of K.
//!
//! *Conditions.* For every other node of K there is a permutation that maps it to the first one and preserves code,
//! given frozen values, the network and all properties. A run that violates `f` of the other node is then mapped to a
//! run, of the same or another instance, that violates `f` of the first node; and all instances are searched, up to
//! permutations that fix the first node.
//!
//! *Purpose.* The original claim distinguishes all nodes of K, so it allows no symmetry reduction. The transformed
//! claim distinguishes only the first one.

use crate::defects::{Defect, broken};
use crate::symmetry::applicability::{obstacle, obstacle_in_code};
use crate::symmetry::group::are_interchangeable;
use machine::{Expr, Formula, LocalId, Machine, NodeId, Property, PropertyKind, Value};
use verdict::Reduction;

/// The Machine with representative claims, and a description of each changed property; `None` if nothing changes.
pub(crate) fn with_representatives(machine: &Machine) -> Option<(Machine, Vec<Reduction>)> {
    if obstacle_in_code(machine).is_some() {
        return None;
    }
    let mut changed = machine.clone();
    let mut description = Vec::new();
    for property in &mut changed.properties {
        let Some((node, formula)) = about_one(machine, property) else {
            continue;
        };
        description.push(Reduction::Representative {
            claim: property.name.clone(),
            node,
        });
        property.kind = PropertyKind::Claim(formula);
    }
    // If another obstacle to symmetry remains, nothing is changed.
    (!description.is_empty() && obstacle(&changed).is_none()).then_some((changed, description))
}

/// For a claim about each of several symmetric nodes: the first node, and the claim about it.
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

/// Whether a formula binds a local name again.
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

/// The expression in which a local name is replaced by a node.
fn put(e: &Expr, local: LocalId, node: NodeId) -> Expr {
    match e {
        Expr::Local(name) if *name == local => Expr::Const(Value::Node(node)),
        other => other.with_parts(&mut |part| put(part, local, node)),
    }
}
