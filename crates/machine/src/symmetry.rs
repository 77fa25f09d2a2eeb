//! Rotations: when a ring looks the same from every node, one arrangement stands for all its rotations.

use crate::{
    Channel, Expr, Fault, Formula, Machine, Order, PropertyKind, Quantifier, Rigid, StmtKind,
    Trigger, Type, Typing, may_fail,
};

/// Whether rotating the nodes maps runs to runs and leaves every property as it is: one kind; edges and
/// maps commute with the rotation; no constant names a node; and no code or condition depends on the
/// order of nodes, which only `for`, a literal node, a tie in `largest`, a full channel in the middle of a broadcast
/// or a receiver that at once looks at another one could do
/// (nodes are not compared by `<`: the verifier sees to that).
pub fn rotations(machine: &Machine) -> bool {
    let n = machine.node_count();
    let turn = |node: crate::NodeId| crate::NodeId((node.0 + 1) % n);
    machine.kinds.len() == 1
        && n > 1
        && machine
            .edges
            .iter()
            .all(|(a, b)| machine.edges.contains(&(turn(*a), turn(*b))))
        && machine.maps.iter().all(|m| {
            machine
                .nodes()
                .all(|i| m.to[turn(i).index()] == turn(m.to[i.index()]))
        })
        && machine
            .rigids
            .iter()
            .all(|r| !matches!(r.order, Order::Given(_)) && !names_nodes(machine, &r.ty))
        && !off_nodes_name_nodes(machine)
        && !depends_on_node_order(machine)
}

/// Whether values of a type name nodes. [`is_least_rotation`] moves values from node to node and does not
/// turn what stands in them, so such constants are left alone.
fn names_nodes(machine: &Machine, ty: &Type) -> bool {
    match ty {
        Type::Node => true,
        Type::Record(r) => {
            let mut fields = machine.records[r.index()].fields.iter();
            fields.any(|(_, ty)| names_nodes(machine, ty))
        }
        Type::OneOf(records) => {
            let mut types = records.iter().map(|r| Type::Record(*r));
            types.any(|ty| names_nodes(machine, &ty))
        }
        Type::Option(inner) | Type::Set(inner) => names_nodes(machine, inner),
        Type::Array(index, inner) => names_nodes(machine, index) || names_nodes(machine, inner),
        Type::Bool | Type::Int(..) | Type::Id | Type::Enum(_) => false,
    }
}

/// Whether a node that is off may have the first of several nodes in a variable.
fn off_nodes_name_nodes(machine: &Machine) -> bool {
    let mut faults = machine.node_faults.iter().flat_map(|item| &item.faults);
    let several = |var: &crate::Var| !matches!(var.init, crate::Init::Value(..));
    let mut vars = machine.vars.iter();
    faults.any(|fault| *fault == Fault::Off)
        && vars.any(|var| several(var) && names_nodes(machine, &var.ty))
}

/// Whether this is the first of its rotations in the order of values.
pub(crate) fn is_least_rotation(rigid: &Rigid, n: usize) -> bool {
    (1..n).all(|by| {
        let mut turned = rigid.clone();
        for column in &mut turned.values {
            column.rotate_left(by);
        }
        if turned.faults.len() == n {
            turned.faults.rotate_left(by);
        }
        *rigid <= turned
    })
}

impl Machine {
    /// Every choice of what is rigid; up to rotation where the Machine allows it.
    pub fn rigids_up_to_rotation(&self) -> Box<dyn Iterator<Item = Rigid> + '_> {
        if rotations(self) {
            let n = self.node_count() as usize;
            Box::new(
                self.rigids()
                    .filter(move |rigid| is_least_rotation(rigid, n)),
            )
        } else {
            Box::new(self.rigids())
        }
    }
}

fn depends_on_node_order(machine: &Machine) -> bool {
    let mut found = false;
    let in_order = match machine.channel {
        Channel::Fifo(capacity) => capacity.is_some(),
        Channel::Unordered => false,
        Channel::Instant => receivers_look_around(machine),
    };
    let mut look = |expr: &Expr| {
        found |= match expr {
            Expr::Const(crate::Value::Node(_)) => true,
            Expr::Extremum(_, local, _, by) => !is_id_of(machine, by, *local),
            // These stop at the first node that decides: whether an error behind it is met depends on the order.
            Expr::Quantified(Quantifier::All | Quantifier::Exists, _, domain, body) => {
                ranges_over_nodes(machine, domain) && may_fail(machine, body, &[])
            }
            _ => false,
        };
    };
    for block in &machine.blocks {
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
            guard.walk(&mut look);
        }
        for statement in &block.body {
            statement.walk_exprs(&mut look);
        }
    }
    for restriction in &machine.initially {
        restriction.condition.walk(&mut look);
    }
    for var in &machine.vars {
        if let crate::Init::AnyIn(_, e) | crate::Init::Value(_, e) = &var.init {
            e.walk(&mut look);
        }
    }
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Claim(formula) => {
                formula.walk_exprs(&mut look);
                each_condition(formula, &mut |condition| condition.walk(&mut look));
            }
            PropertyKind::Possible(condition) => condition.walk(&mut look),
        }
    }
    for block in &machine.blocks {
        let mut typing = Typing::all_bound(machine, &block.scope);
        for statement in &block.body {
            statement.walk(&mut |s| {
                found |= match &s.kind {
                    StmtKind::For(..) => true,
                    // A set of receivers is served in node order; sometimes that can be told.
                    StmtKind::Send(_, to) => in_order && typing.type_of(to) != Ok(Type::Node),
                    _ => false,
                }
            });
        }
    }
    found
}

/// Whether code for messages reads variables of other nodes.
fn receivers_look_around(machine: &Machine) -> bool {
    let mut found = false;
    for block in &machine.blocks {
        if let Trigger::On(..) = &block.trigger {
            for statement in &block.body {
                statement.walk_exprs(&mut |e| {
                    let own = crate::LocalId(0);
                    found |= matches!(e, Expr::Var(_, node) if *node.bare() != Expr::Local(own));
                });
            }
        }
    }
    found
}

/// Calls `visit` with the conditions that a formula is evaluated by: an invariant, or a part without
/// temporal operators, is one, with the quantifiers around it.
fn each_condition(formula: &Formula, visit: &mut dyn FnMut(&Expr)) {
    if let Some(condition) = formula.invariant().or_else(|| formula.condition()) {
        return visit(&condition);
    }
    match formula {
        Formula::State(condition) => visit(condition),
        Formula::At(_, a)
        | Formula::Not(a)
        | Formula::Always(a)
        | Formula::Eventually(a)
        | Formula::All(_, _, a)
        | Formula::Exists(_, _, a) => each_condition(a, visit),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Until(a, b)
        | Formula::LeadsTo(a, b) => {
            each_condition(a, visit);
            each_condition(b, visit);
        }
    }
}

fn ranges_over_nodes(machine: &Machine, domain: &Expr) -> bool {
    match domain.bare() {
        Expr::Range(..) => false,
        Expr::Values(ty) | Expr::Set(ty, _) => names_nodes(machine, ty),
        _ => true,
    }
}

/// Whether an expression is the id of the local node: then there are no ties.
fn is_id_of(machine: &Machine, by: &Expr, local: crate::LocalId) -> bool {
    match by.bare() {
        Expr::Rigid(rigid, node) => {
            machine.rigids[rigid.index()].order == Order::Arrangement
                && *node.bare() == Expr::Local(local)
        }
        _ => false,
    }
}
