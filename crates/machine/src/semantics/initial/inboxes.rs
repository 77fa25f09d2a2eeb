//! Initial contents of inboxes, and which messages the code of a node can send.

use crate::{
    Expr, InboxStart, Instance, LocalId, Mode, NodeId, RecordId, Scope, StmtKind, Type, Typing,
    Value,
};
use std::collections::BTreeSet;

/// The messages of one `send` statement.
#[derive(Clone)]
struct Sent<'a> {
    values: BTreeSet<Value>,
    scope: &'a Scope,
    receivers: &'a Expr,
}

impl Instance<'_> {
    /// The possible initial contents of inboxes: receiver, sender, and the list of possible values. A value is
    /// `Value::None` or a message.
    pub(crate) fn initial_inboxes(&self) -> Vec<(NodeId, NodeId, Vec<Value>)> {
        let machine = self.machine;
        if machine.inbox.start == InboxStart::Empty {
            return vec![];
        }
        let mut columns = Vec::new();
        let mut sendable: Vec<Option<Vec<Sent<'_>>>> = vec![None; machine.node_count() as usize];
        for to in machine.nodes().filter(|to| self.frozen.can_receive(*to)) {
            let senders = machine.edges.iter().filter(|edge| edge.1 == to);
            for from in senders.map(|edge| edge.0) {
                let anything = machine.inbox.start == InboxStart::Anything;
                if !anything && !self.frozen.can_send(from) {
                    continue;
                }
                let sent = sendable[from.index()].get_or_insert_with(|| self.sendable(from));
                let sent = sent
                    .iter()
                    .filter(|sent| self.may_address(from, sent.scope, sent.receivers, to));
                let sent: BTreeSet<&Value> = sent.flat_map(|sent| &sent.values).collect();
                let taken = { sent.into_iter() }
                    .filter(|m| machine.enters_inbox(machine.kind_of(to), m.record()));
                let mut values: Vec<Value> = taken.cloned().map(Value::some).collect();
                if values.is_empty() {
                    continue;
                }
                if anything {
                    values.insert(0, Value::None);
                }
                columns.push((to, from, values));
            }
        }
        columns
    }

    /// Whether the inboxes, indexed by node, are possible initial contents.
    pub(crate) fn are_initial_inboxes(&self, inboxes: &[&[(NodeId, Value)]]) -> bool {
        let machine = self.machine;
        let start = machine.inbox.start;
        machine.nodes().zip(inboxes).all(|(to, inbox)| {
            let expected = |from: NodeId| {
                let sends = start == InboxStart::Anything || self.frozen.can_send(from);
                let receives = start != InboxStart::Empty && self.frozen.can_receive(to);
                sends && receives && machine.edge(from, to).is_some()
            };
            let enters = |m: &Value| machine.enters_inbox(machine.kind_of(to), m.record());
            let possible = |(from, message): &(NodeId, Value)| {
                expected(*from) && enters(message) && self.is_sendable((*from, to), message)
            };
            machine.nodes().all(|from| {
                let mut found = inbox.iter().filter(|(sender, _)| *sender == from);
                match (found.next(), found.next()) {
                    (Some(one), None) => possible(one),
                    (Some(_), Some(_)) => false,
                    (None, _) => {
                        start != InboxStart::OneFromEach
                            || !expected(from)
                            || !self.sendable(from).iter().any(|sent| {
                                self.may_address(from, sent.scope, sent.receivers, to)
                                    && sent.values.iter().any(enters)
                            })
                    }
                }
            })
        })
    }

    /// By `send` statement: all messages that it could send if variables, inbox and locals had any values of their
    /// types. The frozen variables have the values of the instance.
    fn sendable(&self, node: NodeId) -> Vec<Sent<'_>> {
        let sends = self.sends(node).into_iter();
        let sent = sends.map(|(scope, message, receivers)| {
            let mut values = BTreeSet::new();
            self.values_given(node, scope, message, Vec::new(), &mut values);
            Sent {
                values,
                scope,
                receivers,
            }
        });
        sent.collect()
    }

    /// The `send` statements in the code of a node: the scope, the message and the receivers of each.
    fn sends(&self, node: NodeId) -> Vec<(&Scope, &Expr, &Expr)> {
        let kind = self.machine.kind_of(node);
        let mut found = Vec::new();
        for block in self.machine.blocks.iter().filter(|b| b.kind == kind) {
            for statement in &block.body {
                statement.walk(&mut |s| {
                    if let StmtKind::Send(message, receivers) = &s.kind {
                        found.push((&block.scope, message, receivers));
                    }
                });
            }
        }
        found
    }

    /// Whether `to` may be a receiver of a `send` in the code of `from`. True unless the receivers are fixed and `to`
    /// is not among them. Receivers are fixed if they depend only on the instance: `next`, `neighbours`, a kind, a
    /// constant. If the evaluation of fixed receivers is an error, there are no receivers.
    fn may_address(&self, from: NodeId, scope: &Scope, receivers: &Expr, to: NodeId) -> bool {
        if !self.are_fixed(scope, receivers) {
            return true;
        }
        let here = [(LocalId(0), Value::Node(from))];
        match self.value_given(&self.blank(), receivers, &here, Vec::new()) {
            Ok(Value::Node(node)) => node == to,
            Ok(Value::Set(nodes)) => nodes.contains(&Value::Node(to)),
            Ok(_) => true,
            Err(_) => false,
        }
    }

    /// Whether an expression in the code of a node depends only on the instance: it reads no state, and no local other
    /// than the executing node and those that it binds itself.
    pub fn are_fixed(&self, scope: &Scope, receivers: &Expr) -> bool {
        let mut reads = false;
        receivers.walk(&mut |e| reads |= e.reads_state());
        !reads && self.unknowns(scope, receivers).is_empty()
    }

    /// Number of evaluations in [`Instance::sendable`] for one node of each kind, summed; saturating.
    pub(crate) fn sendable_bound(&self) -> u128 {
        if self.machine.inbox.start == InboxStart::Empty {
            return 0;
        }
        let mut sum: u128 = 0;
        for block in &self.machine.blocks {
            for statement in &block.body {
                statement.walk(&mut |s| {
                    if let StmtKind::Send(message, _) = &s.kind {
                        let unknowns = self.unknowns(&block.scope, message);
                        let counts = unknowns.iter().map(|(_, ty)| self.machine.cardinality(ty));
                        sum = sum.saturating_add(counts.fold(1, u128::saturating_mul));
                    }
                });
            }
        }
        sum
    }

    /// Whether the code of `from` could send a message to `to` if its variables, inbox and locals had any values of
    /// their types. Only the values that the message does not determine are enumerated.
    fn is_sendable(&self, (from, to): (NodeId, NodeId), message: &Value) -> bool {
        self.sends(from)
            .into_iter()
            .any(|(scope, sent, receivers)| {
                let mut known = Vec::new();
                let mut values = BTreeSet::new();
                self.may_address(from, scope, receivers, to)
                    && self.match_value(scope, sent, message, &mut known)
                    && {
                        self.values_given(from, scope, sent, known, &mut values);
                        values.contains(message)
                    }
            })
    }

    /// The least message that `accept` accepts and that the code of `from` could send to `to` if its variables, inbox
    /// and locals had any values of their types. A `send` is skipped if it constructs a record of another type than
    /// `record`, or if a field cannot have the value that `fields` gives for it.
    pub fn sendable_with(
        &self,
        (from, to): (NodeId, NodeId),
        record: RecordId,
        fields: &[Option<Value>],
        accept: &dyn Fn(&Value) -> bool,
    ) -> Option<Value> {
        let mut values = BTreeSet::new();
        for (scope, sent, receivers) in self.sends(from) {
            let mut known = Vec::new();
            let can_be = match sent.bare() {
                Expr::Record(wanted, parts) => {
                    let mut both = parts.iter().zip(fields);
                    *wanted == record
                        && both.all(|(part, field)| match field {
                            Some(value) => self.match_value(scope, part, value, &mut known),
                            None => true,
                        })
                }
                _ => true,
            };
            if can_be && self.may_address(from, scope, receivers, to) {
                self.values_given(from, scope, sent, known, &mut values);
            }
        }
        values.into_iter().find(|value| accept(value))
    }

    /// Matches an expression with a value. Adds to `known` the values of variables, inboxes and locals that are the
    /// expression or arguments of its record constructors. Returns false if the expression cannot have the value.
    fn match_value(
        &self,
        scope: &Scope,
        expr: &Expr,
        value: &Value,
        known: &mut Vec<(Expr, Value)>,
    ) -> bool {
        match (expr, value) {
            (Expr::At(_, inner), _) => self.match_value(scope, inner, value, known),
            (Expr::Record(wanted, parts), Value::Record(record, values)) => {
                let mut both = parts.iter().zip(values);
                wanted == record && both.all(|(e, v)| self.match_value(scope, e, v, known))
            }
            (Expr::Var(..) | Expr::Inbox(..) | Expr::Senders(..) | Expr::Local(_), _) => {
                let ty = Typing::all_bound(self.machine, scope).type_of(expr);
                let open = *expr != Expr::Local(LocalId(0));
                if open && ty.is_ok_and(|ty| self.machine.is_of(value, &ty)) {
                    let other = known.iter().find(|(part, _)| part == expr);
                    let same = other.is_none_or(|(_, v)| v == value);
                    known.push((expr.clone(), value.clone()));
                    return same;
                }
                !open
            }
            _ => true,
        }
    }

    /// The subexpressions whose values are not known statically, with their types: variables, inboxes, senders, and
    /// free locals other than the executing node.
    pub fn unknowns(&self, scope: &Scope, expr: &Expr) -> Vec<(Expr, Type)> {
        let bound = bound_inside(expr);
        let mut unknowns: Vec<(Expr, Type)> = Vec::new();
        let mut typing = Typing::all_bound(self.machine, scope);
        expr.walk(&mut |e| {
            let open = match e {
                Expr::Var(..) | Expr::Inbox(..) | Expr::Senders(..) => true,
                Expr::Local(local) => *local != LocalId(0) && !bound.contains(local),
                _ => false,
            };
            if open
                && !unknowns.iter().any(|(other, _)| other == e)
                && let Ok(ty) = typing.type_of(e)
            {
                unknowns.push((e.clone(), ty));
            }
        });
        unknowns
    }

    /// Adds to `found` all values that an expression in a node's code can take. The subexpressions in `known` have the
    /// given values; all other variables, inboxes and locals take every value of their types.
    fn values_given(
        &self,
        node: NodeId,
        scope: &Scope,
        expr: &Expr,
        known: Vec<(Expr, Value)>,
        found: &mut BTreeSet<Value>,
    ) {
        let machine = self.machine;
        let mut unknowns = self.unknowns(scope, expr);
        unknowns.retain(|(part, _)| !known.iter().any(|(other, _)| other == part));
        let counts = unknowns.iter().map(|(_, ty)| machine.cardinality(ty));
        let all = counts.fold(1, u128::saturating_mul);
        let mut state = self.blank();
        state.nodes[node.index()].mode = Mode::Running;
        // The values are computed one by one, because lists of them may not fit into memory.
        for number in 0..all {
            cancellation::poll();
            let types = unknowns.iter().map(|(_, ty)| ty);
            let Some(values) = machine.nth_tuple(types, number) else {
                return;
            };
            let parts = unknowns.iter().map(|(e, _)| e.clone());
            let known = known.iter().cloned().chain(parts.zip(values)).collect();
            let here = [(LocalId(0), Value::Node(node))];
            // Values for which the evaluation is an error contribute no message.
            if let Ok(value) = self.value_given(&state, expr, &here, known) {
                found.insert(value);
            }
        }
    }
}

/// The locals that an expression binds inside itself.
fn bound_inside(expr: &Expr) -> Vec<LocalId> {
    let mut bound = Vec::new();
    expr.walk(&mut |e| {
        if let Expr::Let(local, ..)
        | Expr::Filter(local, ..)
        | Expr::Quantified(_, local, ..)
        | Expr::Extremum(_, local, ..) = e
        {
            bound.push(*local);
        }
    });
    bound
}
