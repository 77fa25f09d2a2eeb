//! Evaluation of expressions in a state, and runtime errors.

use crate::semantics::timers;
use crate::{
    BinaryOp, Expr, Instance, LocalId, Mode, NodeId, Origin, Quantifier, RecordId, State, Type,
    UnaryOp, Value,
};
use rational::Rational;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A runtime error; the run ends with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The innermost source location of the failing code, if there is one.
    pub origin: Option<Origin>,
}

/// The kinds of runtime error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ErrorKind {
    /// A value is not of the type of the variable, field or set in which it is used.
    OutOfRange(Value, Type),
    /// `the`, `max`, `min`, `intersect`, `largest` or `smallest` without any element.
    Empty,
    /// `the` with two different elements.
    NotUnique,
    /// A `choose` from the empty set.
    NothingToChoose,
    /// The content of an absent optional value was read or assigned.
    NoneUsed,
    /// An index that is not of the index type, or a node whose kind does not have the variable or timer.
    BadIndex(Value),
    /// A division by zero.
    DivisionByZero,
    /// An integer result outside the range of `i64`.
    Overflow,
    /// An assertion that does not hold.
    Assertion,
    /// A message was sent to this node, to which the sender has no edge.
    NotANeighbour(NodeId),
    /// A message was delivered to a node that has no code for it.
    Unhandled(RecordId),
    /// A timer was set with a negative or empty interval: the minimum and the maximum duration.
    BadTimer(Rational, Rational),
    /// Time cannot pass, and no sequence of events at the current time changes that.
    TimeLock,
}

/// The elements that a quantifier or loop visits.
pub(crate) enum Elements {
    /// The numbers of a range.
    Numbers(std::ops::RangeInclusive<i64>),
    /// The elements of a set or inbox.
    Listed(std::vec::IntoIter<Value>),
}

impl Iterator for Elements {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            Elements::Numbers(range) => range.next().map(Value::Int),
            Elements::Listed(list) => list.next(),
        }
    }
}

