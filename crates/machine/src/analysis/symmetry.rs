//! Symmetries of the code: rotations of a ring, exchanges of interchangeable nodes, and automorphisms of the network.
//!
//! If they preserve runs and properties, one representative of each orbit of frozen choices suffices.

use crate::analysis::commuting_loops::iterations_commute;
use crate::analysis::cross_kind_reads::reads_other_kinds;
use crate::{
    Channel, Expr, Fault, Formula, Frozen, Init, Machine, NodeId, Order, PropertyKind, Quantifier,
    StmtKind, Trigger, Type, Typing, Value, may_fail,
};
use std::collections::BTreeSet;

/// Whether rotating the nodes maps runs to runs and preserves every property: one kind; edges and maps commute with the
/// rotation; no constant names a node; and no code or condition depends on the order of nodes. Only `for`, a literal
/// node, a tie in `largest`, a full channel in the middle of a broadcast, or a receiver on an instant channel that
/// reads another node could depend on it (the verifier excludes `<` on nodes).
pub fn rotations(machine: &Machine) -> bool {
    rotates(machine, Errors::Possible)
}

/// [`rotations`] for Machines without reachable errors.
pub fn rotations_without_errors(machine: &Machine) -> bool {
    rotates(machine, Errors::Never)
}

/// Whether errors are possible: then the order of evaluation may decide whether an error occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Errors {
    Possible,
    Never,
}

fn rotates(machine: &Machine, errors: Errors) -> bool {
    let n = machine.node_count();
    let turn = |node: NodeId| NodeId((node.0 + 1) % n);
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
        && distinguishes_no_nodes(machine, errors)
        && named_nodes(machine).is_empty()
}

/// Groups of interchangeable nodes, each sorted: exchanging two nodes of a group maps runs to runs and preserves every
/// property. These are nodes of one kind with the same edges that no constant names, if no code or condition depends on
/// the order of nodes, or on maps such as `next`.
pub(crate) fn interchangeable(machine: &Machine) -> Vec<Vec<NodeId>> {
    groups(machine, Errors::Possible)
}

/// The groups of interchangeable nodes for Machines without reachable errors.
pub fn interchangeable_without_errors(machine: &Machine) -> Vec<Vec<NodeId>> {
    groups(machine, Errors::Never)
}

