//! Reads of variables at nodes of another kind than the variable's. Such a read is a runtime error. Inside `all` or
//! `some`, which stop at the first deciding element, the order of the nodes may determine whether the error occurs.

use crate::analysis::symmetry::each_condition;
use crate::{
    BinaryOp, Expr, Init, KindId, LocalId, Machine, NodeId, PropertyKind, Quantifier, Trigger,
    Value,
};

/// Locals whose value is a node of the given kind.
type Known = [(LocalId, KindId)];

impl Machine {
    /// The common kind of all successors (`behind` is true) or predecessors (false) of nodes of a kind, along edges.
    /// `None` if there are several kinds, or no such edge.
    fn kind_beside(&self, kind: KindId, behind: bool) -> Option<KindId> {
        let ends = |(a, b): &(NodeId, NodeId)| match behind {
            true => (self.kind_of(*a), self.kind_of(*b)),
            false => (self.kind_of(*b), self.kind_of(*a)),
        };
        let mut others = self.edges.iter().map(ends).filter(|(own, _)| *own == kind);
        let (_, first) = others.next()?;
        others.all(|(_, other)| other == first).then_some(first)
    }
}

/// Whether some `all` or `some` may read a variable at a node of another kind than the variable's.
pub(crate) fn reads_other_kinds(machine: &Machine) -> bool {
    if machine.kinds.len() == 1 {
        return false;
    }
    let mut found = false;
    for block in &machine.blocks {
        let mut own = vec![(LocalId(0), block.kind)];
        if let (Trigger::On(..), Some(kind)) =
            (&block.trigger, machine.kind_beside(block.kind, false))
        {
            own.push((LocalId(2), kind)); // local 2 is the sender
        }
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
            found |= reads_other_kind(machine, guard, &own, false);
        }
        for statement in &block.body {
            statement.with_exprs(&mut |e| {
                found |= reads_other_kind(machine, e, &own, false);
                e.clone()
            });
        }
    }
    for var in &machine.vars {
        if let Init::AnyIn(_, e) | Init::Value(_, e) = &var.init {
            found |= reads_other_kind(machine, e, &[(LocalId(0), var.kind)], false);
        }
    }
    let mut look = |e: &Expr| found |= reads_other_kind(machine, e, &[], false);
    for restriction in &machine.initially {
        look(&restriction.condition);
    }
    for response in &machine.responses {
        look(&response.from);
        look(&response.to);
    }
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Possible(condition) => look(condition),
            PropertyKind::Claim(claim) => each_condition(claim, &mut look),
        }
    }
    found
}

/// [`reads_other_kinds`] for one expression. `known` are locals with a known kind; `inside` says whether the expression
/// is inside an `all` or `some`.
fn reads_other_kind(machine: &Machine, e: &Expr, known: &Known, inside: bool) -> bool {
    let is_of = |node: &Expr, kind: KindId| match node.bare() {
        Expr::Local(local) => known.contains(&(*local, kind)),
        Expr::Const(Value::Node(node)) => machine.kind_of(*node) == kind,
        _ => false,
    };
    match e {
        Expr::Var(var, node) if inside => !is_of(node, machine.vars[var.index()].kind),
        Expr::Frozen(frozen, node) if inside => {
            !is_of(node, machine.frozen_vars[frozen.index()].kind)
        }
        Expr::Quantified(_, local, domain, body)
        | Expr::Filter(local, domain, body)
        | Expr::Extremum(_, local, domain, body) => {
            use Quantifier::{All, Exists};
            let stops = matches!(e, Expr::Quantified(All | Exists, ..));
            let mut more = known.to_vec();
            more.retain(|(name, _)| name != local);
            more.extend(kind_in(machine, domain, known).map(|kind| (*local, kind)));
            reads_other_kind(machine, domain, known, inside)
                || reads_other_kind(machine, body, &more, inside || stops)
        }
        // In the branch of a condition `local in nodes of a kind` the kind of the local is known.
        Expr::If(condition, then, otherwise) if let Some(is) = tested_kind(condition) => {
            let more: Vec<_> = known.iter().copied().chain([is]).collect();
            reads_other_kind(machine, then, &more, inside)
                || reads_other_kind(machine, otherwise, known, inside)
        }
        _ => {
            let mut parts = e.children().into_iter();
            parts.any(|part| reads_other_kind(machine, part, known, inside))
        }
    }
}

/// The local and the kind if the condition has the form `local in nodes of a kind`; otherwise `None`.
fn tested_kind(condition: &Expr) -> Option<(LocalId, KindId)> {
    let Expr::Binary(BinaryOp::In, node, set) = condition.bare() else {
        return None;
    };
    match (node.bare(), set.bare()) {
        (Expr::Local(local), Expr::Nodes(Some(kind))) => Some((*local, *kind)),
        _ => None,
    }
}

/// The common kind of all nodes of a set; `None` if it is not known statically.
fn kind_in(machine: &Machine, set: &Expr, known: &Known) -> Option<KindId> {
    match set.bare() {
        Expr::Nodes(kind) => *kind,
        Expr::Filter(_, set, _) => kind_in(machine, set, known),
        Expr::Neighbours(node) => {
            let Expr::Local(local) = node.bare() else {
                return None;
            };
            let (_, kind) = known.iter().find(|(name, _)| name == local)?;
            machine.kind_beside(*kind, true)
        }
        _ => None,
    }
}