/// Evaluates expressions in one state, under bindings of locals.
pub(crate) struct Evaluator<'a> {
    pub(crate) instance: Instance<'a>,
    /// The state; copied on the first write.
    pub(crate) state: Cow<'a, State>,
    /// Subexpressions with given values; they are not evaluated.
    pub(crate) known: Vec<(Expr, Value)>,
    /// The nodes whose inboxes were read or cleared so far.
    pub(crate) inboxes_read: BTreeSet<NodeId>,
    locals: Vec<Option<Value>>,
    origin: Option<Origin>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(instance: Instance<'a>, state: Cow<'a, State>) -> Evaluator<'a> {
        Evaluator {
            instance,
            state,
            known: Vec::new(),
            inboxes_read: BTreeSet::new(),
            locals: Vec::new(),
            origin: None,
        }
    }

    /// Binds a local to a value.
    pub(crate) fn bind(&mut self, local: LocalId, value: Value) {
        if self.locals.len() <= local.index() {
            self.locals.resize(local.index() + 1, None);
        }
        self.locals[local.index()] = Some(value);
    }

    /// An error with the current source location.
    pub(crate) fn error<T>(&self, kind: ErrorKind) -> Result<T, RunError> {
        Err(RunError {
            kind,
            origin: self.origin,
        })
    }

    /// Sets the current source location.
    pub(crate) fn at(&mut self, origin: Origin) {
        self.origin = Some(origin);
    }

    pub(crate) fn condition(&mut self, expr: &Expr) -> Result<bool, RunError> {
        Ok(self.value(expr)?.as_bool())
    }

    pub(crate) fn value(&mut self, expr: &Expr) -> Result<Value, RunError> {
        cancellation::poll();
        let machine = self.instance.machine;
        if let Some((_, value)) = self.known.iter().find(|(part, _)| part == expr) {
            return Ok(value.clone());
        }
        Ok(match expr {
            Expr::At(origin, inner) => {
                let outer = self.origin.replace(*origin);
                let value = self.value(inner)?;
                self.origin = outer;
                value
            }
            Expr::Const(value) => value.clone(),
            Expr::None(_) => Value::None,
            Expr::Some(inner) => Value::some(self.value(inner)?),
            Expr::Unwrap(inner) => match self.value(inner)? {
                Value::Some(value) => *value,
                _ => return self.error(ErrorKind::NoneUsed),
            },
            Expr::Local(local) => self.locals[local.index()]
                .clone()
                .expect("verified to be bound"),
            Expr::Var(var, node) => {
                let node = self.value(node)?.as_node();
                if machine.kind_of(node) != machine.vars[var.index()].kind {
                    return self.error(ErrorKind::BadIndex(Value::Node(node)));
                }
                self.state.nodes[node.index()].vars[machine.place_of_var(*var)].clone()
            }
            Expr::Frozen(frozen, node) => {
                let node = self.value(node)?.as_node();
                if machine.kind_of(node) != machine.frozen_vars[frozen.index()].kind {
                    return self.error(ErrorKind::BadIndex(Value::Node(node)));
                }
                self.instance.frozen.values[frozen.index()][machine.place_in_kind(node)].clone()
            }
            Expr::Record(record, fields) => {
                let mut values = Vec::new();
                for (field, (_, ty)) in fields.iter().zip(&machine.records[record.index()].fields) {
                    let value = self.value(field)?;
                    values.push(self.checked(value, ty)?);
                }
                Value::Record(*record, values)
            }
            Expr::Field(base, field) => match self.value(base)? {
                Value::Record(_, mut values) => values.swap_remove(*field as usize),
                other => unreachable!("verified to be a record: {other:?}"),
            },
            Expr::Index(ty, base, index) => {
                let (base, index) = (self.value(base)?, self.value(index)?);
                match (base, machine.index_of(&index, ty)) {
                    (Value::Array(values), Some(place)) => values[place].clone(),
                    _ => return self.error(ErrorKind::BadIndex(index)),
                }
            }
            Expr::Fill(index, inner) => {
                let value = self.value(inner)?;
                Value::Array(vec![value; machine.cardinality(index) as usize])
            }
            Expr::Unary(op, inner) => {
                let value = self.value(inner)?;
                match op {
                    UnaryOp::Not => Value::Bool(!value.as_bool()),
                    UnaryOp::Neg => self.integer(value.as_int().checked_neg())?,
                    UnaryOp::Size => Value::Int(value.as_set().len() as i64),
                    UnaryOp::IsSome => Value::Bool(value != Value::None),
                }
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::If(condition, then, otherwise) => {
                if self.condition(condition)? {
                    self.value(then)?
                } else {
                    self.value(otherwise)?
                }
            }
            Expr::Let(local, value, body) => {
                let value = self.value(value)?;
                self.bind(*local, value);
                self.value(body)?
            }
            Expr::Within(ty, inner) => {
                let value = self.value(inner)?;
                self.checked(value, ty)?
            }
            Expr::Set(ty, items) => {
                let mut values = BTreeSet::new();
                for item in items {
                    let value = self.value(item)?;
                    values.insert(self.checked(value, ty)?);
                }
                Value::Set(values)
            }
            Expr::Range(lo, hi) => {
                let (lo, hi) = (self.value(lo)?.as_int(), self.value(hi)?.as_int());
                Value::Set((lo..=hi).map(Value::Int).collect())
            }
            Expr::Nodes(None) => Value::Set(machine.nodes().map(Value::Node).collect()),
            Expr::Nodes(Some(kind)) => {
                Value::Set(machine.nodes_of(*kind).map(Value::Node).collect())
            }
            Expr::Values(ty) => Value::Set(machine.values(ty).into_iter().collect()),
            Expr::Neighbours(node) => {
                let node = self.value(node)?.as_node();
                let out = machine.edges.iter().filter(|(from, _)| *from == node);
                Value::Set(out.map(|(_, to)| Value::Node(*to)).collect())
            }
            Expr::Filter(local, domain, condition) => {
                let mut kept = BTreeSet::new();
                for value in self.value(domain)?.as_set() {
                    self.bind(*local, value.clone());
                    if self.condition(condition)? {
                        kept.insert(value.clone());
                    }
                }
                Value::Set(kept)
            }
            Expr::Quantified(quantifier, local, domain, body) => {
                self.quantified(*quantifier, *local, domain, body)?
            }
            Expr::Extremum(largest, local, domain, by) => {
                let mut best: Option<(Value, Value)> = None;
                for element in self.elements(domain)? {
                    self.bind(*local, element.clone());
                    let key = self.value(by)?;
                    let better = match &best {
                        None => true,
                        Some((_, old)) => (*largest && key > *old) || (!*largest && key < *old),
                    };
                    if better {
                        best = Some((element.clone(), key));
                    }
                }
                match best {
                    Some((element, _)) => element,
                    None => return self.error(ErrorKind::Empty),
                }
            }
            Expr::Map(map, node) => {
                let node = self.value(node)?.as_node();
                Value::Node(machine.maps[map.index()].to[node.index()])
            }
            Expr::InMode(mode, node) => {
                let node = self.value(node)?.as_node();
                Value::Bool(self.mode(node) == *mode)
            }
            Expr::HasFault(fault, node) => {
                let node = self.value(node)?.as_node();
                Value::Bool(self.instance.frozen.fault(node) == Some(*fault))
            }
            Expr::IsRecord(record, inner) => Value::Bool(self.value(inner)?.record() == *record),
            Expr::Inbox(..) => Value::Set(self.listed(expr)?.into_iter().collect()),
            Expr::Senders(record, node) => {
                let node = self.value(node)?.as_node();
                self.inboxes_read.insert(node);
                let inbox = self.state.nodes[node.index()].inbox.iter();
                let wanted = inbox.filter(|(_, m)| record.is_none_or(|r| m.record() == r));
                Value::Set(wanted.map(|(sender, _)| Value::Node(*sender)).collect())
            }
            Expr::InFlight(record, from, to) => {
                let (from, to) = (self.value(from)?.as_node(), self.value(to)?.as_node());
                let on_the_way = match machine.edge(from, to) {
                    Some(edge) => self.state.edges[edge.index()].iter(),
                    None => [].iter(),
                };
                Value::Int(on_the_way.filter(|m| m.record() == *record).count() as i64)
            }
            Expr::Quiescent => Value::Bool(self.instance.is_quiescent(&self.state)),
            Expr::TimerSet(timer, node, other) => {
                let node = self.value(node)?.as_node();
                if machine.kind_of(node) != machine.timers[timer.index()].kind {
                    return self.error(ErrorKind::BadIndex(Value::Node(node)));
                }
                let other = other.as_ref().map(|other| self.value(other)).transpose()?;
                let place = machine.timer_place(*timer, other.as_ref().map(Value::as_node));
                Value::Bool(self.state.nodes[node.index()].timers[place])
            }
            Expr::Faultless(node) => {
                let node = self.value(node)?.as_node();
                let faulted = self.state.nodes[node.index()].faulted.contains(&true);
                Value::Bool(self.instance.frozen.fault(node).is_none() && !faulted)
            }
            Expr::Now(op, time) => {
                let clock = self
                    .state
                    .clock
                    .as_ref()
                    .expect("a question about times has them");
                let order = clock.now.cmp(time);
                Value::Bool(match op {
                    BinaryOp::Eq => order.is_eq(),
                    BinaryOp::Ne => order.is_ne(),
                    BinaryOp::Lt => order.is_lt(),
                    BinaryOp::Le => order.is_le(),
                    BinaryOp::Gt => order.is_gt(),
                    BinaryOp::Ge => order.is_ge(),
                    other => unreachable!("verified to be a comparison: {other:?}"),
                })
            }
            Expr::Overdue(response) => {
                let clock = self
                    .state
                    .clock
                    .as_ref()
                    .expect("a question about times has them");
                Value::Bool(timers::is_overdue(&self.instance, clock, *response))
            }
        })
    }

    /// The ends of a range; `None` for any other expression. Loops and membership tests over ranges do not build the
    /// set.
    fn range(&mut self, expr: &Expr) -> Result<Option<(i64, i64)>, RunError> {
        if self.known.iter().any(|(part, _)| part == expr) {
            return Ok(None);
        }
        match expr {
            Expr::At(origin, inner) => {
                let outer = self.origin.replace(*origin);
                let ends = self.range(inner)?;
                self.origin = outer;
                Ok(ends)
            }
            Expr::Range(lo, hi) => {
                let (lo, hi) = (self.value(lo)?.as_int(), self.value(hi)?.as_int());
                Ok(Some((lo, hi)))
            }
            _ => Ok(None),
        }
    }

    /// The elements that a quantifier or loop visits, in order: the elements of a set, or every copy of a message in an
    /// inbox.
    pub(crate) fn elements(&mut self, domain: &Expr) -> Result<Elements, RunError> {
        if let Some((lo, hi)) = self.range(domain)? {
            return Ok(Elements::Numbers(lo..=hi));
        }
        self.listed(domain)
            .map(|list| Elements::Listed(list.into_iter()))
    }

    /// The elements of a set that is not a range, or every copy of a message in an inbox.
    fn listed(&mut self, domain: &Expr) -> Result<Vec<Value>, RunError> {
        match domain.bare() {
            Expr::Inbox(records, node) if !self.known.iter().any(|(e, _)| e == domain.bare()) => {
                let node = self.value(node)?.as_node();
                self.inboxes_read.insert(node);
                let inbox = self.state.nodes[node.index()].inbox.iter();
                let messages = inbox.map(|(_, message)| message);
                Ok(messages
                    .filter(|m| records.contains(&m.record()))
                    .cloned()
                    .collect())
            }
            _ => Ok(self.value(domain)?.as_set().iter().cloned().collect()),
        }
    }

    /// The value; an error if it is not of the type.
    pub(crate) fn checked(&self, value: Value, ty: &Type) -> Result<Value, RunError> {
        if self.instance.machine.is_of(&value, ty) {
            Ok(value)
        } else {
            self.error(ErrorKind::OutOfRange(value, ty.clone()))
        }
    }

    fn mode(&self, node: NodeId) -> Mode {
        self.state.nodes[node.index()].mode
    }

    fn integer(&self, result: Option<i64>) -> Result<Value, RunError> {
        match result {
            Some(i) => Ok(Value::Int(i)),
            None => self.error(ErrorKind::Overflow),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Value, RunError> {
        use BinaryOp::*;
        let a = self.value(a)?;
        match (op, &a) {
            (And, Value::Bool(false)) | (Implies, Value::Bool(false)) | (Or, Value::Bool(true)) => {
                return Ok(Value::Bool(op != And));
            }
            _ => {}
        }
        if op == In
            && let Some((lo, hi)) = self.range(b)?
        {
            let number = a.as_int();
            return Ok(Value::Bool(lo <= number && number <= hi));
        }
        let b = self.value(b)?;
        Ok(match op {
            Add => self.integer(a.as_int().checked_add(b.as_int()))?,
            Sub => self.integer(a.as_int().checked_sub(b.as_int()))?,
            Mul => self.integer(a.as_int().checked_mul(b.as_int()))?,
            Mod | FloorDiv | CeilDiv if b == Value::Int(0) => {
                return self.error(ErrorKind::DivisionByZero);
            }
            Mod => self.integer(a.as_int().checked_rem_euclid(b.as_int()))?,
            FloorDiv => self.integer(floor_div(a.as_int(), b.as_int()))?,
            CeilDiv => {
                let down = a
                    .as_int()
                    .checked_neg()
                    .and_then(|minus| floor_div(minus, b.as_int()));
                self.integer(down.and_then(i64::checked_neg))?
            }
            Min => a.min(b),
            Max => a.max(b),
            Eq => Value::Bool(a == b),
            Ne => Value::Bool(a != b),
            Lt => Value::Bool(a < b),
            Le => Value::Bool(a <= b),
            Gt => Value::Bool(a > b),
            Ge => Value::Bool(a >= b),
            And | Or | Implies => b,
            In => Value::Bool(b.as_set().contains(&a)),
            Subset => Value::Bool(a.as_set().is_subset(b.as_set())),
            Union => Value::Set(a.as_set() | b.as_set()),
            Intersect => Value::Set(a.as_set() & b.as_set()),
            Minus => Value::Set(a.as_set() - b.as_set()),
            Distance => Value::Int(self.instance.machine.distance(a.as_node(), b.as_node())),
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        local: LocalId,
        domain: &Expr,
        body: &Expr,
    ) -> Result<Value, RunError> {
        let mut found = Vec::new();
        let (mut count, mut sum) = (0i64, Some(0i64));
        for element in self.elements(domain)? {
            self.bind(local, element.clone());
            let value = self.value(body)?;
            match (quantifier, &value) {
                (Quantifier::All, Value::Bool(false)) => return Ok(Value::Bool(false)),
                (Quantifier::Exists, Value::Bool(true)) => return Ok(Value::Bool(true)),
                (Quantifier::Count, Value::Bool(true)) => count += 1,
                (Quantifier::The, Value::Bool(true)) => found.push(element),
                (Quantifier::Sum, value) => {
                    sum = sum.and_then(|sum| sum.checked_add(value.as_int()));
                }
                (Quantifier::All | Quantifier::Exists | Quantifier::The | Quantifier::Count, _) => {
                }
                _ => found.push(value),
            }
        }
        let sets = || found.iter().map(Value::as_set);
        match quantifier {
            Quantifier::All => Ok(Value::Bool(true)),
            Quantifier::Exists => Ok(Value::Bool(false)),
            Quantifier::Count => Ok(Value::Int(count)),
            Quantifier::Sum => self.integer(sum),
            Quantifier::Union => Ok(Value::Set(sets().flatten().cloned().collect())),
            _ if found.is_empty() => self.error(ErrorKind::Empty),
            Quantifier::Max => Ok(found.into_iter().max().expect("not empty")),
            Quantifier::Min => Ok(found.into_iter().min().expect("not empty")),
            Quantifier::The if found.iter().any(|other| *other != found[0]) => {
                self.error(ErrorKind::NotUnique)
            }
            Quantifier::The => Ok(found.remove(0)),
            Quantifier::Intersect => {
                let all = sets().cloned().reduce(|a, b| &a & &b);
                Ok(Value::Set(all.expect("not empty")))
            }
        }
    }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    })
}
