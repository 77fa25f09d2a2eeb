//! Printer of the text form: one declaration per item, with names instead of indices.
//!
//! `parse(&machine.to_string())` returns an equal Machine. Repeated names get a suffix (`k`, `k.2`). Nodes are numbered
//! from 1. A source location is printed as `@12`; the location 0 of declarations and statements is omitted. An index
//! without a name is printed as `#7`.

use crate::text::names;
use crate::text::names::{Names, by_number};
use crate::text::print_code::Within;
use crate::text::print_environment;
use crate::text::print_environment::number;
use crate::text::sexpr;
use crate::text::sexpr::{Atom, Sexpr};
use crate::verify::verifier::verify;
use crate::{
    Block, Effect, Expr, FrozenVar, Init, Kind, Machine, NodeId, Order, Origin, PropertyKind,
    RecordId, Scope, Timer, Trigger, Type, Value, Var,
};

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = String::new();
        for item in items(self) {
            sexpr::write(&mut out, &item, 0);
            out.push('\n');
        }
        f.write_str(&out)
    }
}

/// The declarations of a Machine, in order.
fn items(machine: &Machine) -> Vec<Sexpr> {
    let printer = Printer {
        machine,
        names: Names::of(machine),
        typed: verify(machine).is_ok(),
    };
    let (p, names) = (&printer, &printer.names);
    let mut items = Vec::new();
    if machine.ids > 0 {
        items.push(Sexpr::form("ids", [number(machine.ids)]));
    }
    for e in 0..machine.enums.len() {
        let values = names.enum_values[e].iter().cloned().map(Sexpr::atom);
        let name = Sexpr::atom(names.enums[e].clone());
        items.push(Sexpr::form("enum", std::iter::once(name).chain(values)));
    }
    for (c, counter) in machine.counters.iter().enumerate() {
        let name = Sexpr::atom(names.counters[c].clone());
        let window = counter.window.map(|(lo, hi)| [number(lo), number(hi)]);
        let window = window.into_iter().flatten();
        items.push(Sexpr::form("counter", std::iter::once(name).chain(window)));
    }
    for (r, record) in machine.records.iter().enumerate() {
        let head = if record.message { "message" } else { "struct" };
        let fields = names.fields[r].iter().zip(&record.fields);
        let fields =
            fields.map(|(name, (_, ty))| Sexpr::list(vec![Sexpr::atom(name.clone()), p.ty(ty)]));
        let name = Sexpr::atom(names.records[r].clone());
        items.push(Sexpr::form(head, std::iter::once(name).chain(fields)));
    }
    items.extend((0..machine.kinds.len()).map(|k| p.kind(k, &machine.kinds[k])));
    for (m, map) in machine.maps.iter().enumerate() {
        let name = Sexpr::atom(names.maps[m].clone());
        let to = map.to.iter().map(|n| node(*n));
        items.push(Sexpr::form("map", std::iter::once(name).chain(to)));
    }
    if !machine.edges.is_empty() {
        let edges = machine.edges.iter();
        let edges = edges.map(|(from, to)| Sexpr::list(vec![node(*from), node(*to)]));
        items.push(Sexpr::form("edges", edges));
    }
    items.push(print_environment::channel(machine.channel));
    items.extend(print_environment::delay(&machine.delay));
    items.extend(print_environment::inbox(machine.inbox));
    for fault in &machine.faults {
        let mut form = vec![Sexpr::word(match fault.effect {
            Effect::Lose => "lose",
            Effect::Repeat => "repeat",
        })];
        if let Some(limit) = fault.limit {
            form.extend([Sexpr::word("at-most"), number(limit)]);
        }
        if let Some(of) = fault.of {
            form.extend([Sexpr::word("of"), p.record(of)]);
        }
        items.push(Sexpr::list(form));
    }
    let faults = machine.node_faults.iter();
    items.extend(faults.map(|fault| print_environment::node_fault(names, fault)));
    let runtime_faults = machine.runtime_faults.iter();
    items.extend(
        runtime_faults.map(|runtime_fault| print_environment::runtime_fault(names, runtime_fault)),
    );
    items.extend(print_environment::abstraction(names, &machine.abstraction));
    items.extend((0..machine.timers.len()).map(|t| p.timer(t, &machine.timers[t])));
    items.extend((0..machine.frozen_vars.len()).map(|r| p.frozen(r, &machine.frozen_vars[r])));
    items.extend((0..machine.vars.len()).map(|v| p.var(v, &machine.vars[v])));
    items.extend((0..machine.blocks.len()).map(|b| p.block(b, &machine.blocks[b])));
    for response in &machine.responses {
        let within = p.within(&response.scope);
        let mut form = p.scope(&response.scope, &Scope::default());
        form.extend([
            within.expr(&response.from),
            within.expr(&response.to),
            number(&response.within),
        ]);
        items.push(Sexpr::form("response", form));
    }
    for restriction in &machine.initially {
        let mut form = p.scope(&restriction.scope, &Scope::default());
        form.push(p.within(&restriction.scope).expr(&restriction.condition));
        items.push(Sexpr::form("initially", form));
    }
    for property in &machine.properties {
        let within = p.within(&property.scope);
        let (head, body) = match &property.kind {
            PropertyKind::Claim(formula) => ("claim", within.formula(formula)),
            PropertyKind::Possible(condition) => ("possible", within.expr(condition)),
        };
        let mut form = vec![Sexpr::atom(Atom::name(&property.name, 1))];
        form.extend(p.scope(&property.scope, &Scope::default()));
        form.push(body);
        items.push(Sexpr::form(head, form));
    }
    items
}

