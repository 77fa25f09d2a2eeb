//! Visibility: which events of a node can change the value of a property.
//!
//! Every condition and premise of a property is decomposed into *literals* that read one node each: at Boolean
//! operators, and at quantifiers over sets that do not depend on the state. The values of its literals determine the
//! value of a condition, and whether it has one. A subexpression that reads several nodes, or channels, is not
//! decomposed: everything that it reads is *watched*.
//!
//! `quiescent` is treated as reading nothing; `stubborn_sets.rs` explains why.

use crate::por::commuting_updates::CommutingClasses;
use crate::program::compile::Compiler;
use crate::program::condition::{Condition, elements};
use crate::program::expression::Context;
use machine::{
    BinaryOp, EdgeId, Expr, Formula, LocalId, NodeId, PropertyKind, Quantifier, RecordId, Scope,
    UnaryOp,
};
use std::collections::BTreeSet;

type Bound = Vec<(LocalId, i64)>;

/// What the properties read.
pub(crate) struct Visibility {
    /// By node: literals that read only this node, with the values of quantified names.
    literals: Vec<Vec<(Condition, Bound)>>,
    /// By slot: whether a subexpression that is not decomposed reads it.
    watched_slots: Vec<bool>,
    /// By node: whether a subexpression that is not decomposed reads its inbox.
    watched_inboxes: Vec<bool>,
    /// By slot: whether any subexpression reads it.
    seen_slots: Vec<bool>,
    /// By node: whether any subexpression reads its inbox.
    seen_inboxes: Vec<bool>,
    /// Edges and message types whose messages in flight are counted by a property.
    flights: Vec<(EdgeId, RecordId)>,
}

/// What a subexpression reads.
#[derive(Default)]
struct Reads {
    slots: BTreeSet<(NodeId, usize)>,
    inboxes: BTreeSet<NodeId>,
    flights: Vec<(EdgeId, RecordId)>,
}

impl Reads {
    fn nodes(&self) -> BTreeSet<NodeId> {
        let slots = self.slots.iter().map(|(node, _)| *node);
        slots.chain(self.inboxes.iter().copied()).collect()
    }
}

impl Visibility {
    /// Analyses the properties of a Machine. The result does not depend on the state in `context`.
    pub(crate) fn new(context: &Context<'_>) -> Result<Visibility, String> {
        let machine = context.compiled.machine;
        let nodes = machine.node_count() as usize;
        let slots = context.layout.pace().start;
        let mut visibility = Visibility {
            literals: (0..nodes).map(|_| Vec::new()).collect(),
            watched_slots: vec![false; slots],
            watched_inboxes: vec![false; nodes],
            seen_slots: vec![false; slots],
            seen_inboxes: vec![false; nodes],
            flights: Vec::new(),
        };
        for property in &machine.properties {
            let scope = &property.scope;
            match &property.kind {
                PropertyKind::Possible(condition) => {
                    visibility.look(context, scope, condition, &[])?
                }
                PropertyKind::Claim(formula) => {
                    visibility.formula(context, scope, formula, &[])?;
                    if let Some(premise) = formula.premise() {
                        visibility.look(context, scope, &premise, &[])?;
                    }
                }
            }
        }
        visibility.flights.sort_unstable();
        visibility.flights.dedup();
        Ok(visibility)
    }

    fn formula(
        &mut self,
        context: &Context<'_>,
        scope: &Scope,
        formula: &Formula,
        bound: &[(LocalId, i64)],
    ) -> Result<(), String> {
        if let Some(condition) = formula.condition() {
            return self.look(context, scope, &condition, bound);
        }
        match formula {
            Formula::State(_) => unreachable!("a condition"),
            Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
                self.formula(context, scope, a, bound)
            }
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Until(a, b)
            | Formula::LeadsTo(a, b) => {
                self.formula(context, scope, a, bound)?;
                self.formula(context, scope, b, bound)
            }
            Formula::All(local, domain, a) | Formula::Exists(local, domain, a) => {
                for element in elements(context, scope, bound, *local, domain)? {
                    let bound = [bound, &[(*local, element)]].concat();
                    self.formula(context, scope, a, &bound)?;
                }
                Ok(())
            }
        }
    }

    /// Decomposes a condition under a binding of local names.
    fn look(
        &mut self,
        context: &Context<'_>,
        scope: &Scope,
        condition: &Expr,
        bound: &[(LocalId, i64)],
    ) -> Result<(), String> {
        let reads = reads(context, scope, condition, bound)?;
        for (_, slot) in &reads.slots {
            self.seen_slots[*slot] = true;
        }
        for node in &reads.inboxes {
            self.seen_inboxes[node.index()] = true;
        }
        let nodes = reads.nodes();
        if reads.flights.is_empty() && nodes.len() <= 1 {
            if let Some(node) = nodes.first() {
                let literal = Condition::new(context.compiled.machine, scope, condition)?;
                self.literals[node.index()].push((literal, bound.to_vec()));
            }
            return Ok(());
        }
        match condition.bare() {
            Expr::Unary(UnaryOp::Not, a) => self.look(context, scope, a, bound),
            Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, a, b) => {
                self.look(context, scope, a, bound)?;
                self.look(context, scope, b, bound)
            }
            Expr::Quantified(Quantifier::All | Quantifier::Exists, local, domain, body)
                if !depends_on_state(domain) =>
            {
                for element in elements(context, scope, bound, *local, domain)? {
                    let bound = [bound, &[(*local, element)]].concat();
                    self.look(context, scope, body, &bound)?;
                }
                Ok(())
            }
            _ => {
                for (_, slot) in &reads.slots {
                    self.watched_slots[*slot] = true;
                }
                for node in &reads.inboxes {
                    self.watched_inboxes[node.index()] = true;
                }
                self.flights.extend(reads.flights);
                Ok(())
            }
        }
    }

    /// Whether an event of a node is visible, given the states before and after it.
    pub(crate) fn is_visible(
        &self,
        node: NodeId,
        before: &Context<'_>,
        after: &Context<'_>,
    ) -> bool {
        let own = slots_of(before, node);
        let changed = |slot: usize| self.watched_slots[slot] && differs(slot, before, after);
        let inbox = |c: &Context<'_>| c.layout.inbox(c.slots, node).to_vec();
        let changes = |(literal, bound): &(Condition, Bound)| {
            literal.holds(before, bound) != literal.holds(after, bound)
        };
        own.into_iter().any(changed)
            || self.watched_inboxes[node.index()] && inbox(before) != inbox(after)
            || self.literals[node.index()].iter().any(changes)
            || self.changes_flights(before, after)
    }

    /// Whether an event of a class of a node may be visible now, or in a later state after events of other classes.
    pub(crate) fn may_become_visible(
        &self,
        node: NodeId,
        (classes, class): (&CommutingClasses, usize),
        before: &Context<'_>,
        after: &Context<'_>,
    ) -> bool {
        let machine = before.compiled.machine;
        let base = before.compiled.bases[node.index()] as usize;
        let slot = |var: &machine::VarId| base + 1 + machine.place_of_var(*var);
        classes.writes[class]
            .iter()
            .any(|var| self.seen_slots[slot(var)])
            || classes.inbox[class] && self.seen_inboxes[node.index()]
            || self.seen_slots[base] && differs(base, before, after)
            || self.changes_flights(before, after)
    }

    /// Whether the number of messages in flight has changed for a counted edge and type.
    fn changes_flights(&self, before: &Context<'_>, after: &Context<'_>) -> bool {
        let count = |c: &Context<'_>, edge: EdgeId, record: RecordId| {
            let queue = c.layout.queue(c.slots, edge).iter();
            queue
                .filter(|m| c.compiled.record_of(**m / c.compiled.messages.delays) == record)
                .count()
        };
        self.flights
            .iter()
            .any(|(e, r)| count(before, *e, *r) != count(after, *e, *r))
    }
}

