//! Random Machines with symmetric nodes: with edges between all nodes or around a ring, and without most constructs
//! that distinguish nodes.

use machine::random::Rng;
use machine::{
    Expr, Init, LocalId, Machine, NodeId, Order, Predicate, Property, PropertyKind, Stmt, StmtKind,
    Trigger, Value, depends_on_node_numbering, named_nodes,
};

/// Makes the nodes of a Machine symmetric.
pub fn alike(machine: &mut Machine, rng: &mut Rng) {
    let n = machine.node_count();
    let (ring, loops) = (rng.below(3) == 0, rng.below(4) == 0);
    machine.edges.clear();
    for a in 0..n {
        for b in 0..n {
            let near = !ring || b == (a + 1) % n || a == (b + 1) % n;
            if if a == b { loops } else { near } {
                machine.edges.push((NodeId(a), NodeId(b)));
            }
        }
    }
    let maps = ring || rng.below(3) == 0;
    for frozen in &mut machine.frozen_vars {
        if let Order::Given(values) = &mut frozen.order {
            let first = values[0].clone();
            values.fill(first);
        }
    }
    // Code that reads ids distinguishes nodes. Therefore most Machines get given ids, and a constant replaces them in
    // code.
    let ids: Vec<bool> = machine
        .frozen_vars
        .iter()
        .map(|r| r.order == Order::Arrangement)
        .collect();
    let ids = if rng.below(4) == 0 { Vec::new() } else { ids };
    let mut next = 0;
    for (frozen, _) in machine
        .frozen_vars
        .iter_mut()
        .zip(&ids)
        .filter(|(_, id)| **id)
    {
        let count = machine.kinds[frozen.kind.index()].count;
        frozen.order = Order::Given((next + 1..=next + count).map(Value::Id).collect());
        next += count;
    }
    let own = |e: &Expr| without(e, maps, &ids);
    for property in &mut machine.properties {
        property.kind = match &property.kind {
            PropertyKind::Claim(claim) => {
                PropertyKind::Claim(claim.with_exprs(&mut |e| no_ids(e, &ids)))
            }
            PropertyKind::Possible(e) => PropertyKind::Possible(no_ids(e, &ids)),
        };
    }
    for restriction in &mut machine.initially {
        restriction.condition = no_ids(&restriction.condition, &ids);
    }
    for var in &mut machine.vars {
        if let Init::AnyIn(_, e) | Init::Value(_, e) = &mut var.init {
            *e = own(e);
        }
    }
    for block in &mut machine.blocks {
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &mut block.trigger {
            *guard = own(guard);
        }
        block.body = statements(&block.body, &own);
    }
    let blind =
        |machine: &Machine| named_nodes(machine).is_empty() && !depends_on_node_numbering(machine);
    // A condition that names nodes or depends on their order is mostly removed, and sometimes kept.
    let properties: Vec<Property> = std::mem::take(&mut machine.properties);
    let restrictions: Vec<Predicate> = std::mem::take(&mut machine.initially);
    let code = blind(machine);
    for restriction in restrictions {
        machine.initially.push(restriction);
        if blind(machine) != code && rng.below(4) > 0 {
            machine.initially.pop();
        }
    }
    let code = blind(machine);
    for property in properties {
        machine.properties.push(property);
        if blind(machine) != code && rng.below(6) > 0 {
            machine.properties.pop();
        }
    }
}

/// Code without `for` statements, with expressions replaced by `own`.
fn statements(body: &[Stmt], own: &dyn Fn(&Expr) -> Expr) -> Vec<Stmt> {
    let kept = body.iter().filter(|s| !matches!(s.kind, StmtKind::For(..)));
    let mapped = kept.map(|s| {
        let mut s = match &s.kind {
            StmtKind::If(..) => s.clone(),
            _ => s.with_exprs(&mut |e| own(e)),
        };
        if let StmtKind::If(condition, then, otherwise) = &mut s.kind {
            *condition = own(condition);
            *then = statements(then, own);
            *otherwise = statements(otherwise, own);
        }
        s
    });
    mapped.collect()
}

/// Replaces named nodes by the node that runs the code; without `maps`, also the images of maps.
fn without(e: &Expr, maps: bool, ids: &[bool]) -> Expr {
    let this = || Expr::Local(LocalId(0));
    match e {
        Expr::Const(Value::Node(_)) => this(),
        Expr::Map(_, node) if !maps => without(node, maps, ids),
        Expr::Extremum(..) if is_of_node(e) => this(),
        Expr::Frozen(..) => no_ids(e, ids),
        other => other.with_parts(&mut |part| without(part, maps, ids)),
    }
}

/// Replaces ids by the first id.
fn no_ids(e: &Expr, ids: &[bool]) -> Expr {
    match e {
        Expr::Frozen(frozen, _) if ids.get(frozen.index()) == Some(&true) => {
            Expr::Const(Value::Id(1))
        }
        other => other.with_parts(&mut |part| no_ids(part, ids)),
    }
}

/// Whether an expression selects the greatest or least of some nodes.
fn is_of_node(e: &Expr) -> bool {
    let Expr::Extremum(_, _, domain, _) = e else {
        return false;
    };
    matches!(domain.bare(), Expr::Nodes(_) | Expr::Neighbours(_))
}
