//! Removal of fields of messages and stored records whose values no condition and no remaining code distinguishes.
//!
//! *What.* Such a field gets a type with the single value 0. The map sets the field to 0 in every value of a state.
//! Entries of an inbox that become equal are merged, unless the inbox keeps copies.
//!
//! *When.* No code and no condition reads the field, except to compute fields that are also removed. A value that is
//! stored in the field or assigned to it is always of its type, so no error is removed. Records with the field are
//! constructed, sent, stored, combined and taken apart, but neither compared nor searched for in sets. Sets of such
//! records are only united, filtered and traversed by quantifiers that satisfy two conditions:
//! - Merged elements make no difference. This holds for all, exists, max, min, union and intersect. It also holds for
//!   count and sum over an inbox that keeps copies, or one message per sender and type, because then no entries are
//!   merged.
//! - The order of elements, which the removal can change, makes no difference. Bodies and conditions must be total, so
//!   it does not matter which element comes first. `for`, `choose`, `largest` and `the` are excluded.
//!
//! Fields of messages in bags are not removed, because equal messages in a bag are one event and one fairness
//! obligation. Fields in array indices and in frozen variables are not removed either.
//!
//! *Why it is exact.* By these conditions the value of every remaining expression in the image of a state is the image
//! of its value in the state, and the same value if the field does not occur in it. So guards, branches, receivers,
//! picks and errors are the same, and each statement leads to the image of the state to which it led. Receiving a
//! message commutes with the map: it adds a copy, adds an element, or replaces the latest message of a sender and type.
//! The head of a queue is mapped to the head of its image. So events, blocks, queues and lossy queues have the same
//! fairness obligations.
//!
//! The possible initial contents of inboxes are the images of those of the original. A message is constructed from any
//! values of the types of its parts, and the map takes the values of a type onto all values of its image. Different
//! unknown parts of a message stay different. An inbox among these parts is any set of messages, so the value of a
//! message that is sent must not depend on the number of elements of an inbox. A variable of a node that is off has the
//! first of its initial values. The map preserves which value is the first, except if a set expression lists the
//! initial values; fields in such variables are kept. Which message types enter an inbox depends on whether code reads
//! the inbox; the pass checks that this stays the same.

use crate::analysis::sites::{Site, conditions, guard, rewrite, same_inboxes};
use crate::analysis::totality::{is_total, is_total_of_type};
use crate::defects::{Defect, broken};
use crate::reduce::Removed;
use crate::reduce::lift::{Map, Shrunk};
use machine::{
    BinaryOp, Block, Channel, Choice, Event, Expr, InboxStart, Init, Instance, Machine, NodeId,
    Outgoing, Place, PlaceStep, Quantifier, RecordId, State, Stmt, StmtKind, Type, UnaryOp, Value,
    verify,
};
use std::collections::BTreeSet;

/// The removed fields, as pairs of a record type and the index of a field.
#[derive(Clone, Debug)]
pub(crate) struct Fields(BTreeSet<(RecordId, u32)>);

/// Removes fields. Returns whether any field is removed.
pub(crate) fn pass(shrunk: &mut Shrunk) -> bool {
    let machine = &shrunk.machine;
    let fields = invisible(machine);
    if fields.0.is_empty() {
        return false;
    }
    let small = fields.without(machine);
    let same = same_inboxes(machine, &small) || broken(Defect::InboxesUnread);
    if !same || verify(&small).is_err() {
        return false;
    }
    let removed = fields.0.iter().map(|(r, f)| Removed::Field(*r, *f));
    let removed = removed.collect();
    shrunk.then(small, Map::Fields(fields), removed);
    true
}

