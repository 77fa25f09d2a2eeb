//! Cone of influence: the parts of each node that can influence the properties, for one frozen choice.
//!
//! *What.* The cone lists for each node separately the variables, the fields of record variables, the fields of
//! messages in its inbox, and the statements. Nodes differ: a property may read a variable of one node only, and a
//! value that a mute node computes reaches no other node. A field that is only copied from message to message
//! influences nothing. The Machine itself is not changed; an engine may leave out what is outside the cone.
//!
//! *When.* The cone is a least fixpoint. It starts empty. Conditions, guards and statements that have to stay add what
//! they read, until nothing is added. The rules are:
//! - Constructing or copying a record adds only what the fields in the cone need.
//! - A `send` has to stay unless the node cannot send and the `send` is never a runtime error. A field of the message
//!   is in the cone if it is in the cone of some node that can receive the message. If the channel is not instant, or
//!   if some block handles the message type, all its fields are in the cone.
//! - A set under all, exists, max, min, union or intersect adds for its elements what the body reads. Every other use
//!   of a set adds everything about its elements.
//! - An expression that is removed, or of which only a part is kept, is total.
//!
//! *Why it is exact.* The remaining code and conditions read nothing that is removed. So events, picks, messages that
//! have an effect, and conditions are the same for all values of the removed parts. Elements of a set that become equal
//! make no difference to the quantifiers listed above. Entries of an inbox are kept by sender. If one sender can have
//! several entries that differ only in removed fields, only such quantifiers read them.

use crate::analysis::sites::{Site, conditions, guard};
use crate::analysis::totality::{assignment_is_total, has_initial_value, is_total};
use machine::{
    BinaryOp, BlockId, Channel, Expr, Fault, Frozen, LocalId, Machine, NodeId, PlaceStep,
    Quantifier, RecordId, Stmt, StmtKind, Trigger, Type, Value, VarId,
};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Influence, NodeCone};

/// The cone of influence of the properties of a Machine for one frozen choice, indexed by node.
pub fn cone_of_influence(machine: &Machine, frozen: &Frozen) -> Vec<NodeCone> {
    let nothing = || NodeInfluence {
        vars: vec![Influence::Nothing; machine.vars.len()],
        inbox: vec![Influence::Nothing; machine.records.len()],
        locals: BTreeMap::new(),
    };
    let mut cone = ConeBuilder {
        machine,
        frozen,
        nodes: machine.nodes().map(|_| nothing()).collect(),
        conditions: nothing(),
        grown: true,
    };
    for (v, var) in machine.vars.iter().enumerate() {
        if !has_initial_value(machine, var) {
            cone.everywhere(VarId(v as u32), &Influence::Everything);
        }
    }
    while std::mem::take(&mut cone.grown) {
        conditions(machine, &mut |site, condition| {
            cone.require(
                &Spot {
                    node: None,
                    block: 0,
                    site,
                },
                condition,
                &Influence::Everything,
            );
        });
        for node in machine.nodes() {
            for (b, site) in cone.blocks(node) {
                let spot = Spot {
                    node: Some(node),
                    block: b,
                    site: &site,
                };
                let block = &machine.blocks[b];
                if let Some(guard) = guard(block) {
                    cone.require(&spot, guard, &Influence::Everything);
                }
                cone.visit(&spot, &block.body);
            }
        }
    }
    let nodes = machine.nodes();
    nodes.map(|node| cone.node_cone(node)).collect()
}

/// The influence found so far: of the variables and inbox of one node, and of the locals of its blocks.
struct NodeInfluence {
    vars: Vec<Influence>,
    inbox: Vec<Influence>,
    locals: BTreeMap<(usize, LocalId), Influence>,
}

/// The state of the fixpoint computation; `grown` says whether the cone has grown in the current round.
struct ConeBuilder<'m> {
    machine: &'m Machine,
    frozen: &'m Frozen,
    nodes: Vec<NodeInfluence>,
    /// The influence of locals in conditions; the other fields are unused.
    conditions: NodeInfluence,
    grown: bool,
}

/// The context of an expression, with the node and block if it is in code.
struct Spot<'s, 'm> {
    node: Option<NodeId>,
    block: usize,
    site: &'s Site<'m>,
}

impl<'m> ConeBuilder<'m> {
    /// The blocks of a node that can run, with their indices and contexts.
    fn blocks(&self, node: NodeId) -> Vec<(usize, Site<'m>)> {
        let machine = self.machine;
        let runs = self.frozen.fault(node) != Some(Fault::Off);
        let blocks = machine.blocks.iter().enumerate();
        let own = blocks.filter(|(_, b)| runs && b.kind == machine.kind_of(node));
        own.map(|(b, block)| (b, Site::block(machine, block)))
            .collect()
    }