pub(crate) fn node(node: NodeId) -> Sexpr {
    number(u64::from(node.0) + 1)
}

/// Adds the source location, unless it is 0.
pub(crate) fn marked(form: Sexpr, origin: Origin) -> Sexpr {
    match origin {
        Origin(0) => form,
        Origin(mark) => form.marked(mark),
    }
}

/// The default scope of a block; `per_node` says whether the trigger is a per-node timer.
pub(crate) fn usual_scope(trigger: &Trigger, per_node: bool) -> Scope {
    match trigger {
        Trigger::Timer(_) if per_node => Scope::of_timer(),
        Trigger::On(record, _) => Scope::of_message(Type::Record(*record)),
        Trigger::Start | Trigger::When(_) | Trigger::Every(_) | Trigger::Timer(_) => {
            Scope::of_node()
        }
    }
}

pub(crate) struct Printer<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) names: Names,
    /// Whether the Machine is well formed. If so, expressions have types, and fields are printed by name.
    pub(crate) typed: bool,
}

impl<'m> Printer<'m> {
    fn kind(&self, k: usize, kind: &Kind) -> Sexpr {
        let mut form = vec![Sexpr::atom(self.names.kinds[k].clone()), number(kind.count)];
        if !kind.ignores.is_empty() {
            let ignored = kind.ignores.iter().map(|r| self.record(*r));
            form.push(Sexpr::form("ignores", ignored));
        }
        Sexpr::form("kind", form)
    }

    fn frozen(&self, r: usize, frozen: &FrozenVar) -> Sexpr {
        let order = match &frozen.order {
            Order::Every => Sexpr::word("every"),
            Order::Arrangement => Sexpr::word("arrangement"),
            Order::Given(values) => {
                Sexpr::form("given", values.iter().map(|v| value(&self.names, v)))
            }
        };
        let form = [
            Sexpr::atom(by_number(&self.names.kinds, frozen.kind.index())),
            Sexpr::atom(self.names.frozen_vars[r].clone()),
            self.ty(&frozen.ty),
            order,
        ];
        marked(Sexpr::form("frozen", form), frozen.origin)
    }

    fn timer(&self, t: usize, timer: &Timer) -> Sexpr {
        let mut form = vec![
            Sexpr::atom(by_number(&self.names.kinds, timer.kind.index())),
            Sexpr::atom(self.names.timers[t].clone()),
        ];
        form.extend(timer.per_node.then(|| Sexpr::word("per-node")));
        marked(Sexpr::form("timer", form), timer.origin)
    }

    /// Whether the trigger is a per-node timer.
    fn is_per_node(&self, trigger: &Trigger) -> bool {
        match trigger {
            Trigger::Timer(timer) => self
                .machine
                .timers
                .get(timer.index())
                .is_some_and(|t| t.per_node),
            _ => false,
        }
    }

    fn var(&self, v: usize, var: &Var) -> Sexpr {
        let init = |head: &str, scope: &Scope, expr: &Expr| {
            let mut form = self.scope(scope, &Scope::of_node());
            form.push(self.within(scope).expr(expr));
            Sexpr::form(head, form)
        };
        let form = [
            Sexpr::atom(by_number(&self.names.kinds, var.kind.index())),
            Sexpr::atom(self.names.vars[v].clone()),
            self.ty(&var.ty),
            match &var.init {
                Init::Any => Sexpr::word("any"),
                Init::AnyIn(scope, set) => init("any-in", scope, set),
                Init::Value(scope, value) => init("is", scope, value),
            },
        ];
        let head = match (var.ghost, var.persistent) {
            (true, false) => "ghost",
            (true, true) => "persistent-ghost",
            (false, true) => "persistent",
            (false, false) => "var",
        };
        marked(Sexpr::form(head, form), var.origin)
    }