/// The greatest set of fields that can be removed: all fields except those that are visible in remaining code or
/// conditions.
fn invisible(machine: &Machine) -> Fields {
    let mut all = BTreeSet::new();
    for (r, record) in machine.records.iter().enumerate() {
        for (f, (_, ty)) in record.fields.iter().enumerate() {
            if machine.cardinality(ty) > 1 {
                all.insert((RecordId(r as u32), f as u32));
            }
        }
    }
    let mut analysis = VisibilityAnalysis {
        machine,
        hidden: all,
        sent: false,
    };
    while !analysis.hidden.is_empty() {
        let before = analysis.hidden.len();
        analysis.visit_declarations();
        for block in &machine.blocks {
            let site = Site::block(machine, block);
            if let Some(guard) = guard(block) {
                analysis.expr(&site, guard);
            }
            analysis.statements(&site, &block.body);
        }
        conditions(machine, &mut |site, condition| {
            // A condition may also be the domain of a quantifier around temporal operators, which is traversed in
            // order.
            analysis.mark_ordered(site, condition);
            analysis.expr(site, condition);
        });
        if analysis.hidden.len() == before {
            break;
        }
    }
    Fields(analysis.hidden)
}

/// A traversal of a Machine that removes the visible fields from the set `hidden`.
struct VisibilityAnalysis<'m> {
    machine: &'m Machine,
    hidden: BTreeSet<(RecordId, u32)>,
    /// Whether the traversal is inside a message that is sent and may be an initial message.
    sent: bool,
}

impl<'m> VisibilityAnalysis<'m> {
    /// The hidden fields of all records inside values of a type.
    fn hidden_in(&self, ty: &Type) -> BTreeSet<(RecordId, u32)> {
        match ty {
            Type::Record(r) => {
                let fields = &self.machine.records[r.index()].fields;
                let inside = fields.iter().flat_map(|(_, ty)| self.hidden_in(ty));
                let own = self.hidden.iter().filter(|(record, _)| record == r);
                inside.chain(own.copied()).collect()
            }
            Type::OneOf(records) => {
                let types = records.iter().map(|r| Type::Record(*r));
                types.flat_map(|ty| self.hidden_in(&ty)).collect()
            }
            Type::Option(inner) | Type::Set(inner) => self.hidden_in(inner),
            Type::Array(index, inner) => &self.hidden_in(index) | &self.hidden_in(inner),
            Type::Bool
            | Type::Int(..)
            | Type::Counter(_)
            | Type::Id
            | Type::Node
            | Type::Enum(_) => BTreeSet::new(),
        }
    }

    /// Whether values of an expression may contain hidden fields.
    fn hides(&self, site: &Site<'_>, expr: &Expr) -> bool {
        let ty = site.type_of(expr);
        ty.is_none_or(|ty| !self.hidden_in(&ty).is_empty())
    }

    /// Removes all fields of records inside a type from the hidden fields.
    fn mark_visible(&mut self, ty: &Type) {
        for field in self.hidden_in(ty) {
            self.hidden.remove(&field);
        }
    }

    fn mark_type_visible(&mut self, site: &Site<'_>, expr: &Expr, unless: Defect) {
        if broken(unless) {
            return;
        }
        match site.type_of(expr) {
            Some(ty) => self.mark_visible(&ty),
            None => self.hidden.clear(),
        }
    }

    fn mark_ordered(&mut self, site: &Site<'_>, set: &Expr) {
        self.mark_type_visible(site, set, Defect::FieldsInOrder);
    }

    /// Visits all declarations: channel, types, frozen variables, and initial values of variables.
    fn visit_declarations(&mut self) {
        let machine = self.machine;
        if machine.channel == Channel::Unordered && !broken(Defect::FieldsInBags) {
            for (r, record) in machine.records.iter().enumerate() {
                if record.message {
                    self.mark_visible(&Type::Record(RecordId(r as u32)));
                }
            }
        }
        for frozen in &machine.frozen_vars {
            if !broken(Defect::FieldsOfFrozen) {
                self.mark_visible(&frozen.ty);
            }
        }
        let fields = machine.records.iter().flat_map(|r| &r.fields);
        fields.for_each(|(_, ty)| self.keys(ty));
        let scopes = machine.blocks.iter().map(|b| &b.scope);
        let scopes = scopes.chain(machine.properties.iter().map(|p| &p.scope));
        let scopes = scopes.chain(machine.initially.iter().map(|p| &p.scope));
        for local in scopes.flat_map(|s| &s.locals) {
            self.keys(&local.ty);
        }
        for var in &machine.vars {
            self.keys(&var.ty);
            match &var.init {
                Init::Any => {}
                Init::AnyIn(scope, set) => {
                    if !broken(Defect::FieldsOfFirst) {
                        self.mark_visible(&var.ty);
                    }
                    self.expr(&Site::initial(machine, scope, var.kind), set);
                }
                Init::Value(scope, value) => {
                    self.expr(&Site::initial(machine, scope, var.kind), value);
                }
            }
        }
    }

