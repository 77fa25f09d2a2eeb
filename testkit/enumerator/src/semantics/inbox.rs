//! Inboxes: which messages enter them, how they are stored, and the initial contents.

use crate::expressions::types::product;
use crate::instance::data::Instance;
use crate::instance::kind::Kind;
use crate::instance::scope::Scope;
use crate::instance::state::State;
use crate::instance::value::{Res, Stop, Value, refuse};
use crate::instance::walk;
use std::collections::BTreeSet;
use syntax::ast::{BlockHead, Expr, ExprKind, InboxStart, QuantifierKind, Stmt, StmtKind, Type};

impl<'a> Kind<'a> {
    /// The bodies that nodes of this kind can execute: those of blocks, and of the actions that are called.
    pub fn bodies(&self) -> Vec<&'a [Stmt]> {
        let mut bodies: Vec<&'a [Stmt]> = self.blocks.iter().map(|b| &b.body[..]).collect();
        let mut called: Vec<&str> = Vec::new();
        let mut next = 0;
        while next < bodies.len() {
            walk::statements(bodies[next], &mut |stmt| {
                if let StmtKind::Call(name, _) = &stmt.kind
                    && !called.contains(&&name.text[..])
                {
                    called.push(&name.text);
                    let found = self.actions.iter().find(|a| a.name == name.text);
                    bodies.extend(found.map(|action| action.body));
                }
            });
            next += 1;
        }
        bodies
    }

    fn any_expression(&self, is_it: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        let mut see = |e: &Expr| found |= is_it(e);
        for block in &self.blocks {
            walk::guard(&block.head)
                .into_iter()
                .for_each(|g| walk::inside(g, &mut see));
        }
        for body in self.bodies() {
            walk::expressions(body, &mut see);
        }
        found
    }

    /// Whether the code reads the inbox.
    pub fn reads_inbox(&self) -> bool {
        self.any_expression(|e| walk::inbox(e).is_some())
    }

    /// Whether the code can distinguish copies of a message: `count`, `sum` or `for` ranges over the inbox.
    pub fn goes_through_copies(&self) -> bool {
        let counts = self.any_expression(|e| match &e.kind {
            ExprKind::Quantifier {
                kind: QuantifierKind::Count | QuantifierKind::Sum,
                domain,
                ..
            } => walk::inbox(domain).is_some(),
            _ => false,
        });
        let mut loops = false;
        for body in self.bodies() {
            walk::statements(body, &mut |stmt| {
                loops |= matches!(&stmt.kind, StmtKind::For(_, e, _) if walk::inbox(e).is_some());
            });
        }
        counts || loops
    }
}

