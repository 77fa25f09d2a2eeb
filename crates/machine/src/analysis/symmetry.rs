//! Symmetries of a Machine: rotations of a ring, exchanges of interchangeable nodes, and automorphisms of the network.
//!
//! If a group of permutations of the nodes maps runs to runs and preserves the properties, one frozen choice of each
//! orbit is enough.

use crate::analysis::commuting_loops::iterations_commute;
use crate::analysis::cross_kind_reads::reads_other_kinds;
use crate::{
    Channel, Expr, Fault, Formula, Frozen, Init, Machine, NodeId, Order, Origin, PropertyKind,
    Quantifier, StmtKind, Trigger, Type, Typing, Value, may_fail,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};

/// Whether it is known that rotating the nodes maps runs to runs and preserves every property: there is one kind with
/// several nodes, edges and maps commute with the rotation, no constant names a node, no frozen variable has given
/// values or contains nodes, and nothing depends on the order of nodes ([`NodeOrderUse`]).
pub fn rotations(machine: &Machine) -> bool {
    rotates(machine, Errors::Possible)
}

/// [`rotations`] for a Machine in which no runtime error is reachable.
pub fn rotations_without_errors(machine: &Machine) -> bool {
    rotates(machine, Errors::Never)
}

/// Whether a runtime error may be reachable. If so, the order of evaluation may decide whether an error occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Errors {
    Possible,
    Never,
}

fn rotates(machine: &Machine, errors: Errors) -> bool {
    let n = machine.node_count();
    let turn = |node: NodeId| NodeId((node.0 + 1) % n);
    let turned = || {
        let edges: HashSet<(NodeId, NodeId)> = machine.edges.iter().copied().collect();
        let turned = |(a, b): &(NodeId, NodeId)| {
            cancellation::poll();
            edges.contains(&(turn(*a), turn(*b)))
        };
        machine.edges.iter().all(turned)
    };
    machine.kinds.len() == 1
        && n > 1
        && turned()
        && machine.maps.iter().all(|m| {
            machine
                .nodes()
                .all(|i| m.to[turn(i).index()] == turn(m.to[i.index()]))
        })
        && distinguishes_no_nodes(machine, errors)
        && named_nodes(machine).is_empty()
}

/// Groups of interchangeable nodes, each sorted: exchanging two nodes of a group maps runs to runs and preserves every
/// property. A group consists of nodes of one kind that no constant names and that have edges to and from the same
/// other nodes. There are no groups if frozen variables, code or conditions distinguish nodes, or if maps such as
/// `next` are used.
pub(crate) fn interchangeable(machine: &Machine) -> Vec<Vec<NodeId>> {
    groups(machine, Errors::Possible)
}

/// `interchangeable` for a Machine in which no runtime error is reachable.
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
    let (from, to) = neighbours(machine);
    let alike = |a: NodeId, b: NodeId| {
        cancellation::poll();
        let exchange = |node: NodeId| match node {
            node if node == a => b,
            node if node == b => a,
            node => node,
        };
        // The exchange changes the edges of the two nodes only.
        let kept = |edges: &[Vec<NodeId>]| {
            let (of_a, of_b) = (&edges[a.index()], &edges[b.index()]);
            let mut all = of_a.iter();
            of_a.len() == of_b.len() && all.all(|node| of_b.binary_search(&exchange(*node)).is_ok())
        };
        machine.kind_of(a) == machine.kind_of(b) && kept(&from) && kept(&to)
    };
    for node in machine.nodes().filter(|node| !named.contains(node)) {
        match groups.iter_mut().find(|group| alike(group[0], node)) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups
}

/// Indexed by node, each list sorted: the nodes to which its edges lead, and the nodes from which edges lead to it.
fn neighbours(machine: &Machine) -> (Vec<Vec<NodeId>>, Vec<Vec<NodeId>>) {
    let mut from = vec![Vec::new(); machine.node_count() as usize];
    let mut to = from.clone();
    for (a, b) in &machine.edges {
        from[a.index()].push(*b);
        to[b.index()].push(*a);
    }
    for nodes in from.iter_mut().chain(&mut to) {
        nodes.sort_unstable();
    }
    (from, to)
}

