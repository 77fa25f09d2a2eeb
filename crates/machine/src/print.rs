//! The text form of a Machine: one declaration per item, names instead of numbers.
//!
//! `parse(&machine.to_string())` gives the same Machine again. Names that occur twice are told apart by an
//! ending (`k`, `k.2`), nodes are numbered from 1, origins are marks (`@12`; none is `@0` where a
//! declaration or statement has one), a number without a name is `#7`.

use crate::names::{self, BINARY, FAULTS, MODES, Names, QUANTIFIERS, UNARY, by_number, word};
use crate::print_world::{self, number};
use crate::sexpr::{self, Atom, Sexpr};
use crate::{
    Block, Effect, Expr, Formula, FrozenVar, Init, Kind, LocalId, Machine, NodeId, Order, Origin,
    Place, PlaceStep, PropertyKind, RecordId, Scope, Stmt, StmtKind, TimeSum, Timer, Trigger, Type,
    Typing, Value, Var, verify,
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
    items.push(print_world::channel(machine.channel));
    items.extend(print_world::delay(&machine.delay));
    items.extend(print_world::inbox(machine.inbox));
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
    items.extend(faults.map(|fault| print_world::node_fault(names, fault)));
    let runtime_faults = machine.runtime_faults.iter();
    items.extend(
        runtime_faults.map(|runtime_fault| print_world::runtime_fault(names, runtime_fault)),
    );
    items.extend(print_world::abstraction(names, &machine.abstraction));
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

fn node(node: NodeId) -> Sexpr {
    number(u64::from(node.0) + 1)
}

/// Marks a declaration or statement with where it comes from, if that says anything.
fn marked(form: Sexpr, origin: Origin) -> Sexpr {
    match origin {
        Origin(0) => form,
        Origin(mark) => form.marked(mark),
    }
}

/// The scope that a block has if its text does not say.
pub(crate) fn usual_scope(trigger: &Trigger, per_node: bool) -> Scope {
    match trigger {
        Trigger::Timer(_) if per_node => Scope::of_timer(),
        Trigger::On(record, _) => Scope::of_message(Type::Record(*record)),
        Trigger::Start | Trigger::When(_) | Trigger::Every(_) | Trigger::Timer(_) => {
            Scope::of_node()
        }
    }
}

struct Printer<'m> {
    machine: &'m Machine,
    names: Names,
    /// The Machine is well formed: expressions have types, so that fields have names.
    typed: bool,
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

    /// Whether there is one of the timer for each node.
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
                Trigger::Every(timing) => print_world::timing(timing),
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

    /// The locals, unless they are the usual ones.
    fn scope(&self, scope: &Scope, usual: &Scope) -> Vec<Sexpr> {
        if scope == usual {
            return vec![];
        }
        let locals = names::locals(scope).into_iter().zip(&scope.locals);
        let locals = locals.map(|(name, l)| Sexpr::list(vec![Sexpr::atom(name), self.ty(&l.ty)]));
        vec![Sexpr::form("locals", locals)]
    }

    fn record(&self, record: RecordId) -> Sexpr {
        Sexpr::atom(by_number(&self.names.records, record.index()))
    }

    fn ty(&self, ty: &Type) -> Sexpr {
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

/// A value, also where its type is not known.
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

/// Prints what stands in a scope.
struct Within<'p> {
    printer: &'p Printer<'p>,
    scope: &'p Scope,
    locals: Vec<Atom>,
}

impl Within<'_> {
    fn local(&self, local: LocalId) -> Sexpr {
        Sexpr::atom(by_number(&self.locals, local.index()))
    }

    /// A field by record and name where the type is known, otherwise by number.
    fn field(&self, base: Option<Type>, field: u32) -> Vec<Sexpr> {
        if let Some(Type::Record(r)) = base
            && let Some(name) = self.printer.names.fields[r.index()].get(field as usize)
        {
            return vec![self.printer.record(r), Sexpr::atom(name.clone())];
        }
        vec![number(field)]
    }

    fn type_of(&self, expr: &Expr) -> Option<Type> {
        let mut typing = Typing::all_bound(self.printer.machine, self.scope);
        let typed = self.printer.typed;
        typed.then(|| typing.type_of(expr).ok()).flatten()
    }

    fn expr(&self, expr: &Expr) -> Sexpr {
        let p = self.printer;
        let name = |names: &[Atom], number: usize| Sexpr::atom(by_number(names, number));
        let bound = |head: &str, local: &LocalId, domain: &Expr, body: &Expr| {
            Sexpr::form(
                head,
                [self.local(*local), self.expr(domain), self.expr(body)],
            )
        };
        match expr {
            Expr::At(origin, inner) => self.expr(inner).marked(origin.0),
            Expr::Const(
                v @ (Value::Bool(_)
                | Value::Int(_)
                | Value::Id(_)
                | Value::Node(_)
                | Value::Enum(..)),
            ) => value(&p.names, v),
            Expr::Const(v) => Sexpr::form("const", [value(&p.names, v)]),
            Expr::None(ty) => Sexpr::form("none", [p.ty(ty)]),
            Expr::Some(a) => Sexpr::form("some", [self.expr(a)]),
            Expr::Unwrap(a) => Sexpr::form("unwrap", [self.expr(a)]),
            Expr::Local(local) => self.local(*local),
            Expr::Var(var, a) => {
                Sexpr::form("var", [name(&p.names.vars, var.index()), self.expr(a)])
            }
            Expr::Frozen(r, a) => Sexpr::form(
                "frozen",
                [name(&p.names.frozen_vars, r.index()), self.expr(a)],
            ),
            Expr::Record(r, fields) => {
                let fields = fields.iter().map(|e| self.expr(e));
                Sexpr::form("new", std::iter::once(p.record(*r)).chain(fields))
            }
            Expr::Field(a, field) => {
                let mut form = self.field(self.type_of(a), *field);
                form.push(self.expr(a));
                Sexpr::form("field", form)
            }
            Expr::Index(ty, a, b) => Sexpr::form("index", [p.ty(ty), self.expr(a), self.expr(b)]),
            Expr::Fill(ty, a) => Sexpr::form("fill", [p.ty(ty), self.expr(a)]),
            Expr::Unary(op, a) => Sexpr::form(word(&UNARY, *op), [self.expr(a)]),
            Expr::Binary(op, a, b) => Sexpr::form(word(&BINARY, *op), [self.expr(a), self.expr(b)]),
            Expr::If(a, b, c) => Sexpr::form("if", [self.expr(a), self.expr(b), self.expr(c)]),
            Expr::Let(local, a, b) => bound("let", local, a, b),
            Expr::Within(ty, a) => Sexpr::form("within", [p.ty(ty), self.expr(a)]),
            Expr::Set(ty, items) => {
                let items = items.iter().map(|e| self.expr(e));
                Sexpr::form("set", std::iter::once(p.ty(ty)).chain(items))
            }
            Expr::Range(a, b) => Sexpr::form("..", [self.expr(a), self.expr(b)]),
            Expr::Nodes(kind) => {
                let kind = kind.iter().map(|k| name(&p.names.kinds, k.index()));
                Sexpr::form("nodes", kind)
            }
            Expr::Values(ty) => Sexpr::form("values", [p.ty(ty)]),
            Expr::Neighbours(a) => Sexpr::form("neighbours", [self.expr(a)]),
            Expr::Filter(local, a, b) => bound("filter", local, a, b),
            Expr::Quantified(q, local, a, b) => bound(word(&QUANTIFIERS, *q), local, a, b),
            Expr::Extremum(true, local, a, b) => bound("largest", local, a, b),
            Expr::Extremum(false, local, a, b) => bound("smallest", local, a, b),
            Expr::Map(map, a) => {
                Sexpr::form("map", [name(&p.names.maps, map.index()), self.expr(a)])
            }
            Expr::InMode(mode, a) => Sexpr::form(word(&MODES, *mode), [self.expr(a)]),
            Expr::HasFault(fault, a) => {
                let fault = Sexpr::word(word(&FAULTS, *fault));
                Sexpr::form("fault", [fault, self.expr(a)])
            }
            Expr::Inbox(records, a) => {
                let records = records.iter().map(|r| p.record(*r));
                Sexpr::form("inbox", records.chain([self.expr(a)]))
            }
            Expr::IsRecord(r, a) => Sexpr::form("is", [p.record(*r), self.expr(a)]),
            Expr::Senders(r, a) => {
                let record = r.map(|r| p.record(r));
                Sexpr::form("senders", record.into_iter().chain([self.expr(a)]))
            }
            Expr::InFlight(r, a, b) => {
                Sexpr::form("in-flight", [p.record(*r), self.expr(a), self.expr(b)])
            }
            Expr::Quiescent => Sexpr::word("quiescent"),
            Expr::TimerSet(timer, a, b) => {
                let timer = name(&p.names.timers, timer.index());
                let other = b.iter().map(|b| self.expr(b));
                Sexpr::form("timer-set", [timer, self.expr(a)].into_iter().chain(other))
            }
            Expr::Faultless(a) => Sexpr::form("faultless", [self.expr(a)]),
            Expr::Now(op, time) => {
                Sexpr::form("now", [Sexpr::word(word(&BINARY, *op)), number(time)])
            }
            Expr::Overdue(response) => Sexpr::form("overdue", [number(response.0)]),
        }
    }

    fn formula(&self, formula: &Formula) -> Sexpr {
        let one = |head, a: &Formula| Sexpr::form(head, [self.formula(a)]);
        let two =
            |head, a: &Formula, b: &Formula| Sexpr::form(head, [self.formula(a), self.formula(b)]);
        let bound = |head, local: &LocalId, domain: &Expr, a: &Formula| {
            Sexpr::form(
                head,
                [self.local(*local), self.expr(domain), self.formula(a)],
            )
        };
        match formula {
            Formula::At(origin, a) => self.formula(a).marked(origin.0),
            Formula::State(e) => Sexpr::form("state", [self.expr(e)]),
            Formula::Not(a) => one("not", a),
            Formula::And(a, b) => two("and", a, b),
            Formula::Or(a, b) => two("or", a, b),
            Formula::Implies(a, b) => two("implies", a, b),
            Formula::Always(a) => one("always", a),
            Formula::Eventually(a) => one("eventually", a),
            Formula::Until(a, b) => two("until", a, b),
            Formula::LeadsTo(a, b) => two("leads-to", a, b),
            Formula::All(local, domain, a) => bound("all", local, domain, a),
            Formula::Exists(local, domain, a) => bound("exists", local, domain, a),
        }
    }

    fn stmts<'s>(&'s self, stmts: &'s [Stmt]) -> impl Iterator<Item = Sexpr> + 's {
        stmts.iter().map(|s| self.stmt(s))
    }

    fn stmt(&self, stmt: &Stmt) -> Sexpr {
        let form = match &stmt.kind {
            StmtKind::Assign(place, e) => Sexpr::form(":=", [self.place(place), self.expr(e)]),
            StmtKind::If(e, then, otherwise) => {
                let mut form = vec![self.expr(e), Sexpr::form("do", self.stmts(then))];
                if !otherwise.is_empty() {
                    form.push(Sexpr::form("do", self.stmts(otherwise)));
                }
                Sexpr::form("if", form)
            }
            StmtKind::For(local, e, body) => {
                let head = [self.local(*local), self.expr(e)];
                Sexpr::form("for", head.into_iter().chain(self.stmts(body)))
            }
            StmtKind::Let(local, e) => Sexpr::form("let", [self.local(*local), self.expr(e)]),
            StmtKind::Choose(local, e) => Sexpr::form("choose", [self.local(*local), self.expr(e)]),
            StmtKind::Send(m, to) => Sexpr::form("send", [self.expr(m), self.expr(to)]),
            StmtKind::Assert(e) => Sexpr::form("assert", [self.expr(e)]),
            StmtKind::ClearInbox => Sexpr::form("clear-inbox", []),
            StmtKind::Halt => Sexpr::form("halt", []),
            StmtKind::SetTimer(timer, other, from, to) => {
                let mut form = vec![Sexpr::atom(by_number(
                    &self.printer.names.timers,
                    timer.index(),
                ))];
                form.extend([self.time_sum(from), self.time_sum(to)]);
                form.extend(other.iter().map(|other| self.expr(other)));
                Sexpr::form("set-timer", form)
            }
            StmtKind::CancelTimer(timer, other) => {
                let timer = Sexpr::atom(by_number(&self.printer.names.timers, timer.index()));
                let other = other.iter().map(|other| self.expr(other));
                Sexpr::form("cancel-timer", std::iter::once(timer).chain(other))
            }
        };
        marked(form, stmt.origin)
    }

    fn time_sum(&self, sum: &TimeSum) -> Sexpr {
        let terms = sum.terms.iter();
        let terms = terms.map(|(e, by)| Sexpr::list(vec![self.expr(e), number(by)]));
        Sexpr::form("time", std::iter::once(number(&sum.constant)).chain(terms))
    }

    fn place(&self, place: &Place) -> Sexpr {
        let var = Sexpr::atom(by_number(&self.printer.names.vars, place.var.index()));
        if place.path.is_empty() {
            return var;
        }
        let declared = self.printer.machine.vars.get(place.var.index());
        let mut ty = declared
            .filter(|_| self.printer.typed)
            .map(|v| v.ty.clone());
        let mut form = vec![var];
        for step in &place.path {
            match step {
                PlaceStep::Field(f) => {
                    form.push(Sexpr::form("field", self.field(ty.clone(), *f)));
                    ty = match ty {
                        Some(Type::Record(r)) => {
                            let fields = &self.printer.machine.records[r.index()].fields;
                            fields.get(*f as usize).map(|(_, ty)| ty.clone())
                        }
                        _ => None,
                    };
                }
                PlaceStep::Index(over, e) => {
                    form.push(Sexpr::form("index", [self.printer.ty(over), self.expr(e)]));
                    ty = match ty {
                        Some(Type::Array(_, inner)) => Some(*inner),
                        _ => None,
                    };
                }
                PlaceStep::Unwrap => {
                    form.push(Sexpr::form("unwrap", []));
                    ty = match ty {
                        Some(Type::Option(inner)) => Some(*inner),
                        _ => None,
                    };
                }
            }
        }
        Sexpr::list(form)
    }
}
