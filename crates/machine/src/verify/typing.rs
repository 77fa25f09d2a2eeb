//! Typing of expressions and formulas, bottom-up.

use crate::verify::ranges::{interval, is_ordered};
use crate::verify::verifier::{TypeError, is_message, require, verify_parts, verify_type, wrong};
use crate::{
    BinaryOp, ClassId, Expr, Formula, KindId, LocalId, MOST_ELEMENTS, Machine, Quantifier, Scope,
    TimerId, Type, UnaryOp, Value,
};
use std::cell::RefCell;

/// Computes the types of expressions, and tracks which locals are bound.
pub struct Typing<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) scope: &'m Scope,
    pub(crate) bound: Vec<bool>,
    /// Whether a quantifier may bind a local that is already bound. The verifier forbids it, because the binding would
    /// overwrite the outer value.
    pub(crate) again: bool,
    /// Whether counters have the type of integers, as in initial values and restrictions of initial states.
    pub(crate) numbers: bool,
    /// Receives the pairs of counter classes that must be equal.
    pub(crate) merges: Option<&'m Merges>,
}

/// Pairs of counter classes that must be equal.
pub(crate) type Merges = RefCell<Vec<(ClassId, ClassId)>>;

impl<'m> Typing<'m> {
    /// A typing in which no local is bound.
    pub fn new(machine: &'m Machine, scope: &'m Scope) -> Typing<'m> {
        Typing {
            machine,
            scope,
            bound: vec![false; scope.locals.len()],
            again: false,
            numbers: false,
            merges: None,
        }
    }

    /// Gives counters the type of integers: for initial values and restrictions of initial states.
    pub fn with_numbers(self) -> Typing<'m> {
        Typing {
            numbers: true,
            ..self
        }
    }

    /// Records in `merges` which counter classes must be equal, instead of rejecting different ones.
    pub(crate) fn merging(self, merges: Option<&'m Merges>) -> Typing<'m> {
        Typing { merges, ..self }
    }

    /// A typing in which every local of the scope is bound: for expressions of verified Machines.
    pub fn all_bound(machine: &'m Machine, scope: &'m Scope) -> Typing<'m> {
        let bound = vec![true; scope.locals.len()];
        Typing {
            machine,
            scope,
            bound,
            again: true,
            numbers: false,
            merges: None,
        }
    }

    /// The type in this context: with `numbers`, counters become integers.
    pub(crate) fn seen(&self, ty: &Type) -> Type {
        match self.numbers {
            true => ty.with_classes(&mut |_| Type::Int(i64::MIN, i64::MAX)),
            false => ty.clone(),
        }
    }

    fn fits(&self, wanted: &Type, found: &Type) -> bool {
        match self.merges {
            None => wanted.fits(found),
            Some(merges) => wanted.fits_if(found, &mut |a, b| {
                merges.borrow_mut().push((a, b));
                true
            }),
        }
    }

    fn join(&self, a: &Type, b: &Type) -> Option<Type> {
        match self.merges {
            None => a.join(b),
            Some(merges) => a.join_if(b, &mut |a, b| {
                merges.borrow_mut().push((a, b));
                true
            }),
        }
    }

    /// The type of an expression; integer types have the computed bounds.
    pub fn type_of(&mut self, expr: &Expr) -> Result<Type, TypeError> {
        Ok(match expr {
            Expr::At(_, inner) => self.type_of(inner)?,
            Expr::Const(value) => match value {
                Value::Bool(_) => Type::Bool,
                Value::Int(i) => Type::Int(*i, *i),
                Value::Id(i) if 1 <= *i && *i <= self.machine.ids => Type::Id,
                Value::Node(n) if n.0 < self.machine.node_count() => Type::Node,
                Value::Enum(e, v) => match self.machine.enums.get(e.index()) {
                    Some(definition) if (*v as usize) < definition.values.len() => Type::Enum(*e),
                    _ => return wrong(format!("{value:?} is no constant")),
                },
                other => return wrong(format!("{other:?} is no constant")),
            },
            Expr::None(inner) => self.exists(inner)?.option(),
            Expr::Some(inner) => self.type_of(inner)?.option(),
            Expr::Unwrap(inner) => self.option(inner)?,
            Expr::Local(local) => {
                require(self.bound.get(local.index()) == Some(&true), || {
                    format!("local {} is not bound", local.0)
                })?;
                self.seen(&self.scope.locals[local.index()].ty)
            }
            Expr::Var(var, node) => {
                self.wants(node, &Type::Node)?;
                match self.machine.vars.get(var.index()) {
                    Some(var) => {
                        self.of_kind(node, var.kind, &var.name)?;
                        self.seen(&var.ty)
                    }
                    None => return wrong("no such variable"),
                }
            }
            Expr::Frozen(frozen, node) => {
                self.wants(node, &Type::Node)?;
                match self.machine.frozen_vars.get(frozen.index()) {
                    Some(frozen) => {
                        self.of_kind(node, frozen.kind, &frozen.name)?;
                        frozen.ty.clone()
                    }
                    None => return wrong("no such frozen variable"),
                }
            }
            Expr::Record(record, fields) => {
                let Some(definition) = self.machine.records.get(record.index()) else {
                    return wrong("no such record");
                };
                require(fields.len() == definition.fields.len(), || {
                    "a record with other fields".into()
                })?;
                for (field, (_, ty)) in fields.iter().zip(&definition.fields) {
                    let ty = self.seen(ty);
                    self.wants(field, &ty)?;
                }
                Type::Record(*record)
            }
            Expr::Field(base, field) => match self.type_of(base)? {
                Type::Record(r) => {
                    match self.machine.records[r.index()].fields.get(*field as usize) {
                        Some((_, ty)) => self.seen(ty),
                        None => return wrong("no such field"),
                    }
                }
                other => return wrong(format!("a field of {other:?}")),
            },
            Expr::Index(ty, base, index) => match self.type_of(base)? {
                Type::Array(over, inner) if *over == *ty => {
                    self.wants(index, ty)?;
                    *inner
                }
                other => return wrong(format!("an element of {other:?}")),
            },
            Expr::Fill(index, inner) => {
                let index = self.exists(index)?;
                let ty = Type::Array(Box::new(index), Box::new(self.type_of(inner)?));
                verify_parts(self.machine, &ty)?;
                ty
            }
            Expr::Unary(op, inner) => match op {
                UnaryOp::Not => {
                    self.wants(inner, &Type::Bool)?;
                    Type::Bool
                }
                UnaryOp::Neg => {
                    let (lo, hi) = self.int(inner)?;
                    Type::Int(hi.saturating_neg(), lo.saturating_neg())
                }
                UnaryOp::Size => {
                    let element = self.set(inner)?;
                    let most = self.machine.cardinality(&element).min(i64::MAX as u128);
                    Type::Int(0, most as i64)
                }
                UnaryOp::IsSome => {
                    self.option(inner)?;
                    Type::Bool
                }
            },
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::If(condition, then, otherwise) => {
                self.wants(condition, &Type::Bool)?;
                let (then, otherwise) = (self.type_of(then)?, self.type_of(otherwise)?);
                self.joined(&then, &otherwise)?
            }
            Expr::Let(local, value, body) => {
                let value = self.type_of(value)?;
                self.binding(*local, &value, |t| t.type_of(body))?
            }
            Expr::Within(ty, inner) => {
                let ty = self.exists(ty)?;
                self.may_be(inner, &ty)?;
                ty
            }
            Expr::Set(ty, items) => {
                let element = self.exists(ty)?;
                for item in items {
                    self.wants(item, &element)?;
                }
                element.set()
            }
            Expr::Range(lo, hi) => {
                let element = self.range(lo, hi)?;
                self.enumerable(&element)?;
                element.set()
            }
            Expr::Nodes(kind) => {
                require(
                    kind.is_none_or(|k| k.index() < self.machine.kinds.len()),
                    || "no such kind".into(),
                )?;
                Type::Node.set()
            }
            Expr::Values(ty) => {
                let element = self.exists(ty)?;
                self.enumerable(&element)?;
                element.set()
            }
            Expr::Neighbours(node) => {
                self.wants(node, &Type::Node)?;
                Type::Node.set()
            }
            Expr::Filter(local, domain, condition) => {
                let element = self.set(domain)?;
                self.binding(*local, &element, |t| t.wants(condition, &Type::Bool))?;
                element.set()
            }
            Expr::Quantified(quantifier, local, domain, body) => {
                self.quantified(*quantifier, *local, domain, body)?
            }
            Expr::Extremum(_, local, domain, by) => {
                let element = self.set(domain)?;
                let key = self.binding(*local, &element, |t| t.type_of(by))?;
                require(is_ordered(&key), || {
                    "largest by something without an order".into()
                })?;
                element
            }
            Expr::Map(map, node) => {
                require(map.index() < self.machine.maps.len(), || {
                    "no such map".into()
                })?;
                self.wants(node, &Type::Node)?;
                Type::Node
            }
            Expr::InMode(_, node) | Expr::HasFault(_, node) | Expr::Faultless(node) => {
                self.wants(node, &Type::Node)?;
                Type::Bool
            }
            Expr::Inbox(records, node) => {
                let all = records.iter().all(|r| is_message(self.machine, *r));
                require(all, || "inbox: no message".into())?;
                self.wants(node, &Type::Node)?;
                self.exists(&Type::one_of(records))?.set()
            }
            Expr::IsRecord(record, inner) => {
                self.may_be(inner, &Type::Record(*record))?;
                Type::Bool
            }
            Expr::Senders(record, node) => {
                let message = |r| is_message(self.machine, r);
                require(record.is_none_or(message), || "senders: no message".into())?;
                self.wants(node, &Type::Node)?;
                Type::Node.set()
            }
            Expr::InFlight(record, from, to) => {
                require(is_message(self.machine, *record), || {
                    "in flight: no message".into()
                })?;
                self.wants(from, &Type::Node)?;
                self.wants(to, &Type::Node)?;
                Type::Int(0, i64::MAX)
            }
            Expr::Quiescent => Type::Bool,
            Expr::TimerSet(timer, node, other) => {
                self.wants(node, &Type::Node)?;
                self.timer(*timer, other.as_deref())?;
                Type::Bool
            }
            Expr::Now(op, _) => {
                use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
                let compares = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
                require(compares, || "now is not compared".into())?;
                Type::Bool
            }
            Expr::Overdue(response) => {
                let exists = response.index() < self.machine.responses.len();
                require(exists, || "nothing must follow".into())?;
                Type::Bool
            }
        })
    }

    /// Checks that a timer exists and that `other` is given exactly if it is a per-node timer.
    pub(crate) fn timer(&mut self, timer: TimerId, other: Option<&Expr>) -> Result<(), TypeError> {
        let Some(declared) = self.machine.timers.get(timer.index()) else {
            return wrong("no such timer");
        };
        require(declared.per_node == other.is_some(), || {
            format!("timer {}: one for each node, or not", declared.name)
        })?;
        other.map_or(Ok(()), |other| self.wants(other, &Type::Node))
    }

    /// The element type of a set expression; an error if the expression is not a set.
    pub fn set(&mut self, expr: &Expr) -> Result<Type, TypeError> {
        match self.type_of(expr)? {
            Type::Set(element) => Ok(*element),
            other => wrong(format!("{other:?} where a set is wanted")),
        }
    }

    /// The type of the elements of a range, which may have any size.
    fn range(&mut self, lo: &Expr, hi: &Expr) -> Result<Type, TypeError> {
        let (lo, hi) = (self.int(lo)?, self.int(hi)?);
        Ok(Type::Int(lo.0, hi.1.max(lo.0)))
    }

    /// Checks that a set of all values of a type is not too large to be enumerated.
    fn enumerable(&self, element: &Type) -> Result<(), TypeError> {
        let elements = self.machine.cardinality(element);
        require(elements <= MOST_ELEMENTS, || {
            format!("a set of up to {elements} elements, and {MOST_ELEMENTS} are the most")
        })
    }

    fn option(&mut self, expr: &Expr) -> Result<Type, TypeError> {
        match self.type_of(expr)? {
            Type::Option(inner) => Ok(*inner),
            other => wrong(format!("{other:?} where an option is wanted")),
        }
    }

    pub(crate) fn int(&mut self, expr: &Expr) -> Result<(i64, i64), TypeError> {
        match self.type_of(expr)? {
            Type::Int(lo, hi) => Ok((lo, hi)),
            other => wrong(format!("{other:?} where an integer is wanted")),
        }
    }

    /// Checks that the expression may have a value of the type.
    fn may_be(&mut self, expr: &Expr, ty: &Type) -> Result<(), TypeError> {
        let found = self.type_of(expr)?;
        match self.fits(&found, ty) {
            true => Ok(()),
            false => self.wants(expr, ty),
        }
    }

    pub(crate) fn wants(&mut self, expr: &Expr, ty: &Type) -> Result<(), TypeError> {
        let found = self.type_of(expr)?;
        require(self.fits(ty, &found), || {
            format!("{found:?} where {ty:?} is wanted")
        })
    }

    /// Rejects a constant node of another kind than `kind`, the kind of the variable `name`.
    fn of_kind(&self, node: &Expr, kind: KindId, name: &str) -> Result<(), TypeError> {
        let other = match node.bare() {
            Expr::Const(Value::Node(n)) => self.machine.kind_of(*n) != kind,
            _ => false,
        };
        require(!other, || format!("{name} of a node of another kind"))
    }

    fn joined(&self, a: &Type, b: &Type) -> Result<Type, TypeError> {
        match self.join(a, b) {
            Some(ty) => Ok(ty),
            None => wrong(format!("{a:?} and {b:?} together")),
        }
    }

    pub(crate) fn bind(&mut self, local: LocalId, ty: &Type) -> Result<(), TypeError> {
        match self.scope.locals.get(local.index()) {
            Some(declared) if self.includes(&declared.ty, ty) => {
                self.bound[local.index()] = true;
                Ok(())
            }
            Some(declared) => wrong(format!("local {} is a {ty:?}", declared.name)),
            None => wrong("no such local"),
        }
    }

    fn includes(&self, declared: &Type, ty: &Type) -> bool {
        let declared = self.seen(declared);
        self.join(&declared, ty) == Some(declared)
    }

    /// Types the body of a quantifier or loop. The local is bound only inside the body.
    pub(crate) fn binding<T>(
        &mut self,
        local: LocalId,
        ty: &Type,
        inside: impl FnOnce(&mut Self) -> Result<T, TypeError>,
    ) -> Result<T, TypeError> {
        let before = self.bound.get(local.index()) == Some(&true);
        require(self.again || !before, || {
            format!("local {} is bound twice", local.0)
        })?;
        self.bind(local, ty)?;
        let result = inside(self)?;
        self.bound[local.index()] = before;
        Ok(result)
    }

    /// The type in this context; an error if it refers to undeclared types.
    fn exists(&self, ty: &Type) -> Result<Type, TypeError> {
        verify_type(self.machine, ty)?;
        Ok(self.seen(ty))
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Type, TypeError> {
        use BinaryOp::*;
        let ta = self.type_of(a)?;
        let tb = match (op, b.bare()) {
            (In, Expr::Range(lo, hi)) => self.range(lo, hi)?.set(),
            _ => self.type_of(b)?,
        };
        match op {
            Add | Sub | Mul | Mod | FloorDiv | CeilDiv => match (&ta, &tb) {
                (Type::Int(a, b), Type::Int(c, d)) => Ok(interval(op, (*a, *b), (*c, *d))),
                (Type::Counter(_), Type::Int(..)) if matches!(op, Add | Sub) => Ok(ta),
                _ => wrong(format!("{op:?} of {ta:?} and {tb:?}")),
            },
            Min | Max => {
                require(is_ordered(&ta), || format!("{op:?} of {ta:?}"))?;
                match (&ta, &tb) {
                    (Type::Int(a, b), Type::Int(c, d)) if op == Min => {
                        Ok(Type::Int(*a.min(c), *b.min(d)))
                    }
                    (Type::Int(a, b), Type::Int(c, d)) => Ok(Type::Int(*a.max(c), *b.max(d))),
                    _ => self.joined(&ta, &tb),
                }
            }
            Lt | Le | Gt | Ge => {
                require(is_ordered(&ta), || format!("{op:?} of {ta:?}"))?;
                self.joined(&ta, &tb)?;
                Ok(Type::Bool)
            }
            Eq | Ne => {
                self.joined(&ta, &tb)?;
                Ok(Type::Bool)
            }
            And | Or | Implies => {
                require(ta == Type::Bool && tb == Type::Bool, || {
                    format!("{op:?} of {ta:?} and {tb:?}")
                })?;
                Ok(Type::Bool)
            }
            In => match tb {
                Type::Set(element) => {
                    self.joined(&ta, &element)?;
                    Ok(Type::Bool)
                }
                other => wrong(format!("in {other:?}")),
            },
            Union | Intersect | Minus | Subset => match (&ta, &tb) {
                (Type::Set(_), Type::Set(_)) => {
                    let both = self.joined(&ta, &tb)?;
                    Ok(if op == Subset { Type::Bool } else { both })
                }
                _ => wrong(format!("{op:?} of {ta:?} and {tb:?}")),
            },
            Distance => {
                let nodes = (&ta, &tb) == (&Type::Node, &Type::Node);
                require(nodes, || format!("{op:?} of {ta:?} and {tb:?}"))?;
                Ok(Type::Int(0, i64::from(self.machine.node_count())))
            }
        }
    }

    fn quantified(
        &mut self,
        q: Quantifier,
        local: LocalId,
        domain: &Expr,
        body: &Expr,
    ) -> Result<Type, TypeError> {
        let element = self.set(domain)?;
        let body = self.binding(local, &element, |t| t.type_of(body))?;
        let most = match domain.bare() {
            Expr::Inbox(..) => self.machine.inbox_bound(&element),
            _ => self.machine.cardinality(&element).min(i64::MAX as u128) as i64,
        };
        match (q, &body) {
            (Quantifier::All | Quantifier::Exists, Type::Bool) => Ok(Type::Bool),
            (Quantifier::Count, Type::Bool) => Ok(Type::Int(0, most)),
            (Quantifier::The, Type::Bool) => Ok(element),
            (Quantifier::Sum, Type::Int(lo, hi)) => Ok(Type::Int(
                (*lo).min(0).saturating_mul(most),
                (*hi).max(0).saturating_mul(most),
            )),
            (Quantifier::Max | Quantifier::Min, _) if is_ordered(&body) => Ok(body),
            (Quantifier::Union | Quantifier::Intersect, Type::Set(_)) => Ok(body),
            _ => wrong(format!("{q:?} of {body:?}")),
        }
    }

    pub(crate) fn formula(&mut self, formula: &Formula) -> Result<(), TypeError> {
        match formula {
            Formula::State(condition) => self.wants(condition, &Type::Bool),
            Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
                self.formula(a)
            }
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Until(a, b)
            | Formula::LeadsTo(a, b) => {
                self.formula(a)?;
                self.formula(b)
            }
            Formula::All(local, domain, a) | Formula::Exists(local, domain, a) => {
                let element = self.set(domain)?;
                let mut frozen = true;
                domain.walk(&mut |e| frozen &= !e.reads_state());
                require(frozen, || {
                    "a quantifier around `always` ranges over something that changes".into()
                })?;
                self.binding(*local, &element, |t| t.formula(a))
            }
        }
    }
}
