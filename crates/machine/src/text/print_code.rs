//! Printer of expressions, statements and formulas.

use crate::text::names::{BINARY, FAULTS, MODES, QUANTIFIERS, UNARY, by_number, word};
use crate::text::print::{Printer, marked, value};
use crate::text::print_environment::number;
use crate::text::sexpr::{Atom, Sexpr};
use crate::{
    Expr, Formula, LocalId, Place, PlaceStep, Scope, Stmt, StmtKind, TimeSum, Type, Typing, Value,
};

/// A printer of code in one scope.
pub(crate) struct Within<'p> {
    pub(crate) printer: &'p Printer<'p>,
    pub(crate) scope: &'p Scope,
    pub(crate) locals: Vec<Atom>,
}

impl Within<'_> {
    fn local(&self, local: LocalId) -> Sexpr {
        Sexpr::atom(by_number(&self.locals, local.index()))
    }

    /// A field: record and name if the type of the base is known, otherwise the index.
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

    pub(crate) fn expr(&self, expr: &Expr) -> Sexpr {
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

    pub(crate) fn formula(&self, formula: &Formula) -> Sexpr {
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

    pub(crate) fn stmts<'s>(&'s self, stmts: &'s [Stmt]) -> impl Iterator<Item = Sexpr> + 's {
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