fn differs(slot: usize, before: &Context<'_>, after: &Context<'_>) -> bool {
    before.slots[slot] != after.slots[slot]
}

/// The slots of the mode and variables of a node.
fn slots_of(context: &Context<'_>, node: NodeId) -> std::ops::Range<usize> {
    let base = context.compiled.bases[node.index()] as usize;
    let bases = &context.compiled.bases;
    let end = bases.get(node.index() + 1).map(|next| *next as usize);
    base..end.unwrap_or(context.layout.budget(0))
}

fn depends_on_state(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= e.reads_state() && !matches!(e, Expr::Faultless(_)));
    found
}

/// What a condition reads under a binding of local names. An expression that does not always denote the same node
/// counts as every node.
fn reads(
    context: &Context<'_>,
    scope: &Scope,
    condition: &Expr,
    bound: &[(LocalId, i64)],
) -> Result<Reads, String> {
    let (compiled, machine) = (context.compiled, context.compiled.machine);
    let mut inside = BTreeSet::new();
    condition.walk(&mut |e| {
        if let Expr::Let(local, ..)
        | Expr::Filter(local, ..)
        | Expr::Quantified(_, local, ..)
        | Expr::Extremum(_, local, ..) = e
        {
            inside.insert(*local);
        }
    });
    // The node that an expression denotes, if it does not depend on the state.
    let node_of = |e: &Expr| -> Result<Option<NodeId>, String> {
        let mut known = !depends_on_state(e);
        e.walk(&mut |part| {
            if let Expr::Local(local) = part {
                known &= !inside.contains(local) && bound.iter().any(|(l, _)| l == local);
            }
        });
        if !known {
            return Ok(None);
        }
        let code = Compiler::new(machine, scope).expr(e)?;
        let mut locals = vec![0; scope.locals.len()];
        for (local, value) in bound {
            locals[local.index()] = *value;
        }
        let value = context.eval(&code, &mut locals).ok();
        Ok(value.map(|number| NodeId(number as u32)))
    };
    let mut found = Reads::default();
    let mut problem = None;
    condition.walk(&mut |e| {
        let mut nodes = |of: &Expr| match node_of(of) {
            Ok(Some(node)) => vec![node],
            Ok(None) => machine.nodes().collect(),
            Err(why) => {
                problem = Some(why);
                Vec::new()
            }
        };
        let base = |node: NodeId| compiled.bases[node.index()] as usize;
        match e {
            Expr::Var(var, of) => {
                let kind = machine.vars[var.index()].kind;
                let place = 1 + machine.place_of_var(*var);
                let of = nodes(of).into_iter();
                let of = of.filter(|node| machine.kind_of(*node) == kind);
                found.slots.extend(of.map(|n| (n, base(n) + place)));
            }
            Expr::InMode(_, of) => {
                let of = nodes(of).into_iter();
                found.slots.extend(of.map(|n| (n, base(n))));
            }
            Expr::Inbox(_, of) | Expr::Senders(_, of) => found.inboxes.extend(nodes(of)),
            Expr::InFlight(record, from, to) => {
                let (from, to) = (nodes(from), nodes(to));
                for (e, edge) in machine.edges.iter().enumerate() {
                    if from.contains(&edge.0) && to.contains(&edge.1) {
                        found.flights.push((EdgeId(e as u32), *record));
                    }
                }
            }
            _ => {}
        }
    });
    match problem {
        Some(why) => Err(why),
        None => Ok(found),
    }
}