    fn can_send(&self, node: NodeId) -> bool {
        self.frozen.fault(node).is_none_or(Fault::can_send)
    }

    /// The influence of a message type: the fields that are in the cone of some node that can receive the message; all
    /// fields if the channel is not instant or a block handles the type.
    fn message_influence(&self, record: RecordId) -> Influence {
        let machine = self.machine;
        let taken = |b: &machine::Block| matches!(&b.trigger, Trigger::On(r, _) if *r == record);
        if machine.channel != Channel::Instant || machine.blocks.iter().any(taken) {
            return Influence::Everything;
        }
        let mut matters = Influence::Nothing;
        for node in machine.nodes() {
            if self.frozen.can_receive(node) {
                matters.add(&self.nodes[node.index()].inbox[record.index()]);
            }
        }
        matters
    }

    fn var(&mut self, node: NodeId, var: VarId, influence: &Influence) {
        self.grown |= self.nodes[node.index()].vars[var.index()].add(influence);
    }

    fn everywhere(&mut self, var: VarId, influence: &Influence) {
        for node in self.machine.nodes_of(self.machine.vars[var.index()].kind) {
            self.var(node, var, influence);
        }
    }

    fn local(&mut self, spot: &Spot<'_, 'm>, local: LocalId, influence: &Influence) {
        let of = match spot.node {
            Some(node) => &mut self.nodes[node.index()],
            None => &mut self.conditions,
        };
        let matters = of.locals.entry((spot.block, local)).or_default();
        self.grown |= matters.add(influence);
    }

    /// The influence of a local; at least that of its presence.
    fn local_influence(&self, spot: &Spot<'_, 'm>, local: LocalId) -> Influence {
        let of = match spot.node {
            Some(node) => &self.nodes[node.index()],
            None => &self.conditions,
        };
        let mut matters = Influence::Fields(BTreeSet::new());
        if let Some(more) = of.locals.get(&(spot.block, local)) {
            matters.add(more);
        }
        matters
    }

    /// The node that an expression denotes; `None` if it may be any node.
    fn owner(&self, spot: &Spot<'_, 'm>, node: &Expr) -> Option<NodeId> {
        match node.bare() {
            Expr::Const(Value::Node(node)) => Some(*node),
            Expr::Local(LocalId(0)) if spot.site.own.is_some() => spot.node,
            _ => None,
        }
    }

    fn inbox(&mut self, spot: &Spot<'_, 'm>, node: &Expr, record: RecordId, influence: &Influence) {
        let owner = self.owner(spot, node);
        for (n, node) in self.nodes.iter_mut().enumerate() {
            if owner.is_none_or(|owner| owner.index() == n) {
                self.grown |= node.inbox[record.index()].add(influence);
            }
        }
    }

    /// Adds to the cone what an expression needs so that the part `influence` of its value is right.
    fn require(&mut self, spot: &Spot<'_, 'm>, expr: &Expr, influence: &Influence) {
        if !influence.at_all() {
            return;
        }
        let all = &Influence::Everything;
        match expr {
            Expr::At(_, inner) => self.require(spot, inner, influence),
            Expr::Local(local) => self.local(spot, *local, influence),
            Expr::Var(var, node) => match self.owner(spot, node) {
                Some(owner) => self.var(owner, *var, influence),
                None => {
                    self.require(spot, node, all);
                    self.everywhere(*var, influence);
                }
            },
            Expr::Field(record, field) => {
                self.require(spot, record, &Influence::Fields(BTreeSet::from([*field])));
            }
            Expr::Record(_, items) => {
                for (f, item) in items.iter().enumerate() {
                    if influence.has(f as u32) {
                        self.require(spot, item, all);
                    }
                }
            }
            Expr::If(condition, then, otherwise) => {
                self.require(spot, condition, all);
                self.require(spot, then, influence);
                self.require(spot, otherwise, influence);
            }
            Expr::Inbox(records, node) => {
                for record in records {
                    self.inbox(spot, node, *record, all);
                }
                self.require(spot, node, all);
            }
            Expr::Senders(only, node) => {
                let records = (0..self.machine.records.len() as u32).map(RecordId);
                for record in records.filter(|r| only.is_none_or(|only| only == *r)) {
                    let there = Influence::Fields(BTreeSet::new());
                    self.inbox(spot, node, record, &there);
                }
                self.require(spot, node, all);
            }
            Expr::Quantified(quantifier, local, domain, body) => {
                use Quantifier::*;
                self.require(spot, body, all);
                let order_insensitive =
                    matches!(quantifier, All | Exists | Max | Min | Union | Intersect)
                        && is_total(spot.site, expr);
                let elements = match order_insensitive {
                    true => self.local_influence(spot, *local),
                    false => Influence::Everything,
                };
                self.elements(spot, domain, &elements);
            }
            other => {
                for part in other.children() {
                    self.require(spot, part, all);
                }
            }
        }
    }