fn groups(machine: &Machine, errors: Errors) -> Vec<Vec<NodeId>> {
    let mut groups: Vec<Vec<NodeId>> = Vec::new();
    let mut maps = false;
    each_expr(machine, &mut |e| maps |= matches!(e, Expr::Map(..)));
    if maps || !distinguishes_no_nodes(machine, errors) {
        return groups;
    }
    let named = named_nodes(machine);
    let alike = |a: NodeId, b: NodeId| {
        let exchange = |node: NodeId| match node {
            node if node == a => b,
            node if node == b => a,
            node => node,
        };
        let mut edges = machine.edges.iter();
        machine.kind_of(a) == machine.kind_of(b)
            && edges.all(|(from, to)| machine.edges.contains(&(exchange(*from), exchange(*to))))
    };
    for node in machine.nodes().filter(|node| !named.contains(node)) {
        match groups.iter_mut().find(|group| alike(group[0], node)) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups
}

/// Whether frozen variables and code distinguish nodes only by naming them.
fn distinguishes_no_nodes(machine: &Machine, errors: Errors) -> bool {
    let mut frozen_vars = machine.frozen_vars.iter();
    frozen_vars.all(|r| !matches!(r.order, Order::Given(_)) && !contains_nodes(machine, &r.ty))
        && !off_nodes_contain_nodes(machine)
        && !depends_on_node_order(machine, errors)
}

/// Whether the behaviour depends on the numbers of nodes, so that renumbering may change it.
pub fn depends_on_node_numbering(machine: &Machine) -> bool {
    off_nodes_contain_nodes(machine) || depends_on_node_order(machine, Errors::Possible)
}

/// Whether values of a type contain nodes. [`is_least_rotation`] moves values between nodes without rotating the nodes
/// inside them, so that frozen variables of such types exclude rotation.
fn contains_nodes(machine: &Machine, ty: &Type) -> bool {
    match ty {
        Type::Node => true,
        Type::Record(r) => {
            let mut fields = machine.records[r.index()].fields.iter();
            fields.any(|(_, ty)| contains_nodes(machine, ty))
        }
        Type::OneOf(records) => {
            let mut types = records.iter().map(|r| Type::Record(*r));
            types.any(|ty| contains_nodes(machine, &ty))
        }
        Type::Option(inner) | Type::Set(inner) => contains_nodes(machine, inner),
        Type::Array(index, inner) => {
            contains_nodes(machine, index) || contains_nodes(machine, inner)
        }
        Type::Bool | Type::Int(..) | Type::Counter(_) | Type::Id | Type::Enum(_) => false,
    }
}

/// Whether a variable of a node that is off may contain the first of several nodes.
fn off_nodes_contain_nodes(machine: &Machine) -> bool {
    let mut faults = machine.node_faults.iter().flat_map(|item| &item.faults);
    let names = |var: &crate::Var| match &var.init {
        Init::Value(..) => false,
        Init::AnyIn(..) => contains_nodes(machine, &var.ty),
        Init::Any => first_value_contains_nodes(machine, &var.ty),
    };
    faults.any(|fault| *fault == Fault::Off) && machine.vars.iter().any(names)
}

/// Whether the first value of a type contains a node. The first set is empty, and the first option absent.
fn first_value_contains_nodes(machine: &Machine, ty: &Type) -> bool {
    match ty {
        Type::Set(_) | Type::Option(_) => false,
        Type::Record(r) => {
            let mut fields = machine.records[r.index()].fields.iter();
            fields.any(|(_, ty)| first_value_contains_nodes(machine, ty))
        }
        Type::Array(_, inner) => first_value_contains_nodes(machine, inner),
        other => contains_nodes(machine, other),
    }
}

/// Whether a frozen choice is the least of its rotations.
pub(crate) fn is_least_rotation(frozen: &Frozen, n: usize) -> bool {
    (1..n).all(|by| {
        let mut turned = frozen.clone();
        for column in &mut turned.values {
            column.rotate_left(by);
        }
        if turned.faults.len() == n {
            turned.faults.rotate_left(by);
        }
        if turned.periods.len() == n {
            turned.periods.rotate_left(by);
        }
        *frozen <= turned
    })
}

impl Machine {
    /// All frozen choices, up to rotation if the Machine allows it.
    pub fn frozen_choices_up_to_rotation(&self) -> Box<dyn Iterator<Item = Frozen> + '_> {
        if rotations(self) {
            let n = self.node_count() as usize;
            Box::new(
                self.frozen_choices()
                    .filter(move |frozen| is_least_rotation(frozen, n)),
            )
        } else {
            Box::new(self.frozen_choices())
        }
    }

    /// All frozen choices, up to automorphisms of the network; where these do not apply, up to rotations or exchanges.
    pub fn frozen_choices_up_to_symmetry(&self) -> Box<dyn Iterator<Item = Frozen> + '_> {
        let Some(renumberings) = symmetries(self) else {
            return self.frozen_choices_up_to_exchange();
        };
        let places: Vec<usize> = self.nodes().map(|node| self.place_in_kind(node)).collect();
        let is_least = move |frozen: &Frozen| {
            let mut others = renumberings.iter();
            others.all(|to| *frozen <= renumbered(self, frozen, to, &places))
        };
        Box::new(self.frozen_choices().filter(is_least))
    }

    /// All frozen choices up to rotation, and where rotation does not apply up to exchanges of interchangeable nodes.
    pub fn frozen_choices_up_to_exchange(&self) -> Box<dyn Iterator<Item = Frozen> + '_> {
        if rotations(self) {
            return self.frozen_choices_up_to_rotation();
        }
        let groups = interchangeable(self);
        let in_order = move |frozen: &Frozen| {
            let of = |node: NodeId| {
                let values = self.frozen_vars.iter().zip(&frozen.values);
                let own = values.filter(|(var, _)| var.kind == self.kind_of(node));
                let own = own.map(|(_, values)| &values[self.place_in_kind(node)]);
                (
                    frozen.fault(node),
                    frozen.period(node),
                    own.collect::<Vec<_>>(),
                )
            };
            let mut pairs = groups.iter().flat_map(|group| group.windows(2));
            pairs.all(|pair| of(pair[0]) <= of(pair[1]))
        };
        Box::new(self.frozen_choices().filter(in_order))
    }
}

/// The automorphisms that map runs to runs and preserve every property: they keep kinds, edges and maps, and fix the
/// nodes that constants name; and no code or condition depends on the order of nodes. `None` if there are too many to
/// list, or only the identity.
fn symmetries(machine: &Machine) -> Option<Vec<Vec<NodeId>>> {
    if !distinguishes_no_nodes(machine, Errors::Possible) {
        return None;
    }
    let named = named_nodes(machine);
    let all = machine.renumberings(&|node| named.contains(&node))?;
    (all.len() > 1).then_some(all)
}

/// A frozen choice with the nodes renumbered.
fn renumbered(machine: &Machine, frozen: &Frozen, to: &[NodeId], places: &[usize]) -> Frozen {
    let mut moved = frozen.clone();
    for node in machine.nodes() {
        let new = to[node.index()];
        let columns = machine.frozen_vars.iter().zip(&frozen.values);
        for (column, (var, values)) in moved.values.iter_mut().zip(columns) {
            if var.kind == machine.kind_of(node) {
                column[places[new.index()]] = values[places[node.index()]].clone();
            }
        }
        if !frozen.faults.is_empty() {
            moved.faults[new.index()] = frozen.faults[node.index()];
        }
        if !frozen.periods.is_empty() {
            moved.periods[new.index()] = frozen.periods[node.index()].clone();
        }
    }
    moved
}