/// Whether frozen variables, code and conditions distinguish nodes only by naming them in constants.
fn distinguishes_no_nodes(machine: &Machine, errors: Errors) -> bool {
    let mut frozen_vars = machine.frozen_vars.iter();
    frozen_vars.all(|r| !matches!(r.order, Order::Given(_)) && !contains_nodes(machine, &r.ty))
        && !off_nodes_contain_nodes(machine)
        && node_order_use(machine, errors).is_none()
}

/// Whether the behaviour depends on the numbers of the nodes, so that a permutation of the nodes may change it.
pub fn depends_on_node_numbering(machine: &Machine) -> bool {
    node_numbering_use(machine).is_some()
}

/// What makes the behaviour of a Machine depend on the numbers of its nodes, if anything does.
pub fn node_numbering_use(machine: &Machine) -> Option<NodeOrderUse> {
    match off_nodes_contain_nodes(machine) {
        true => Some(NodeOrderUse::OffNodes),
        false => node_order_use(machine, Errors::Possible),
    }
}

/// Whether values of a type contain nodes. If so, a frozen variable of this type excludes symmetry:
/// [`is_least_rotation`] moves the values between nodes but does not permute the nodes inside them.
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

/// Whether a variable of a node that is off may contain a node. Such a variable has the first of its initial values,
/// which may depend on the numbers of the nodes.
fn off_nodes_contain_nodes(machine: &Machine) -> bool {
    let mut faults = machine.node_faults.iter().flat_map(|item| &item.faults);
    let names = |var: &crate::Var| match &var.init {
        Init::Value(..) => false,
        Init::AnyIn(..) => contains_nodes(machine, &var.ty),
        Init::Any => first_value_contains_nodes(machine, &var.ty),
    };
    faults.any(|fault| *fault == Fault::Off) && machine.vars.iter().any(names)
}

/// Whether the first value of a type contains a node. The first value of a set type is empty, of an option type absent.
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

/// Whether a frozen choice is the least among its rotations; `n` is the number of nodes.
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
    /// The frozen choices that are least among their rotations; all of them if rotation is not a symmetry of the
    /// Machine.
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

    /// Frozen choices with at least one of each orbit under automorphisms of the network. If these are unusable, under
    /// rotations or exchanges instead.
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

    /// Frozen choices with at least one of each orbit under rotations or, if rotation is not a symmetry, under
    /// exchanges of interchangeable nodes.
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

/// The automorphisms of the network that fix all nodes that constants name. They map runs to runs and preserve every
/// property. `None` if code or conditions depend on the order of nodes, if there are too many automorphisms to list, or
/// if only the identity is one.
fn symmetries(machine: &Machine) -> Option<Vec<Vec<NodeId>>> {
    if !distinguishes_no_nodes(machine, Errors::Possible) {
        return None;
    }
    let named = named_nodes(machine);
    let all = machine.renumberings(&|node| named.contains(&node))?;
    (all.len() > 1).then_some(all)
}

/// The frozen choice with each node n replaced by `to[n]`; `places` are the indices of nodes within their kinds.
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

/// The nodes that a constant names in code, initial values, restrictions or properties. A constant array with different
/// elements counts as naming all nodes.
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
                // If the index type is a node, such an array distinguishes all nodes.
                into.extend((0..parts.len() as u32).map(NodeId));
            }
        }
        Value::Set(parts) => parts.iter().for_each(|part| collect(part, into)),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Id(_) | Value::Enum(..) => {}
    }
}

/// Calls `look` on every expression of code, initial values, restrictions, response obligations and properties.
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

/// What uses the order of nodes in code or conditions, other than by naming nodes. Constructs have their source
/// locations, if these are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeOrderUse {
    /// A node that is off from the start has variables with the first of several nodes as their value.
    OffNodes,
    /// A quantifier may read a variable at a node of another kind, which is an error, or stop before this node.
    CrossKindRead,
    /// `largest` or `smallest` takes the first of several nodes with an equal value.
    Extremum(Option<Origin>),
    /// A quantifier over nodes stops at the first node that decides it; at a later node its condition may be an error.
    PartialCondition(Option<Origin>),
    /// The iterations of a `for` over nodes do not commute.
    Loop(Origin),
    /// Messages to several nodes are sent in the order of nodes, and their receivers or full channels can reveal this
    /// order.
    Broadcast(Origin),
}