    /// Adds to the cone what a set needs so that the part `influence` of its elements is right. The use of the set must
    /// ignore the order and multiplicity of the elements.
    fn elements(&mut self, spot: &Spot<'_, 'm>, set: &Expr, influence: &Influence) {
        match set {
            Expr::At(_, inner) => self.elements(spot, inner, influence),
            Expr::Inbox(records, node)
                if records.len() == 1 && self.owner(spot, node).is_some() =>
            {
                self.inbox(spot, node, records[0], influence);
            }
            Expr::Binary(BinaryOp::Union, a, b) => {
                self.elements(spot, a, influence);
                self.elements(spot, b, influence);
            }
            Expr::Set(_, items) => {
                for item in items {
                    self.require(spot, item, influence);
                }
            }
            Expr::Filter(local, inner, condition) => {
                self.require(spot, condition, &Influence::Everything);
                let mut both = self.local_influence(spot, *local);
                both.add(influence);
                self.elements(spot, inner, &both);
            }
            other => self.require(spot, other, &Influence::Everything),
        }
    }

    /// Adds what is needed by the statements that have to stay. Returns whether any statement has to stay.
    fn visit(&mut self, spot: &Spot<'_, 'm>, statements: &[Stmt]) -> bool {
        let mut stays = false;
        for statement in statements {
            stays |= self.stays(spot, statement);
        }
        stays
    }