    /// Makes all fields in array indices of a type visible.
    fn keys(&mut self, ty: &Type) {
        match ty {
            Type::Array(index, inner) => {
                if !broken(Defect::FieldsInKeys) {
                    self.mark_visible(index);
                }
                self.keys(inner);
            }
            Type::Option(inner) | Type::Set(inner) => self.keys(inner),
            _ => {}
        }
    }

    fn statements(&mut self, site: &Site<'m>, statements: &'m [Stmt]) {
        for statement in statements {
            self.statement(site, statement);
        }
    }

    fn statement(&mut self, site: &Site<'m>, statement: &'m Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, value) => self.assignment(site, place, value),
            StmtKind::If(condition, then, otherwise) => {
                self.expr(site, condition);
                self.statements(site, then);
                self.statements(site, otherwise);
            }
            StmtKind::For(_, domain, body) => {
                self.mark_ordered(site, domain);
                self.expr(site, domain);
                self.statements(site, body);
            }
            StmtKind::Choose(_, set) => {
                self.mark_ordered(site, set);
                self.expr(site, set);
            }
            StmtKind::Send(message, to) => {
                self.sent = self.machine.inbox.start != InboxStart::Empty;
                match self.sent && !broken(Defect::FieldsGuessed) {
                    true => self.expr(&site.guessed(), message),
                    false => self.expr(site, message),
                }
                self.sent = false;
                self.expr(site, to);
            }
            StmtKind::Let(_, e) | StmtKind::Assert(e) => self.expr(site, e),
            StmtKind::SetTimer(_, other, from, to) => {
                let times = from.terms.iter().chain(&to.terms).map(|(e, _)| e);
                other.iter().chain(times).for_each(|e| self.expr(site, e));
            }
            StmtKind::CancelTimer(_, other) => other.iter().for_each(|e| self.expr(site, e)),
            StmtKind::ClearInbox | StmtKind::Halt => {}
        }
    }

    fn assignment(&mut self, site: &Site<'m>, place: &'m Place, value: &'m Expr) {
        let indices = place.path.iter().filter_map(|step| match step {
            PlaceStep::Index(ty, index) => Some((ty, index)),
            PlaceStep::Field(_) | PlaceStep::Unwrap => None,
        });
        let unwraps = place.path.contains(&PlaceStep::Unwrap);
        let (fields, ty) = fields_on_path(self.machine, place);
        if let Some(field) = fields.iter().find(|field| self.hidden.contains(field)) {
            let mut indices = indices;
            let can_go = !unwraps
                && is_total_of_type(site, value, &ty)
                && indices.all(|(ty, index)| is_total_of_type(site, index, ty));
            if can_go {
                return;
            }
            self.hidden.remove(field);
        }
        let indices = place.path.iter().filter_map(|step| match step {
            PlaceStep::Index(_, index) => Some(index),
            PlaceStep::Field(_) | PlaceStep::Unwrap => None,
        });
        for index in indices {
            self.expr(site, index);
        }
        self.expr(site, value);
    }

    fn expr(&mut self, site: &Site<'_>, expr: &Expr) {
        match expr {
            Expr::Record(record, items) => {
                let fields = &self.machine.records[record.index()].fields;
                for (f, (item, (_, ty))) in items.iter().zip(fields).enumerate() {
                    let field = (*record, f as u32);
                    if self.hidden.contains(&field) {
                        if is_total_of_type(site, item, ty) {
                            continue;
                        }
                        self.hidden.remove(&field);
                    }
                    self.expr(site, item);
                }
                return;
            }
            Expr::Field(base, field) => match site.type_of(base) {
                _ if broken(Defect::FieldsRead) => {}
                Some(Type::Record(record)) => drop(self.hidden.remove(&(record, *field))),
                _ => self.hidden.clear(),
            },
            Expr::Values(ty) => self.mark_visible(&ty.clone()),
            Expr::Unary(UnaryOp::Size, set) => {
                self.mark_type_visible(site, set, Defect::FieldsCounted)
            }
            Expr::Binary(op, a, b) => {
                let none = |e: &Expr| matches!(e.bare(), Expr::None(_));
                let is_there = matches!(op, BinaryOp::Eq | BinaryOp::Ne) && (none(a) || none(b));
                if *op != BinaryOp::Union && !is_there {
                    self.mark_type_visible(site, a, Defect::FieldsCompared);
                    self.mark_type_visible(site, b, Defect::FieldsCompared);
                }
            }
            Expr::Filter(_, set, condition)
                if self.hides(site, set) && !is_total(site, condition) =>
            {
                self.mark_ordered(site, set);
            }
            Expr::Quantified(quantifier, _, set, body) if self.hides(site, set) => {
                self.quantified(site, expr, *quantifier, (set, body));
            }
            Expr::Extremum(_, _, set, _) => self.mark_ordered(site, set),
            Expr::Within(ty, _) => self.keys(ty),
            // A `let` in an initial message may distinguish its parts.
            Expr::Let(_, value, _) if self.sent => value.walk(&mut |part| {
                self.mark_type_visible(site, part, Defect::FieldsGuessed);
            }),
            // Parts of an initial message that belong to different nodes must stay different.
            Expr::Var(_, node) | Expr::Inbox(_, node) | Expr::Senders(_, node) if self.sent => {
                node.walk(&mut |part| {
                    if let Expr::Record(record, _) = part {
                        self.mark_visible(&Type::Record(*record));
                    }
                });
            }
            _ => {}
        }
        for part in expr.children() {
            self.expr(site, part);
        }
    }

    /// Visits a quantifier over a set whose elements have hidden fields. `whole` is the quantified expression.
    fn quantified(
        &mut self,
        site: &Site<'_>,
        whole: &Expr,
        quantifier: Quantifier,
        (set, body): (&Expr, &Expr),
    ) {
        let inbox = self.machine.inbox;
        match quantifier {
            Quantifier::The => self.mark_ordered(site, set),
            Quantifier::Count | Quantifier::Sum => {
                let entries = matches!(set.bare(), Expr::Inbox(..));
                if !entries || !(inbox.copies || inbox.latest) {
                    self.mark_type_visible(site, set, Defect::FieldsCounted);
                }
                if self.sent {
                    self.mark_type_visible(site, set, Defect::FieldsGuessed);
                }
                if !is_total(site, whole) {
                    self.mark_ordered(site, set);
                }
            }
            _ => {
                if !is_total(site, body) {
                    self.mark_ordered(site, set);
                }
                if quantifier == Quantifier::Intersect {
                    self.mark_type_visible(site, body, Defect::FieldsCompared);
                }
            }
        }
    }
}

