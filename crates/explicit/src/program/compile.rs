//! The expression compiler: translates expressions of the Machine to [`Code`].

use crate::program::expression::{Code, Domain, NO_SLOT, Op};
use crate::program::totality::is_total;
use crate::state::codec::Codec;
use crate::state::layout::Layout;
use machine::{
    BinaryOp, Expr, Fault, KindId, LocalId, MOST_ELEMENTS, Machine, Quantifier, Scope, Type,
    Typing, UnaryOp, VarId, is_nonempty, may_fail,
};
use std::collections::HashMap;

/// Compiles expressions of one scope. An error names what the engine cannot represent.
pub(crate) struct Compiler<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) codec: Codec<'m>,
    typing: Typing<'m>,
    scope: &'m Scope,
    bases: Vec<u32>,
    /// Local names that stand for sets too large for a bit mask (`large_sets.rs`).
    pub(crate) named: HashMap<LocalId, Expr>,
    /// Local names of sets that are certainly non-empty.
    filled: Vec<LocalId>,
}

/// The greatest number of nodes for which a table of all distances is built.
const MOST_DISTANT: i64 = 2_000;

type Result<T> = std::result::Result<T, String>;

impl<'m> Compiler<'m> {
    pub(crate) fn new(machine: &'m Machine, scope: &'m Scope) -> Compiler<'m> {
        Compiler {
            machine,
            codec: Codec { machine },
            typing: Typing::all_bound(machine, scope),
            scope,
            bases: Layout::node_bases(machine),
            named: HashMap::new(),
            filled: Vec::new(),
        }
    }

    pub(crate) fn type_of(&mut self, expr: &Expr) -> Type {
        self.typing.type_of(expr).expect("a verified machine")
    }

    /// Whether the evaluation of `expr`, compiled to `code`, always succeeds with a value of the wanted type.
    pub(crate) fn is_total(&self, expr: &Expr, code: &Code) -> bool {
        let mut inside = code;
        while let Code::Fill(element, ..) = inside {
            inside = element;
        }
        is_total(self.machine, self.scope, expr, &self.filled)
            && !matches!(inside, Code::Within(..) | Code::Convert(..))
    }

    /// Records whether the set to which a local name is bound is certainly non-empty.
    pub(crate) fn binds(&mut self, local: LocalId, set: &Expr) {
        self.filled.retain(|other| *other != local);
        if is_nonempty(self.machine, set, &self.filled) {
            self.filled.push(local);
        }
    }

    /// Compiles an expression to a number of type `wanted`. The code is an error at run time if the type does not
    /// contain the value.
    pub(crate) fn typed(&mut self, expr: &Expr, wanted: &Type) -> Result<Code> {
        // The type of the fill value may be much wider than the element type of the wanted array. So the value is
        // converted, not the array.
        if let (Expr::Fill(over, inner), Type::Array(_, element)) = (expr.bare(), wanted) {
            self.codec.places(wanted)?;
            let value = self.part(inner, element)?;
            return self.fill(over, value, element);
        }
        let found = self.type_of(expr);
        let code = self.expr(expr)?;
        Ok(match (&found, wanted) {
            (Type::Int(a, b), Type::Int(lo, hi)) => {
                if lo <= a && b <= hi {
                    code
                } else {
                    Code::Within(Box::new(code), *lo, *hi)
                }
            }
            _ if found == *wanted => code,
            // The initial value of a counter is an integer.
            (Type::Int(..), Type::Counter(_)) => code,
            _ => {
                self.codec.places(&found)?;
                self.codec.places(wanted)?;
                Code::Convert(Box::new(code), Box::new((found, wanted.clone())))
            }
        })
    }

    /// Compiles an expression as a component of another value. Inside another value a counter must be within its
    /// bounds.
    pub(crate) fn part(&mut self, expr: &Expr, wanted: &Type) -> Result<Code> {
        let code = self.typed(expr, wanted)?;
        let Type::Counter(class) = wanted else {
            return Ok(code);
        };
        let window = self.machine.counters[class.index()].window;
        let (low, high) = window.ok_or("a counter without a window")?;
        Ok(Code::Window(Box::new(code), *class, low, high))
    }

    /// Compiles an expression to a number of its own type.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Result<Code> {
        cancellation::poll();
        Ok(match expr {
            Expr::At(_, inner) => self.expr(inner)?,
            Expr::Const(value) => {
                let ty = self.type_of(expr);
                Code::Const(self.codec.encode(&ty, value))
            }
            Expr::None(_) => Code::Const(0),
            Expr::Some(inner) => {
                let ty = self.type_of(inner);
                self.codec.places(&ty)?;
                let value = Box::new(self.part(inner, &ty)?);
                Code::Some(value, self.codec.first(&ty))
            }
            Expr::Unwrap(inner) => {
                let ty = self.type_of(expr);
                Code::Unwrap(self.boxed(inner)?, self.codec.first(&ty))
            }
            Expr::Local(local) => match self.named.get(local).cloned() {
                Some(meaning) => self.expr(&meaning)?,
                None => Code::Local(local.0),
            },
            Expr::Var(var, node) => Code::Slot(self.var_slots(*var), self.boxed(node)?),
            Expr::Frozen(frozen, node) => {
                let kind = self.machine.frozen_vars[frozen.index()].kind;
                let before: u32 = self.machine.frozen_vars[..frozen.index()]
                    .iter()
                    .map(|r| self.machine.kinds[r.kind.index()].count)
                    .sum();
                let table = self.by_node(kind, |place| before + place);
                Code::Frozen(table, self.boxed(node)?)
            }
            Expr::Record(record, fields) => {
                self.codec.places(&Type::Record(*record))?;
                let mut parts = Vec::new();
                let types = &self.machine.records[record.index()].fields;
                for (f, (field, (_, ty))) in fields.iter().zip(types).enumerate() {
                    let weight = self.codec.weight(*record, f as u32)?;
                    let code = self.part(field, ty)?;
                    let total = self.is_total(field, &code);
                    parts.push((code, self.codec.first(ty), weight, total));
                }
                Code::Record(parts.into())
            }
            Expr::Field(base, field) => {
                let Type::Record(record) = self.type_of(base) else {
                    unreachable!("verified to be a record")
                };
                let weight = self.codec.weight(record, *field)?;
                let ty = &self.machine.records[record.index()].fields[*field as usize].1;
                let places = self.codec.places(ty)? as i64;
                let first = self.codec.first(ty);
                Code::Field(self.boxed(base)?, *field, (weight, places), first)
            }
            Expr::Index(over, base, index) => {
                let element = self.type_of(expr);
                let first = self.codec.first(over);
                let last = first + self.codec.places(over)? as i64 - 1;
                let (array, index) = (self.boxed(base)?, self.boxed(index)?);
                let places = self.codec.places(&element)? as i64;
                Code::Element(
                    array,
                    index,
                    (first, last),
                    places,
                    self.codec.first(&element),
                )
            }
            Expr::Fill(over, inner) => {
                let element = self.type_of(inner);
                self.codec
                    .places(&self.typing.type_of(expr).expect("verified"))?;
                let value = self.part(inner, &element)?;
                self.fill(over, value, &element)?
            }
            Expr::Unary(UnaryOp::Size, set) if self.is_large(set) => {
                Code::SizeOf(Box::new(self.domain(set)?.once()))
            }
            Expr::Unary(op, inner) => {
                let inner = self.boxed(inner)?;
                match op {
                    UnaryOp::Not => Code::Not(inner),
                    UnaryOp::Neg => Code::Neg(inner),
                    UnaryOp::Size => Code::Size(inner),
                    UnaryOp::IsSome => Code::IsSome(inner),
                }
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::If(condition, then, otherwise) => {
                let ty = self.type_of(expr);
                let condition = self.boxed(condition)?;
                let (then, otherwise) = (self.typed(then, &ty)?, self.typed(otherwise, &ty)?);
                Code::If(condition, Box::new(then), Box::new(otherwise))
            }
            Expr::Let(local, value, body) => {
                let value = match self.name_inside(*local, value)? {
                    // The count is not used; the enumeration only detects errors in the set.
                    Some(domain) => Code::SizeOf(Box::new(domain)),
                    None => self.typed(value, &self.scope.locals[local.index()].ty)?,
                };
                Code::Let(local.0, Box::new(value), self.boxed(body)?)
            }
            Expr::Within(ty, inner) => self.typed(inner, ty)?,
            Expr::IsRecord(record, inner) => {
                let (first, count) = match self.type_of(inner) {
                    Type::OneOf(all) => (
                        self.codec.offset(&all, *record),
                        self.codec.places(&Type::Record(*record))? as i64,
                    ),
                    _ => return Ok(Code::Const(1)),
                };
                let last = Box::new(Code::Const(first + count - 1));
                Code::Inside(self.boxed(inner)?, Box::new(Code::Const(first)), last)
            }
            Expr::Set(element, items) => {
                self.codec.places(&element.clone().set())?;
                let first = self.codec.first(element);
                let mut mask = Code::Const(0);
                for item in items {
                    let item = Code::Singleton(Box::new(self.part(item, element)?), first);
                    mask = Code::Arithmetic(Op::Union, Box::new(mask), Box::new(item));
                }
                mask
            }
            Expr::Range(..)
            | Expr::Nodes(_)
            | Expr::Values(_)
            | Expr::Neighbours(_)
            | Expr::Inbox(..)
            | Expr::Senders(..)
            | Expr::Filter(..) => {
                let set = self.type_of(expr);
                let Type::Set(element) = &set else {
                    unreachable!("verified to be a set")
                };
                self.codec.places(&set)?;
                Code::Mask(Box::new(self.domain(expr)?), self.codec.first(element))
            }
            Expr::Quantified(quantifier, local, domain, body) => {
                let same = *quantifier != Quantifier::The;
                let domain = Box::new(
                    match self.ignores_order(*quantifier, *local, domain, body) {
                        true => self.unordered_domain(domain)?,
                        false => self.domain_of(*local, domain, same)?,
                    },
                );
                if matches!(quantifier, Quantifier::Union | Quantifier::Intersect) {
                    let ty = self.type_of(body);
                    self.codec.places(&ty)?;
                }
                let code = self.boxed(body)?;
                let total = self.is_total(body, &code);
                Code::Quantified(*quantifier, local.0, domain, code, total)
            }
            Expr::Extremum(largest, local, domain, by) => Code::Extremum(
                *largest,
                local.0,
                Box::new(self.domain_of(*local, domain, false)?),
                self.boxed(by)?,
            ),
            Expr::Map(map, node) => {
                let table = self.machine.maps[map.index()]
                    .to
                    .iter()
                    .map(|n| i64::from(n.0))
                    .collect();
                Code::Map(table, self.boxed(node)?)
            }
            Expr::InMode(mode, node) => {
                let slot = Code::Slot(self.bases.clone().into(), self.boxed(node)?);
                Code::Arithmetic(Op::Eq, Box::new(slot), Box::new(Code::Const(*mode as i64)))
            }
            Expr::HasFault(fault, node) => {
                let number = self.fault_of(node)?;
                let wanted = Code::Const(fault_number(Some(*fault)));
                Code::Arithmetic(Op::Eq, Box::new(number), Box::new(wanted))
            }
            Expr::InFlight(record, from, to) => {
                Code::InFlight(*record, self.boxed(from)?, self.boxed(to)?)
            }
            Expr::Quiescent => Code::Quiescent,
            Expr::TimerSet(timer, node, other) => self.timer_set(*timer, node, other.as_deref())?,
            Expr::Faultless(node) => self.faultless(node)?,
            Expr::Now(op, time) => self.now(*op, time)?,
            Expr::Overdue(response) => self.overdue(*response)?,
        })
    }

    /// Code for the number of the permanent fault of a node.
    pub(crate) fn fault_of(&mut self, node: &Expr) -> Result<Code> {
        let values = self.machine.frozen_vars.iter();
        let values = values.map(|r| self.machine.kinds[r.kind.index()].count);
        let before: u32 = values.sum();
        let table = self.machine.nodes().map(|n| before + n.0).collect();
        Ok(Code::Frozen(table, self.boxed(node)?))
    }

    /// Compiles the domain of a local name, with elements as numbers of the name's type. `convertible`: whether
    /// elements may be converted from another type. If it is false, the two types must agree, because the elements are
    /// also used as numbers of the domain's own type.
    pub(crate) fn domain_of(
        &mut self,
        local: LocalId,
        expr: &Expr,
        convertible: bool,
    ) -> Result<Domain> {
        let declared = &self.scope.locals[local.index()].ty;
        let element = self.typing.set(expr).expect("a verified machine");
        match (&element, declared) {
            (Type::Int(..), Type::Int(..)) => self.domain(expr),
            _ if element == *declared => self.domain(expr),
            _ if convertible => {
                let set = declared.clone().set();
                self.codec.places(&set)?;
                Ok(Domain::Mask(
                    self.typed(expr, &set)?,
                    self.codec.first(declared),
                ))
            }
            _ => Err("a set whose elements have two different types".into()),
        }
    }

    /// Compiles a set expression as a domain for enumeration.
    pub(crate) fn domain(&mut self, expr: &Expr) -> Result<Domain> {
        Ok(match expr {
            Expr::At(_, inner) => self.domain(inner)?,
            Expr::Range(lo, hi) => {
                let Type::Set(range) = self.type_of(expr) else {
                    unreachable!("verified to be a set")
                };
                let values = self.machine.cardinality(&range);
                if values > MOST_ELEMENTS {
                    return Err(format!("a range of up to {values} values to go through"));
                }
                Domain::Between(self.expr(lo)?, self.expr(hi)?)
            }
            Expr::Nodes(None) => between(0, i64::from(self.machine.node_count())),
            Expr::Nodes(Some(kind)) => {
                let first = self
                    .machine
                    .nodes_of(*kind)
                    .next()
                    .map_or(0, |n| i64::from(n.0));
                between(first, i64::from(self.machine.kinds[kind.index()].count))
            }
            Expr::Values(ty) if self.machine.cardinality(ty) > MOST_ELEMENTS => {
                return Err("a type with too many values to go through".into());
            }
            Expr::Values(ty) => between(self.codec.first(ty), self.codec.places(ty)? as i64),
            Expr::Neighbours(node) => {
                let targets = |from| {
                    let out = self.machine.edges.iter().filter(move |(f, _)| *f == from);
                    let mut to: Vec<i64> = out.map(|(_, to)| i64::from(to.0)).collect();
                    to.sort_unstable();
                    to
                };
                let table = self.machine.nodes().map(targets).collect();
                Domain::Neighbours(table, self.expr(node)?)
            }
            Expr::Inbox(records, node) => {
                let types = records.iter().map(|r| (*r, self.codec.offset(records, *r)));
                Domain::Inbox(types.collect(), self.expr(node)?, true)
            }
            Expr::Senders(record, node) => Domain::Senders(*record, self.expr(node)?),
            Expr::Filter(local, domain, condition) => {
                let inner = Box::new(self.domain_of(*local, domain, false)?.once());
                Domain::Filter(inner, local.0, self.expr(condition)?)
            }
            other => {
                if let Some(parts) = self.gathered(other, true)? {
                    return Ok(parts);
                }
                let element = self.typing.set(other).expect("a verified machine");
                Domain::Mask(self.expr(other)?, self.codec.first(&element))
            }
        })
    }

    /// Whether the value of a quantifier is independent of the order and repetition of elements. Also requires that
    /// elements have the type of the local name.
    fn ignores_order(
        &mut self,
        quantifier: Quantifier,
        local: LocalId,
        domain: &Expr,
        body: &Expr,
    ) -> bool {
        use Quantifier::*;
        let element = self.typing.set(domain).expect("a verified machine");
        let never_fails = |e: &Expr| !may_fail(self.machine, e, &[]);
        element == self.scope.locals[local.index()].ty
            && never_fails(domain)
            && match quantifier {
                // These stop at the first decisive element, so an error in a later one depends on the order.
                All | Exists => never_fails(body),
                Max | Min | Union | Intersect => true,
                Count | Sum | The => false,
            }
    }

    /// Compiles a domain whose elements may be enumerated in any order and repeatedly, without building the set.
    pub(crate) fn unordered_domain(&mut self, expr: &Expr) -> Result<Domain> {
        match self.gathered(expr, false)? {
            Some(parts) => Ok(parts),
            None => self.domain(expr),
        }
    }

    /// By node: the slot of a variable, or [`NO_SLOT`].
    pub(crate) fn var_slots(&self, var: VarId) -> Box<[u32]> {
        let kind = self.machine.vars[var.index()].kind;
        let place = self.machine.place_of_var(var) as u32;
        let nodes = self.machine.nodes();
        nodes
            .map(|node| {
                if self.machine.kind_of(node) == kind {
                    self.bases[node.index()] + 1 + place
                } else {
                    NO_SLOT
                }
            })
            .collect()
    }

    fn by_node(&self, kind: KindId, number: impl Fn(u32) -> u32) -> Box<[u32]> {
        let nodes = self.machine.nodes();
        nodes
            .map(|node| {
                if self.machine.kind_of(node) == kind {
                    number(self.machine.place_in_kind(node) as u32)
                } else {
                    NO_SLOT
                }
            })
            .collect()
    }

    /// Code for the array over index type `over` in which every element has the same value.
    fn fill(&self, over: &Type, value: Code, element: &Type) -> Result<Code> {
        let count = self.codec.places(over)? as u32;
        let places = self.codec.places(element)? as i64;
        let first = self.codec.first(element);
        Ok(Code::Fill(Box::new(value), count, places, first))
    }

    fn boxed(&mut self, expr: &Expr) -> Result<Box<Code>> {
        Ok(Box::new(self.expr(expr)?))
    }

    /// Compiles both operands to numbers of the smallest type that contains both types.
    fn both(&mut self, a: &Expr, b: &Expr) -> Result<(Box<Code>, Box<Code>)> {
        let joined = self
            .type_of(a)
            .join(&self.type_of(b))
            .expect("a verified machine");
        Ok((
            Box::new(self.typed(a, &joined)?),
            Box::new(self.typed(b, &joined)?),
        ))
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Code> {
        let empty = |e: &Expr| matches!(e.bare(), Expr::Set(_, items) if items.is_empty());
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            for (set, other) in [(a, b), (b, a)] {
                if empty(other) && self.is_large(set) {
                    let size = Code::SizeOf(Box::new(self.domain(set)?.once()));
                    let op = if op == BinaryOp::Eq { Op::Eq } else { Op::Ne };
                    let none = Box::new(Code::Const(0));
                    return Ok(Code::Arithmetic(op, Box::new(size), none));
                }
            }
        }
        let arithmetic = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let (first, second) = (self.boxed(a)?, self.boxed(b)?);
                let total = self.is_total(a, &first);
                return Ok(match op {
                    BinaryOp::And => Code::And(first, second, total),
                    BinaryOp::Or => Code::Or(first, second, total),
                    _ => Code::Implies(first, second, total),
                });
            }
            BinaryOp::In => return self.membership(a, b),
            BinaryOp::Distance => return self.distance(a, b),
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Mod => Op::Mod,
            BinaryOp::FloorDiv => Op::FloorDiv,
            BinaryOp::CeilDiv => Op::CeilDiv,
            BinaryOp::Min => Op::Min,
            BinaryOp::Max => Op::Max,
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            BinaryOp::Subset => Op::Subset,
            BinaryOp::Union => Op::Union,
            BinaryOp::Intersect => Op::Intersect,
            BinaryOp::Minus => Op::Minus,
        };
        let (a, b) = match (op, self.type_of(a)) {
            (BinaryOp::Add | BinaryOp::Sub, Type::Counter(_)) => (self.boxed(a)?, self.boxed(b)?),
            _ => self.both(a, b)?,
        };
        Ok(Code::Arithmetic(arithmetic, a, b))
    }

    /// Code for the distance of two nodes: a lookup in a table of all pairs.
    fn distance(&mut self, a: &Expr, b: &Expr) -> Result<Code> {
        let n = i64::from(self.machine.node_count());
        if n > MOST_DISTANT {
            return Err("distances between so many nodes".into());
        }
        let from = self.machine.nodes().flat_map(|a| self.machine.distances(a));
        let table: Vec<i64> = from.collect();
        let row = Code::Arithmetic(Op::Mul, self.boxed(a)?, Box::new(Code::Const(n)));
        let place = Code::Arithmetic(Op::Add, Box::new(row), self.boxed(b)?);
        Ok(Code::Map(table.into(), Box::new(place)))
    }

    fn membership(&mut self, element: &Expr, set: &Expr) -> Result<Code> {
        if let Expr::Set(_, items) = set.bare()
            && !items.is_empty()
            && items
                .iter()
                .all(|item| matches!(item.bare(), Expr::Const(_)))
        {
            // Membership in a list of constants is a disjunction. It needs no bit mask, so the constants may be far
            // apart.
            let mut any = Code::Const(0);
            for item in items {
                let same = Box::new(self.binary(BinaryOp::Eq, element, item)?);
                any = Code::Or(Box::new(any), same, false);
            }
            return Ok(any);
        }
        if let Expr::Range(lo, hi) = set.bare() {
            let element = self.boxed(element)?;
            return Ok(Code::Inside(element, self.boxed(lo)?, self.boxed(hi)?));
        }
        let inner = self.typing.set(set).expect("a verified machine");
        let found = self.type_of(element);
        let joined = found.join(&inner).expect("a verified machine");
        let walked = matches!(
            set.bare(),
            Expr::Range(..)
                | Expr::Nodes(_)
                | Expr::Values(_)
                | Expr::Neighbours(_)
                | Expr::Filter(..)
        ) || self.is_large(set);
        // Numbers of different types are not comparable, except those of integer types.
        if walked && (found == inner || matches!(joined, Type::Int(..))) {
            let element = self.boxed(element)?;
            return Ok(Code::InDomain(element, Box::new(self.domain(set)?)));
        }
        let mask = self.typed(set, &joined.clone().set())?;
        let places = self.codec.places(&joined)? as i64;
        let first = self.codec.first(&joined);
        let element = Box::new(self.typed(element, &joined)?);
        Ok(Code::Has(element, Box::new(mask), first, places))
    }
}

/// The permanent fault of a node as a number; 0 if it has none.
pub(crate) fn fault_number(fault: Option<Fault>) -> i64 {
    match fault {
        None => 0,
        Some(Fault::Off) => 1,
        Some(Fault::Mute) => 2,
        Some(Fault::Deaf) => 3,
        Some(Fault::Isolated) => 4,
    }
}

fn between(first: i64, count: i64) -> Domain {
    Domain::Between(Code::Const(first), Code::Const(first + count - 1))
}