    /// Whether a statement has to stay; if so, adds what it needs.
    fn stays(&mut self, spot: &Spot<'_, 'm>, statement: &Stmt) -> bool {
        let node = spot.node.expect("in a block");
        let all = &Influence::Everything;
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let mut influence = self.nodes[node.index()].vars[place.var.index()].clone();
                let first = match place.path.first() {
                    Some(PlaceStep::Field(field)) if !influence.has(*field) => Influence::Nothing,
                    Some(_) if influence.at_all() => Influence::Everything,
                    _ => std::mem::take(&mut influence),
                };
                if !assignment_is_total(spot.site, place, value) {
                    self.var(node, place.var, all);
                    self.require(spot, value, all);
                } else if !first.at_all() {
                    return false;
                } else {
                    self.require(spot, value, &first);
                }
                for step in &place.path {
                    if let PlaceStep::Index(_, index) = step {
                        self.require(spot, index, all);
                    }
                }
            }
            StmtKind::Let(local, value) => {
                let key = (spot.block, *local);
                let locals = &self.nodes[node.index()].locals;
                let influence = locals.get(&key).cloned().unwrap_or_default();
                if !is_total(spot.site, value) {
                    self.require(spot, value, all);
                } else if !influence.at_all() {
                    return false;
                } else {
                    self.require(spot, value, &influence);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                let inside = self.visit(spot, then) | self.visit(spot, otherwise);
                if !inside && is_total(spot.site, condition) {
                    return false;
                }
                self.require(spot, condition, all);
            }
            StmtKind::For(local, domain, body) => {
                let inside = self.visit(spot, body);
                if !inside && is_total(spot.site, domain) {
                    return false;
                }
                self.local(spot, *local, all);
                self.require(spot, domain, all);
            }
            StmtKind::Choose(_, e) | StmtKind::Assert(e) => self.require(spot, e, all),
            StmtKind::Send(message, to) => {
                let Some(influence) = self.send_influence(spot, message, to) else {
                    return false;
                };
                self.require(spot, to, all);
                self.require(spot, message, &influence);
            }
            StmtKind::SetTimer(_, other, from, to) => {
                let times = from.terms.iter().chain(&to.terms).map(|(e, _)| e);
                other
                    .iter()
                    .chain(times)
                    .for_each(|e| self.require(spot, e, all));
            }
            StmtKind::CancelTimer(_, other) => {
                other.iter().for_each(|e| self.require(spot, e, all))
            }
            StmtKind::ClearInbox => {
                return self.nodes[node.index()].inbox.iter().any(Influence::at_all);
            }
            StmtKind::Halt => {}
        }
        true
    }

    /// The influence of a message that is sent; `None` if the `send` can be removed.
    fn send_influence(&self, spot: &Spot<'_, 'm>, message: &Expr, to: &Expr) -> Option<Influence> {
        let sure = is_total(spot.site, message);
        let reaches = matches!(to.bare(), Expr::Neighbours(_));
        let can_send = spot.node.is_none_or(|node| self.can_send(node));
        match spot.site.type_of(message) {
            _ if sure && reaches && !can_send => None,
            Some(Type::Record(record)) if sure => Some(self.message_influence(record)),
            _ => Some(Influence::Everything),
        }
    }

    fn node_cone(&mut self, node: NodeId) -> NodeCone {
        let kind = self.machine.kind_of(node);
        let vars = self.machine.vars.iter().enumerate();
        let vars = vars.filter(|(_, var)| var.kind == kind);
        let vars = vars.map(|(v, _)| self.nodes[node.index()].vars[v].clone());
        let vars = vars.collect();
        let inbox = self.nodes[node.index()].inbox.clone();
        let blocks = self.blocks(node).into_iter();
        let code = blocks.map(|(b, site)| {
            let spot = Spot {
                node: Some(node),
                block: b,
                site: &site,
            };
            let body = &self.machine.blocks[b].body;
            let left = Stmt::retain(body, &mut |s| self.stays(&spot, s));
            let left = left
                .iter()
                .map(|s| self.with_relevant_fields(&spot, s))
                .collect();
            (BlockId(b as u32), left)
        });
        NodeCone {
            code: code.collect(),
            vars,
            inbox,
        }
    }

    /// The statement in which the fields outside the cone of each constructed record are replaced by constants.
    fn with_relevant_fields(&self, spot: &Spot<'_, 'm>, statement: &Stmt) -> Stmt {
        let node = spot.node.expect("in a block");
        let inside = |body: &[Stmt]| {
            body.iter()
                .map(|s| self.with_relevant_fields(spot, s))
                .collect()
        };
        let kind = match &statement.kind {
            StmtKind::Assign(place, value) if place.path.is_empty() => {
                let influence = &self.nodes[node.index()].vars[place.var.index()];
                StmtKind::Assign(place.clone(), self.record(value, influence))
            }
            StmtKind::Send(message, to) => {
                let influence = self.send_influence(spot, message, to).unwrap_or_default();
                StmtKind::Send(self.record(message, &influence), to.clone())
            }
            StmtKind::If(condition, then, otherwise) => {
                StmtKind::If(condition.clone(), inside(then), inside(otherwise))
            }
            StmtKind::For(local, domain, body) => {
                StmtKind::For(*local, domain.clone(), inside(body))
            }
            other => other.clone(),
        };
        Stmt {
            origin: statement.origin,
            kind,
        }
    }

    /// The expression; if it constructs a record, with constants in the fields outside the cone.
    fn record(&self, expr: &Expr, influence: &Influence) -> Expr {
        let Expr::Record(record, items) = expr.bare() else {
            return expr.clone();
        };
        let fields = &self.machine.records[record.index()].fields;
        let items = items.iter().zip(fields).enumerate();
        let items = items.map(|(f, (item, (_, ty)))| match influence.has(f as u32) {
            true => item.clone(),
            false => default_value(self.machine, ty).unwrap_or_else(|| item.clone()),
        });
        Expr::Record(*record, items.collect())
    }
}

/// An expression for the first value of a type; `None` if the type is empty or no constant expression has it.
fn default_value(machine: &Machine, ty: &Type) -> Option<Expr> {
    Some(match ty {
        Type::Bool => Expr::Const(Value::Bool(false)),
        Type::Int(lo, hi) => (lo <= hi).then(|| Expr::int(*lo))?,
        Type::Id => (machine.ids > 0).then_some(Expr::Const(Value::Id(1)))?,
        Type::Node => Expr::Const(Value::Node(machine.nodes().next()?)),
        Type::Enum(e) => {
            let some = !machine.enums[e.index()].values.is_empty();
            some.then_some(Expr::Const(Value::Enum(*e, 0)))?
        }
        Type::Record(r) => {
            let fields = machine.records[r.index()].fields.iter();
            let items = fields.map(|(_, ty)| default_value(machine, ty));
            Expr::Record(*r, items.collect::<Option<_>>()?)
        }
        Type::Counter(_) | Type::OneOf(_) => return None, // no constant expression has such a type
        Type::Option(inner) => Expr::None((**inner).clone()),
        Type::Set(inner) => Expr::Set((**inner).clone(), Vec::new()),
        Type::Array(index, inner) => {
            Expr::Fill((**index).clone(), Box::new(default_value(machine, inner)?))
        }
    })
}