impl Instance<'_> {
    /// Puts a message into the inbox of a node.
    pub fn store(&self, state: &mut State, from: usize, to: usize, message: Value) {
        let name_of = |m: &Value| match m {
            Value::Record(name, _) => Some(name.clone()),
            _ => None,
        };
        let inbox = &mut state.nodes[to].inbox;
        if self.inbox.latest {
            let name = name_of(&message);
            inbox.retain(|(sender, old)| *sender != from || name_of(old) != name);
        }
        let entry = (from, message);
        if self.inbox.copies || !inbox.contains(&entry) {
            inbox.push(entry);
            inbox.sort();
        }
    }

    /// The messages over which `inbox` or `inbox(M)` ranges, with all copies; `None` for other expressions, or if
    /// `inbox` is a bound name.
    pub fn copies(&self, e: &Expr, state: &State, scope: &Scope) -> Option<Vec<Value>> {
        let (me, of) = (scope.me?, walk::inbox(e)?);
        if scope.locals.iter().any(|(name, _)| name == "inbox") {
            return None;
        }
        let entries = state.nodes.get(me)?.inbox.iter();
        let mut entries: Vec<_> = entries.filter(|(_, m)| is_one(m, of)).collect();
        // Sorted by sender, then by the position of the message type in the file.
        entries.sort_by_key(|(sender, message)| (*sender, self.rank(message)));
        Some(entries.into_iter().map(|(_, m)| m.clone()).collect())
    }

    /// The set of senders of the messages in the inbox; `of` restricts it to one message type.
    pub fn senders(&self, me: usize, of: Option<&str>, state: &State) -> Value {
        let entries = state.nodes.get(me).map_or(&[][..], |n| &n.inbox);
        let found = entries.iter().filter(|(_, m)| is_one(m, of));
        Value::Set(found.map(|(sender, _)| Value::Node(*sender)).collect())
    }

    /// The elements of a set in the order of a loop: messages by the position of their type in the file, then by value.
    pub fn in_order(&self, set: BTreeSet<Value>) -> Vec<Value> {
        let mut elements: Vec<Value> = set.into_iter().collect();
        elements.sort_by_key(|e| self.rank(e));
        elements
    }

    /// The position of the type of a record in the file; 0 for all other values.
    fn rank(&self, value: &Value) -> usize {
        let Value::Record(name, _) = value else {
            return 0;
        };
        let place = self
            .records
            .iter()
            .position(|(r, _)| *r.name.text == **name);
        place.unwrap_or(0)
    }

    /// Whether messages of a type enter the inbox of a node.
    pub fn enters_inbox(&self, node: usize, message: &str) -> bool {
        let kind = self.kind(node);
        kind.handlers(message).next().is_none()
            && !kind.ignores.contains(&message)
            && kind.reads_inbox()
    }

    /// All states that result from `states` by filling the inboxes with possible initial contents.
    pub fn fill_inboxes(&self, mut states: Vec<State>, limit: usize) -> Res<Vec<State>> {
        let anything = self.inbox.start == InboxStart::Anything;
        if self.inbox.start == InboxStart::Empty {
            return Ok(states);
        }
        let edges = self.edges.iter().copied();
        for (from, to) in edges.filter(|(_, to)| self.can_receive(*to)) {
            if !anything && !self.can_send(from) {
                continue;
            }
            let mut messages = Vec::new();
            for message in self.sendable(from, to)? {
                let Value::Record(name, _) = &message else {
                    return refuse("something is sent that is no message");
                };
                if self.enters_inbox(to, name) {
                    messages.push(Some(message));
                }
            }
            if messages.is_empty() {
                continue;
            }
            if anything {
                messages.push(None);
            }
            if states.len().saturating_mul(messages.len()) > limit {
                return refuse("more initial states than the limit allows");
            }
            let mut more = Vec::new();
            for state in states {
                for message in &messages {
                    let mut next = state.clone();
                    if let Some(message) = message {
                        self.store(&mut next, from, to, message.clone());
                    }
                    more.push(next);
                }
            }
            states = more;
        }
        Ok(states)
    }

    /// All values of all send expressions of a node whose message may be sent to the node `to`. Variables and typed
    /// locals range over their types, constants have their values, and guards are ignored.
    fn sendable(&self, node: usize, to: usize) -> Res<BTreeSet<Value>> {
        let kind = self.kind(node);
        let mut found = BTreeSet::new();
        for block in &kind.blocks {
            let mut typed: Vec<(&str, Known)> = Vec::new();
            if let BlockHead::On {
                name,
                index,
                binding,
                from,
                ..
            } = &block.head
            {
                let timer = kind
                    .timer(&name.text)
                    .and_then(|place| kind.timers[place].1);
                let index = index.iter().zip(timer);
                typed.extend(index.map(|(index, of)| (&index.text[..], Known::Type(of))));
                typed.extend(
                    binding
                        .iter()
                        .map(|b| (&b.text[..], Known::Message(&name.text))),
                );
                typed.extend(from.iter().map(|f| (&f.text[..], Known::Node)));
            }
            self.sends_of((node, to), &block.body, &typed, &mut found)?;
        }
        let bodies = kind.bodies();
        for action in &kind.actions {
            if bodies.iter().any(|body| std::ptr::eq(*body, action.body)) {
                let parameters = action.parameters.iter();
                let typed: Vec<(&str, Known)> = parameters
                    .map(|p| (&p.name.text[..], Known::Type(&p.ty)))
                    .collect();
                self.sends_of((node, to), action.body, &typed, &mut found)?;
            }
        }
        Ok(found)
    }

    fn sends_of(
        &self,
        (node, to): (usize, usize),
        body: &[Stmt],
        typed: &[(&str, Known)],
        found: &mut BTreeSet<Value>,
    ) -> Res<()> {
        let mut untyped: Vec<&str> = Vec::new();
        let mut sends: Vec<(&Expr, Option<&Expr>)> = Vec::new();
        walk::statements(body, &mut |stmt| match &stmt.kind {
            StmtKind::Let(name, _) | StmtKind::Choose(name, _) | StmtKind::For(name, ..) => {
                untyped.push(&name.text);
            }
            StmtKind::Send(send) => sends.push((&send.message, send.to.as_ref())),
            _ => {}
        });
        let typed_names = typed.iter().map(|(name, _)| *name);
        let locals: Vec<&str> = typed_names.chain(untyped.iter().copied()).collect();
        for (message, receivers) in sends {
            if self.may_address((node, to), receivers, &locals)? {
                self.values_of(node, message, typed, &untyped, found)?;
            }
        }
        Ok(())
    }

    /// Whether a `send` with these receivers (`None` for all neighbours) may be addressed to the node `to`. If the
    /// receivers depend on a variable, a local or the inbox, the answer is yes; otherwise the receivers are evaluated.
    fn may_address(
        &self,
        (node, to): (usize, usize),
        receivers: Option<&Expr>,
        locals: &[&str],
    ) -> Res<bool> {
        let Some(receivers) = receivers else {
            return Ok(true);
        };
        let kind = self.kind(node);
        let mut bound: Vec<&str> = Vec::new();
        let (mut depends, mut matches) = (false, false);
        walk::inside(receivers, &mut |e| match &e.kind {
            ExprKind::Filter { var, .. } | ExprKind::Extremum { var, .. } => bound.push(&var.text),
            ExprKind::Quantifier { vars, .. } => bound.extend(vars.iter().map(|v| &v.text[..])),
            ExprKind::Is(_, name) => bound.push(&name.text),
            ExprKind::Match(..) => matches = true,
            _ => {}
        });
        walk::inside(receivers, &mut |e| {
            if let ExprKind::Name(name) | ExprKind::Call(name, _) = &e.kind {
                let name = &name.text[..];
                let local = locals.contains(&name) || kind.var(name).is_some();
                let inbox = name == "inbox" || name == "senders";
                depends |= inbox || local && !bound.contains(&name);
            }
            depends |= matches!(&e.kind, ExprKind::Is(_, name) if name.text == "set");
        });
        if depends {
            return Ok(true);
        }
        if matches {
            return refuse("`match` behind `to` of what is sent at first");
        }
        match self.eval(receivers, &self.blank(), &mut Scope::of(node)) {
            Ok(Value::Set(nodes)) => Ok(nodes.contains(&Value::Node(to))),
            Ok(one) => Ok(one.node()? == to),
            Err(Stop::Error(_)) => Ok(false),
            Err(refused) => Err(refused),
        }
    }

    fn values_of(
        &self,
        node: usize,
        message: &Expr,
        typed: &[(&str, Known)],
        untyped: &[&str],
        found: &mut BTreeSet<Value>,
    ) -> Res<()> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        walk::inside(message, &mut |e| match &e.kind {
            ExprKind::Name(name) => {
                names.insert(&name.text);
            }
            ExprKind::Is(..) | ExprKind::Match(..) => {
                names.insert("inbox");
            }
            _ => {}
        });
        if let Some(name) = names.iter().find(|n| untyped.contains(n) || **n == "inbox") {
            return refuse(format!("the types of what is sent at first: `{name}`"));
        }
        let kind = self.kind(node);
        let mut blank = self.blank();
        let scope = &mut Scope::of(node);
        let (mut vars, mut locals, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for name in names {
            if let Some((_, known)) = typed.iter().find(|(n, _)| *n == name) {
                locals.push(name);
                columns.insert(locals.len() - 1, self.known(*known, &blank, scope)?);
            } else if let Some(place) = kind.var(name) {
                vars.push(place);
                columns.push(self.domain(&kind.vars[place].ty, &blank, scope)?);
            }
        }
        for values in product(columns)? {
            let (of_locals, of_vars) = values.split_at(locals.len());
            let mut scope = Scope::of(node);
            for (name, value) in locals.iter().zip(of_locals) {
                scope.bind(name, value.clone());
            }
            for (place, value) in vars.iter().zip(of_vars) {
                blank.nodes[node].set_var(*place, value.clone());
            }
            match self.eval(message, &blank, &mut scope) {
                Ok(value) => {
                    found.insert(value);
                }
                // Values for which the expression is an error contribute no message.
                Err(Stop::Error(_)) => {}
                Err(refused) => return Err(refused),
            }
        }
        Ok(())
    }

    fn known(&self, known: Known, state: &State, scope: &mut Scope) -> Res<Vec<Value>> {
        match known {
            Known::Message(name) => self.named_domain(name, state, scope),
            Known::Node => self.named_domain("Node", state, scope),
            Known::Type(ty) => self.domain(ty, state, scope),
        }
    }
}

/// Whether a message is of the given type; true if no type is given.
fn is_one(message: &Value, of: Option<&str>) -> bool {
    match (message, of) {
        (_, None) => true,
        (Value::Record(name, _), Some(of)) => **name == *of,
        _ => false,
    }
}

/// The declared type of a local name.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// A message of this type.
    Message(&'a str),
    Node,
    Type(&'a Type),
}
