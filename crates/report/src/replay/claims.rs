//! The variables that a claim reads, and the nodes that its explanation names.

use crate::replay::run::ReplayedRun;
use machine::{Expr, Machine, NodeId, Origin, PropertyKind, Value, VarId};
use std::collections::BTreeSet;

/// The nodes that the explanation names: values of quantified variables, and nodes that facts are about.
pub(crate) fn named_nodes(replay: &ReplayedRun<'_>) -> BTreeSet<NodeId> {
    let why = replay.explanation.iter().map(|e| &e.why);
    let values = why.flat_map(|why| {
        let bound = why.bindings.iter().map(|(_, value)| value);
        bound.chain(why.facts.iter().filter_map(|fact| fact.of.as_ref()))
    });
    let nodes = values.filter_map(|value| match value {
        Value::Node(node) => Some(*node),
        _ => None,
    });
    nodes.collect()
}

/// The variables in the false part of the claim and in the facts of its explanation.
pub(crate) fn claim_vars(replay: &ReplayedRun<'_>) -> Vec<VarId> {
    let why = replay.explanation.map(|e| &e.why);
    let part = why.and_then(|why| why.part);
    let facts = why.iter().flat_map(|why| &why.facts).map(|f| f.origin);
    let places: Vec<Origin> = part.into_iter().chain(facts).collect();
    vars_at(replay.words.machine, &places)
}

/// The variables that occur in the parts of properties with these origins.
pub(crate) fn vars_at(machine: &Machine, origins: &[Origin]) -> Vec<VarId> {
    let mut found = Vec::new();
    for property in &machine.properties {
        walk(&property.kind, &mut |e| {
            if let Expr::At(here, inner) = e
                && origins.contains(here)
            {
                inner.walk(&mut |e| found.extend(var_of(e)));
            }
        });
    }
    found
}

/// The variables of the whole property that contains the part with this origin; empty if none does.
pub(crate) fn vars_of_claim(machine: &Machine, part: Origin) -> Vec<VarId> {
    for property in &machine.properties {
        let mut has = false;
        let mut vars = Vec::new();
        walk(&property.kind, &mut |e| {
            has |= matches!(e, Expr::At(here, _) if *here == part);
            vars.extend(var_of(e));
        });
        if has {
            return vars;
        }
    }
    Vec::new()
}

fn var_of(expr: &Expr) -> Option<VarId> {
    match expr {
        Expr::Var(var, _) => Some(*var),
        _ => None,
    }
}

fn walk<'e>(kind: &'e PropertyKind, visit: &mut dyn FnMut(&'e Expr)) {
    match kind {
        PropertyKind::Claim(claim) => claim.walk_exprs(visit),
        PropertyKind::Possible(condition) => condition.walk(visit),
    }
}

/// Adds the node of a value to `found`, if the value is a node or an option of one.
pub(crate) fn nodes_in(value: &Value, found: &mut BTreeSet<NodeId>) {
    match value {
        Value::Node(node) => {
            found.insert(*node);
        }
        Value::Some(inner) => nodes_in(inner, found),
        _ => {}
    }
}

/// The part of the state on which a part of a claim depends.
pub(crate) enum Reads {
    /// Nothing that can change in a run.
    Nothing,
    /// The state of one node; which node, if the expression has it as a constant.
    Node(Option<NodeId>),
    /// Several nodes, or messages, or an unknown part of the state.
    Everything,
}

/// The part of the state on which the part of a claim with this origin depends.
pub(crate) fn reads_at(machine: &Machine, origin: Origin) -> Reads {
    let mut found = None;
    for property in &machine.properties {
        walk(&property.kind, &mut |e| {
            if let Expr::At(here, inner) = e
                && *here == origin
            {
                found = Some(reads(inner));
            }
        });
    }
    found.unwrap_or(Reads::Everything)
}

fn reads(expr: &Expr) -> Reads {
    let mut changing = 0;
    expr.walk(&mut |e| {
        changing += match e {
            Expr::Var(..)
            | Expr::InMode(..)
            | Expr::Inbox(..)
            | Expr::Senders(..)
            | Expr::TimerSet(..)
            | Expr::Faultless(..) => 1,
            Expr::InFlight(..) | Expr::Quiescent | Expr::Overdue(..) => 2,
            _ => 0,
        };
    });
    match expr.bare() {
        _ if changing == 0 => Reads::Nothing,
        Expr::Var(_, node)
        | Expr::InMode(_, node)
        | Expr::Inbox(_, node)
        | Expr::Senders(_, node)
        | Expr::TimerSet(_, node, _)
        | Expr::Faultless(node)
            if changing == 1 =>
        {
            match node.bare() {
                Expr::Const(Value::Node(node)) => Reads::Node(Some(*node)),
                _ => Reads::Node(None),
            }
        }
        _ => Reads::Everything,
    }
}