/// The first use of the order of nodes in code or conditions, other than by naming nodes.
fn node_order_use(machine: &Machine, errors: Errors) -> Option<NodeOrderUse> {
    if errors == Errors::Possible && reads_other_kinds(machine) {
        return Some(NodeOrderUse::CrossKindRead);
    }
    let mut found = None;
    let in_order = match machine.channel {
        Channel::Fifo(capacity) => capacity.is_some(),
        Channel::Unordered => false,
        Channel::Instant => receivers_read_others(machine),
    };
    let mut located: Option<(Origin, *const Expr)> = None;
    each_expr(machine, &mut |expr| {
        let origin = located.filter(|(_, inner)| std::ptr::eq(*inner, expr));
        let origin = origin.map(|(origin, _)| origin);
        let used = match expr {
            Expr::At(origin, inner) => {
                located = Some((*origin, inner.bare()));
                None
            }
            Expr::Extremum(_, local, _, by) => {
                (!is_id_of(machine, by, *local)).then_some(NodeOrderUse::Extremum(origin))
            }
            // `all` and `some` stop at the first deciding element. Whether an error at a later element occurs depends
            // on the order.
            Expr::Quantified(Quantifier::All | Quantifier::Exists, _, domain, body) => {
                let may = errors == Errors::Possible
                    && ranges_over_nodes(machine, domain)
                    && may_fail(machine, body, &[]);
                may.then_some(NodeOrderUse::PartialCondition(origin))
            }
            _ => None,
        };
        found = found.or(used);
    });
    for block in &machine.blocks {
        let mut typing = Typing::all_bound(machine, &block.scope);
        for statement in &block.body {
            statement.walk(&mut |s| {
                let used = match &s.kind {
                    StmtKind::For(local, domain, body) => {
                        let in_order =
                            ranges_over_nodes(machine, domain) && !iterations_commute(*local, body);
                        in_order.then_some(NodeOrderUse::Loop(s.origin))
                    }
                    // Messages to a set of receivers are sent in node order, which may be observable.
                    StmtKind::Send(_, to) => {
                        let is_one =
                            typing.type_of(to) == Ok(Type::Node) || has_at_most_one(machine, to);
                        (in_order && !is_one).then_some(NodeOrderUse::Broadcast(s.origin))
                    }
                    _ => None,
                };
                found = found.or(used);
            });
        }
    }
    found
}

/// Whether a message block reads a variable of another node than the receiver.
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

/// Calls `visit` on the conditions of a formula that are as large as possible: the body of an invariant, or a part
/// without temporal operators. Each condition includes the quantifiers around it.
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

/// Whether a set certainly has at most one element.
fn has_at_most_one(machine: &Machine, set: &Expr) -> bool {
    match set.bare() {
        Expr::Nodes(Some(kind)) => machine.kinds[kind.index()].count <= 1,
        Expr::Set(_, elements) => elements.len() <= 1,
        _ => false,
    }
}

/// Whether a set may have elements that contain nodes.
pub fn ranges_over_nodes(machine: &Machine, domain: &Expr) -> bool {
    match domain.bare() {
        Expr::Range(..) => false,
        Expr::Values(ty) | Expr::Set(ty, _) => contains_nodes(machine, ty),
        _ => true,
    }
}

/// Whether `by` is an id of an arrangement, read at the node `local`. Such ids are distinct, so no tie is possible.
fn is_id_of(machine: &Machine, by: &Expr, local: crate::LocalId) -> bool {
    match by.bare() {
        Expr::Frozen(frozen, node) => {
            machine.frozen_vars[frozen.index()].order == Order::Arrangement
                && *node.bare() == Expr::Local(local)
        }
        _ => false,
    }
}