    fn block(&self, b: usize, block: &Block) -> Sexpr {
        let within = self.within(&block.scope);
        let mut form = vec![
            Sexpr::atom(by_number(&self.names.kinds, block.kind.index())),
            Sexpr::atom(self.names.blocks[b].clone()),
            match &block.trigger {
                Trigger::Start => Sexpr::word("start"),
                Trigger::Every(timing) => print_environment::timing(timing),
                Trigger::When(guard) => Sexpr::form("when", [within.expr(guard)]),
                Trigger::Timer(timer) => {
                    let name = Sexpr::atom(by_number(&self.names.timers, timer.index()));
                    let each = self
                        .is_per_node(&block.trigger)
                        .then(|| Sexpr::word("per-node"));
                    Sexpr::form("timer", std::iter::once(name).chain(each))
                }
                Trigger::On(record, guard) => {
                    let record = std::iter::once(self.record(*record));
                    Sexpr::form("on", record.chain(guard.iter().map(|g| within.expr(g))))
                }
            },
        ];
        form.extend(self.scope(
            &block.scope,
            &usual_scope(&block.trigger, self.is_per_node(&block.trigger)),
        ));
        form.extend(within.stmts(&block.body));
        marked(Sexpr::form("block", form), block.origin)
    }

    /// The declaration of the locals; empty if they are the default ones, `usual`.
    fn scope(&self, scope: &Scope, usual: &Scope) -> Vec<Sexpr> {
        if scope == usual {
            return vec![];
        }
        let locals = names::locals(scope).into_iter().zip(&scope.locals);
        let locals = locals.map(|(name, l)| Sexpr::list(vec![Sexpr::atom(name), self.ty(&l.ty)]));
        vec![Sexpr::form("locals", locals)]
    }

    pub(crate) fn record(&self, record: RecordId) -> Sexpr {
        Sexpr::atom(by_number(&self.names.records, record.index()))
    }

    pub(crate) fn ty(&self, ty: &Type) -> Sexpr {
        match ty {
            Type::Bool => Sexpr::word("bool"),
            Type::Id => Sexpr::word("id"),
            Type::Node => Sexpr::word("node"),
            Type::Int(lo, hi) => Sexpr::form("int", [number(lo), number(hi)]),
            Type::Counter(class) => {
                let name = by_number(&self.names.counters, class.index());
                Sexpr::form("counter", [Sexpr::atom(name)])
            }
            Type::Enum(e) => {
                let name = by_number(&self.names.enums, e.index());
                Sexpr::form("enum", [Sexpr::atom(name)])
            }
            Type::Record(r) => Sexpr::form("record", [self.record(*r)]),
            Type::OneOf(records) => Sexpr::form("one-of", records.iter().map(|r| self.record(*r))),
            Type::Option(inner) => Sexpr::form("option", [self.ty(inner)]),
            Type::Set(inner) => Sexpr::form("set", [self.ty(inner)]),
            Type::Array(index, inner) => Sexpr::form("array", [self.ty(index), self.ty(inner)]),
        }
    }

    fn within<'p>(&'p self, scope: &'p Scope) -> Within<'p> {
        Within {
            printer: self,
            scope,
            locals: names::locals(scope),
        }
    }
}

/// A value in the text form, without its type.
pub(crate) fn value(names: &Names, v: &Value) -> Sexpr {
    let all = |values: &mut dyn Iterator<Item = &Value>| -> Vec<Sexpr> {
        values.map(|v| value(names, v)).collect()
    };
    match v {
        Value::Bool(b) => number(b),
        Value::Int(i) => number(i),
        Value::None => Sexpr::word("none"),
        Value::Id(i) => Sexpr::form("id", [number(i)]),
        Value::Node(n) => Sexpr::form("node", [node(*n)]),
        Value::Enum(e, v) => {
            let values = names.enum_values.get(e.index());
            let values = values.map_or(&[][..], |values| values);
            let name = by_number(&names.enums, e.index());
            let value = by_number(values, *v as usize);
            Sexpr::form("name", [Sexpr::atom(name), Sexpr::atom(value)])
        }
        Value::Record(r, fields) => {
            let name = Sexpr::atom(by_number(&names.records, r.index()));
            let fields = all(&mut fields.iter());
            Sexpr::form("new", std::iter::once(name).chain(fields))
        }
        Value::Some(inner) => Sexpr::form("some", [value(names, inner)]),
        Value::Set(values) => Sexpr::form("set", all(&mut values.iter())),
        Value::Array(values) => Sexpr::form("array", all(&mut values.iter())),
    }
}