/// The fields along the path of a place, and the type of the place.
fn fields_on_path(machine: &Machine, place: &Place) -> (Vec<(RecordId, u32)>, Type) {
    let mut fields = Vec::new();
    let mut ty = &machine.vars[place.var.index()].ty;
    for step in &place.path {
        match (step, ty) {
            (PlaceStep::Field(field), Type::Record(record)) => {
                fields.push((*record, *field));
                ty = &machine.records[record.index()].fields[*field as usize].1;
            }
            (PlaceStep::Index(..), Type::Array(_, inner))
            | (PlaceStep::Unwrap, Type::Option(inner)) => ty = inner,
            (step, ty) => unreachable!("verified to have the part {step:?}: {ty:?}"),
        }
    }
    (fields, ty.clone())
}

impl Fields {
    /// The Machine with the fields removed.
    fn without(&self, machine: &Machine) -> Machine {
        let mut code = |block: &Block| {
            Stmt::retain(&block.body, &mut |s| match &s.kind {
                StmtKind::Assign(place, _) => {
                    let (fields, _) = fields_on_path(machine, place);
                    fields.iter().all(|field| !self.0.contains(field))
                }
                _ => true,
            })
        };
        let mut small = rewrite(machine, &mut |e| self.expr(e), &mut code);
        for (record, field) in &self.0 {
            small.records[record.index()].fields[*field as usize].1 = Type::Int(0, 0);
        }
        small
    }