/// The nodes that constants name, in code, initial values, restrictions or properties. A constant array that is not
/// uniform counts as naming all nodes.
pub fn named_nodes(machine: &Machine) -> BTreeSet<NodeId> {
    let mut named = BTreeSet::new();
    each_expr(machine, &mut |expr| {
        if let Expr::Const(value) = expr {
            collect(value, &mut named);
        }
    });
    named
}

fn collect(value: &Value, into: &mut BTreeSet<NodeId>) {
    match value {
        Value::Node(node) => {
            into.insert(*node);
        }
        Value::Some(inner) => collect(inner, into),
        Value::Record(_, parts) => parts.iter().for_each(|part| collect(part, into)),
        Value::Array(parts) => {
            parts.iter().for_each(|part| collect(part, into));
            if parts.windows(2).any(|pair| pair[0] != pair[1]) {
                // The index may be a node: then the array distinguishes all nodes.
                into.extend((0..parts.len() as u32).map(NodeId));
            }
        }
        Value::Set(parts) => parts.iter().for_each(|part| collect(part, into)),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Id(_) | Value::Enum(..) => {}
    }
}

/// Calls `look` with every expression of code, initial values and properties.
fn each_expr(machine: &Machine, look: &mut dyn FnMut(&Expr)) {
    let mut look = |expr: &Expr| look(expr);
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
        if let Init::AnyIn(_, e) | Init::Value(_, e) = &var.init {
            e.walk(&mut look);
        }
    }
    for response in &machine.responses {
        response.from.walk(&mut look);
        response.to.walk(&mut look);
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
}

/// Whether code or conditions depend on the order of nodes, other than by naming nodes.
fn depends_on_node_order(machine: &Machine, errors: Errors) -> bool {
    let mut found = errors == Errors::Possible && reads_other_kinds(machine);
    let in_order = match machine.channel {
        Channel::Fifo(capacity) => capacity.is_some(),
        Channel::Unordered => false,
        Channel::Instant => receivers_read_others(machine),
    };
    each_expr(machine, &mut |expr| {
        found |= match expr {
            Expr::Extremum(_, local, _, by) => !is_id_of(machine, by, *local),
            // These stop at the first decisive node: whether an error behind it occurs depends on the order.
            Expr::Quantified(Quantifier::All | Quantifier::Exists, _, domain, body) => {
                errors == Errors::Possible
                    && ranges_over_nodes(machine, domain)
                    && may_fail(machine, body, &[])
            }
            _ => false,
        };
    });
    for block in &machine.blocks {
        let mut typing = Typing::all_bound(machine, &block.scope);
        for statement in &block.body {
            statement.walk(&mut |s| {
                found |= match &s.kind {
                    StmtKind::For(local, domain, body) => {
                        ranges_over_nodes(machine, domain) && !iterations_commute(*local, body)
                    }
                    // A set of receivers is served in node order, which may be observable.
                    StmtKind::Send(_, to) => {
                        let is_one =
                            typing.type_of(to) == Ok(Type::Node) || has_at_most_one(machine, to);
                        in_order && !is_one
                    }
                    _ => false,
                }
            });
        }
    }
    found
}

/// Whether message blocks read variables of other nodes.
fn receivers_read_others(machine: &Machine) -> bool {
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

/// Calls `visit` with the maximal conditions of a formula: an invariant, or a part without temporal operators, with the
/// quantifiers around it.
pub(crate) fn each_condition(formula: &Formula, visit: &mut dyn FnMut(&Expr)) {
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

/// Whether a set has at most one element.
fn has_at_most_one(machine: &Machine, set: &Expr) -> bool {
    match set.bare() {
        Expr::Nodes(Some(kind)) => machine.kinds[kind.index()].count <= 1,
        Expr::Set(_, elements) => elements.len() <= 1,
        _ => false,
    }
}

fn ranges_over_nodes(machine: &Machine, domain: &Expr) -> bool {
    match domain.bare() {
        Expr::Range(..) => false,
        Expr::Values(ty) | Expr::Set(ty, _) => contains_nodes(machine, ty),
        _ => true,
    }
}

/// Whether an expression is the id of the local node, so that ties are impossible.
fn is_id_of(machine: &Machine, by: &Expr, local: crate::LocalId) -> bool {
    match by.bare() {
        Expr::Frozen(frozen, node) => {
            machine.frozen_vars[frozen.index()].order == Order::Arrangement
                && *node.bare() == Expr::Local(local)
        }
        _ => false,
    }
}