    fn expr(&self, expr: &Expr) -> Expr {
        expr.rebuild(&mut |e| match e {
            Expr::Record(record, items) => {
                let fields = items.iter().enumerate();
                let items = fields.map(|(f, item)| match self.0.contains(&(*record, f as u32)) {
                    true => Expr::int(0),
                    false => self.expr(item),
                });
                Some(Expr::Record(*record, items.collect()))
            }
            _ => None,
        })
    }

    /// The image of a value: removed fields are 0.
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Record(record, values) => {
                let fields = values.iter().enumerate();
                let values = fields.map(|(f, value)| match self.0.contains(&(*record, f as u32)) {
                    true => Value::Int(0),
                    false => self.value(value),
                });
                Value::Record(*record, values.collect())
            }
            Value::Some(value) => Value::some(self.value(value)),
            Value::Set(values) => Value::Set(values.iter().map(|v| self.value(v)).collect()),
            Value::Array(values) => Value::Array(values.iter().map(|v| self.value(v)).collect()),
            other => other.clone(),
        }
    }

    /// The image of a state.
    pub(crate) fn state(&self, machine: &Machine, state: &State) -> State {
        let mut image = state.clone();
        for node in &mut image.nodes {
            node.vars = node.vars.iter().map(|v| self.value(v)).collect();
            for Outgoing { message, .. } in &mut node.outbox {
                *message = self.value(message);
            }
            let entries = node.inbox.iter();
            node.inbox = entries.map(|(from, m)| (*from, self.value(m))).collect();
            node.inbox.sort();
            if !machine.inbox.copies {
                node.inbox.dedup();
            }
        }
        for edge in &mut image.edges {
            *edge = edge.iter().map(|m| self.value(m)).collect();
        }
        image
    }

    /// An initial state whose image is `small`; `None` if none is found.
    pub(crate) fn initial(&self, instance: Instance<'_>, small: &State) -> Option<State> {
        let mut inboxes = Vec::new();
        for to in instance.machine.nodes() {
            for (from, image) in &small.nodes[to.index()].inbox {
                inboxes.push((to, *from, self.sendable(instance, (*from, to), image)?));
            }
        }
        let mut wanted = |node: NodeId, place: usize, value: &Value| {
            self.value(value) == small.nodes[node.index()].vars[place]
        };
        let found = instance.initial_state_with(&mut wanted, inboxes);
        found.ok().flatten()
    }

    /// A message with the given image that the first node of `way` could send to the second; `None` if none is found.
    fn sendable(
        &self,
        instance: Instance<'_>,
        way: (NodeId, NodeId),
        image: &Value,
    ) -> Option<Value> {
        let Value::Record(record, values) = image else {
            return None;
        };
        // A field that is kept has the same value in the image, unless it contains records, whose fields may be
        // removed. In that case its value is left open.
        let known = values.iter().enumerate().map(|(f, value)| {
            let kept = !self.0.contains(&(*record, f as u32)) && !holds_records(value);
            kept.then(|| value.clone())
        });
        let known: Vec<Option<Value>> = known.collect();
        instance.sendable_with(way, *record, &known, &|message| {
            self.value(message) == *image
        })
    }

    /// The choice in `state` whose image is `small`; `None` if there is none.
    pub(crate) fn choice(&self, state: &State, small: &Choice) -> Option<Choice> {
        Some(Choice {
            event: self.event(state, &small.event)?,
            ..small.clone()
        })
    }

    /// The event in `state` whose image is `small`; `None` if there is none.
    fn event(&self, state: &State, small: &Event) -> Option<Event> {
        Some(match small {
            Event::Deliver(edge, image, outcome) => {
                let mut messages = state.edges[edge.index()].iter();
                let message = messages.find(|m| self.value(m) == *image)?;
                Event::Deliver(*edge, message.clone(), *outcome)
            }
            Event::CrashDuring(runtime_fault, instead_of) => {
                Event::CrashDuring(*runtime_fault, Box::new(self.event(state, instead_of)?))
            }
            other => other.clone(),
        })
    }
}

/// Whether a value contains a record.
fn holds_records(value: &Value) -> bool {
    match value {
        Value::Record(..) => true,
        Value::Some(inner) => holds_records(inner),
        Value::Set(values) => values.iter().any(holds_records),
        Value::Array(values) => values.iter().any(holds_records),
        _ => false,
    }
}
