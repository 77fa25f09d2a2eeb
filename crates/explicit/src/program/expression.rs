//! Compiled expressions: trees over numbers, evaluated on an open state.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::codec::Codec;
use crate::state::counters::OutOfBounds;
use crate::state::layout::{Layout, Slots};
use crate::state::partial_value::{self, LazyComponent, SlotAbstraction, UNDECIDED};
use machine::{ClassId, EdgeId, Quantifier, RecordId, Type};

/// Why the evaluation of an expression gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// The evaluation is an error. Which one is determined by the reference interpreter.
    Broken,
    /// It depends on an undecided component.
    Undecided(LazyComponent),
    /// It depends on an unknown value.
    Unknown,
}

/// A compiled expression. Tables are indexed by node; [`NO_SLOT`] marks a node that does not have the variable. The
/// *first number* of a type is that of its least value.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Const(i64),
    Local(u32),
    /// The value of a slot: table of slots by node, and the node.
    Slot(Box<[u32]>, Box<Code>),
    Frozen(Box<[u32]>, Box<Code>),
    /// An option that contains the value. The number is the first number of its type.
    Some(Box<Code>, i64),
    /// The value of an option; an error if it is empty. The number is the first number of the value's type.
    Unwrap(Box<Code>, i64),
    /// By field: its code, the first number of its type, its weight, and whether its evaluation always succeeds.
    Record(Box<[(Code, i64, i64, bool)]>),
    /// A field of a record: the record, index of the field, its weight and number of values, first number of its type.
    Field(Box<Code>, u32, (i64, i64), i64),
    /// An element of an array: the array, the index, range of the index, number of values of an element, first number
    /// of its type.
    Element(Box<Code>, Box<Code>, (i64, i64), i64, i64),
    /// An array whose elements all have the same value: the value, length, number of values of an element, first number
    /// of its type.
    Fill(Box<Code>, u32, i64, i64),
    /// A number within these bounds; outside of them an error.
    Within(Box<Code>, i64, i64),
    /// A counter of a class within these bounds; outside of them it is recorded as out of bounds.
    Window(Box<Code>, ClassId, i64, i64),
    Convert(Box<Code>, Box<(Type, Type)>),
    Not(Box<Code>),
    Neg(Box<Code>),
    Size(Box<Code>),
    /// The number of elements of a domain.
    SizeOf(Box<Domain>),
    IsSome(Box<Code>),
    Arithmetic(Op, Box<Code>, Box<Code>),
    /// The flag says whether evaluation of the first operand always succeeds. If so, and the first operand is unknown,
    /// the second one may determine the result.
    And(Box<Code>, Box<Code>, bool),
    Or(Box<Code>, Box<Code>, bool),
    Implies(Box<Code>, Box<Code>, bool),
    If(Box<Code>, Box<Code>, Box<Code>),
    /// The second expression, with the local name bound to the value of the first.
    Let(u32, Box<Code>, Box<Code>),
    /// The bit mask of a set with one element. The number is the first number of its type.
    Singleton(Box<Code>, i64),
    /// Whether an element is in a bit mask. The numbers are the first number and the number of values of the element
    /// type.
    Has(Box<Code>, Box<Code>, i64, i64),
    /// Whether the first value lies between the second and the third, inclusive.
    Inside(Box<Code>, Box<Code>, Box<Code>),
    /// Whether a value is an element of a domain.
    InDomain(Box<Code>, Box<Domain>),
    /// The bit mask of a domain. The number is the first number of the element type.
    Mask(Box<Domain>, i64),
    /// A quantifier: local name, domain, body. The flag says whether evaluation of the body always succeeds. If so, and
    /// the body is unknown for one element, another element may determine the result.
    Quantified(Quantifier, u32, Box<Domain>, Box<Code>, bool),
    /// The element with the greatest (flag set) or least value of the last expression.
    Extremum(bool, u32, Box<Domain>, Box<Code>),
    Map(Box<[i64]>, Box<Code>),
    InFlight(RecordId, Box<Code>, Box<Code>),
    Quiescent,
}

/// Binary operations on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Subset,
    Union,
    Intersect,
    Minus,
}

/// A set in a form that can be enumerated, mostly without building it.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    /// The integers from the first to the second, inclusive.
    Between(Code, Code),
    /// The elements of a bit mask. The number is the first number of the element type.
    Mask(Code, i64),
    /// The targets of a node's outgoing edges: table by node, and the node.
    Neighbours(Box<[Vec<i64>]>, Code),
    /// Messages of some types in a node's inbox. Each type has the number of its first message in the element type.
    /// Flag: whether copies are enumerated for each sender (true), or each message once and sorted (false).
    Inbox(Box<[(RecordId, i64)]>, Code, bool),
    /// The senders of the messages in a node's inbox; only of one type if it is given.
    Senders(Option<RecordId>, Code),
    /// The elements of a domain, bound to the local name, for which the condition is true.
    Filter(Box<Domain>, u32, Code),
    /// The elements of these domains and of these expressions. Flag: each once and in order (true), or in any order
    /// with repetitions (false).
    Gathered(Box<[Domain]>, Box<[Code]>, bool),
}

impl Domain {
    /// The same domain, with each element enumerated once.
    pub(crate) fn once(self) -> Domain {
        match self {
            Domain::Inbox(types, node, _) => Domain::Inbox(types, node, false),
            other => other,
        }
    }
}

/// Called with the context, the local names and an element. Returns whether to continue the enumeration.
pub(crate) type Visitor<'v, C> = dyn FnMut(&C, &mut [i64], i64) -> Result<bool, NoValue> + 'v;

/// The entry, in tables by node, of a node that does not have the variable.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// An open state of an instance, in which expressions are evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) compiled: &'a CompiledMachine<'a>,
    pub(crate) layout: &'a Layout,
    pub(crate) frozen: &'a [i64],
    pub(crate) slots: &'a Slots,
}

impl Context<'_> {
    pub(crate) fn holds(&self, code: &Code, locals: &mut [i64]) -> Result<bool, NoValue> {
        Ok(self.eval(code, locals)? != 0)
    }

    pub(crate) fn eval(&self, code: &Code, locals: &mut [i64]) -> Result<i64, NoValue> {
        Ok(match code {
            Code::Const(number) => *number,
            Code::Local(_) | Code::Slot(..) => {
                let value = self.known_in_part(code, locals)?;
                if self.compiled.is_abstract() && !partial_value::is_known(value) {
                    return Err(NoValue::Unknown);
                }
                value
            }
            Code::Frozen(table, node) => {
                let node = self.eval(node, locals)?;
                *self
                    .frozen
                    .get(table[node as usize] as usize)
                    .ok_or(NoValue::Broken)?
            }
            Code::Some(inner, first) => 1 + self.eval(inner, locals)? - first,
            Code::Unwrap(inner, first) => match self.eval(inner, locals)? {
                0 => return Err(NoValue::Broken),
                number => number - 1 + first,
            },
            Code::Record(parts) => {
                let mut number = 0;
                for (part, first, weight, _) in parts {
                    number += (self.eval(part, locals)? - first) * weight;
                }
                number
            }
            Code::Field(whole, field, (weight, places), first) => {
                let (whole, unknown) = match self.compiled.is_abstract() {
                    true => partial_value::split(self.known_in_part(whole, locals)?),
                    false => (self.eval(whole, locals)?, 0),
                };
                if unknown >> field & 1 == 1 {
                    return Err(NoValue::Unknown);
                }
                whole / weight % places + first
            }
            Code::Element(array, index, (lo, hi), places, first) => {
                let array = self.eval(array, locals)?;
                let index = self.eval(index, locals)?;
                if index < *lo || index > *hi {
                    return Err(NoValue::Broken);
                }
                array / places.pow((hi - index) as u32) % places + first
            }
            Code::Fill(element, count, places, first) => {
                let place = self.eval(element, locals)? - first;
                (0..*count).fold(0, |number, _| number * places + place)
            }
            Code::Within(inner, lo, hi) => {
                let number = self.eval(inner, locals)?;
                if (number < *lo || number > *hi) && !broken(Defect::OutOfRangeStored) {
                    return Err(NoValue::Broken);
                }
                number
            }
            Code::Window(inner, class, lo, hi) => {
                let number = self.eval(inner, locals)?;
                if number < *lo || number > *hi {
                    let (class, below) = (*class, number < *lo);
                    self.layout
                        .out_of_bounds
                        .set(Some(OutOfBounds { class, below }));
                    return Err(NoValue::Broken);
                }
                number
            }
            Code::Convert(inner, types) => {
                let number = self.eval(inner, locals)?;
                let codec = Codec {
                    machine: self.compiled.machine,
                };
                codec
                    .convert(&types.0, &types.1, number)
                    .ok_or(NoValue::Broken)?
            }
            Code::Not(inner) => 1 - self.eval(inner, locals)?,
            Code::Neg(inner) => self
                .eval(inner, locals)?
                .checked_neg()
                .ok_or(NoValue::Broken)?,
            Code::Size(inner) => i64::from(self.eval(inner, locals)?.count_ones()),
            Code::SizeOf(domain) => {
                let mut count = 0;
                self.each(domain, locals, &mut |_, _, _| {
                    count += 1;
                    Ok(true)
                })?;
                count
            }
            Code::IsSome(inner) => i64::from(self.eval(inner, locals)? != 0),
            Code::Arithmetic(op, a, b) => {
                let a = self.eval(a, locals)?;
                op.apply(a, self.eval(b, locals)?)?
            }
            Code::And(a, b, total) => match self.eval(a, locals) {
                Ok(0) => 0,
                Err(NoValue::Unknown) => self.decides(b, 0, *total, locals)?,
                a => a.and_then(|_| self.eval(b, locals))?,
            },
            Code::Or(a, b, total) => match self.eval(a, locals) {
                Ok(0) => self.eval(b, locals)?,
                Err(NoValue::Unknown) => self.decides(b, 1, *total, locals)?,
                a => a.map(|_| 1)?,
            },
            Code::Implies(a, b, total) => match self.eval(a, locals) {
                Ok(0) => 1,
                Err(NoValue::Unknown) => self.decides(b, 1, *total, locals)?,
                a => a.and_then(|_| self.eval(b, locals))?,
            },
            Code::If(condition, then, otherwise) => match self.eval(condition, locals)? {
                0 => self.eval(otherwise, locals)?,
                _ => self.eval(then, locals)?,
            },
            Code::Let(local, value, body) => {
                locals[*local as usize] = self.known_in_part(value, locals)?;
                self.eval(body, locals)?
            }
            Code::Singleton(element, first) => 1 << (self.eval(element, locals)? - first),
            Code::Has(element, mask, first, places) => {
                let place = self.eval(element, locals)? - first;
                let mask = self.eval(mask, locals)?;
                i64::from(place >= 0 && place < *places && mask >> place & 1 == 1)
            }
            Code::Inside(element, lo, hi) => {
                let element = self.eval(element, locals)?;
                let (lo, hi) = (self.eval(lo, locals)?, self.eval(hi, locals)?);
                i64::from(lo <= element && element <= hi)
            }
            Code::InDomain(element, domain) => {
                let element = self.eval(element, locals)?;
                let mut found = false;
                self.each(domain, locals, &mut |_, _, number| {
                    found |= number == element;
                    Ok(true)
                })?;
                i64::from(found)
            }
            Code::Mask(domain, first) => {
                let mut mask = 0;
                self.each(domain, locals, &mut |_, _, number| {
                    mask |= 1 << (number - first);
                    Ok(true)
                })?;
                mask
            }
            Code::Quantified(quantifier, local, domain, body, total) => {
                self.quantified((*quantifier, *total), *local, domain, body, locals)?
            }
            Code::Extremum(largest, local, domain, by) => {
                let mut best: Option<(i64, i64)> = None;
                self.each(domain, locals, &mut |context, locals, element| {
                    locals[*local as usize] = element;
                    let key = context.eval(by, locals)?;
                    let better =
                        best.is_none_or(|(_, old)| if *largest { key > old } else { key < old });
                    if better {
                        best = Some((element, key));
                    }
                    Ok(true)
                })?;
                best.ok_or(NoValue::Broken)?.0
            }
            Code::Map(table, node) => table[self.eval(node, locals)? as usize],
            Code::InFlight(record, from, to) => {
                let from = self.eval(from, locals)?;
                let to = self.eval(to, locals)?;
                match self.compiled.edge_between(from, to) {
                    Some(edge) => self.in_flight(edge, *record),
                    None => 0,
                }
            }
            Code::Quiescent => i64::from((self.compiled.code.quiescent)(self)),
        })
    }

    /// The value of an expression. If it is a record, fields may be unknown.
    pub(crate) fn known_in_part(&self, code: &Code, locals: &mut [i64]) -> Result<i64, NoValue> {
        match code {
            Code::Local(local) => match locals[*local as usize] {
                UNDECIDED if self.compiled.is_abstract() => Err(NoValue::Unknown),
                value => Ok(value),
            },
            Code::Slot(table, node) => {
                let node = self.eval(node, locals)?;
                let slot = table[node as usize];
                match self.slots.get(slot as usize) {
                    Some(&UNDECIDED) => Err(match self.compiled.slot_abstraction(slot as usize) {
                        None | Some(SlotAbstraction::Known(..)) => {
                            NoValue::Undecided(LazyComponent::Slot(slot))
                        }
                        Some(SlotAbstraction::Whole | SlotAbstraction::Fields(_)) => {
                            NoValue::Unknown
                        }
                    }),
                    Some(value) => Ok(*value),
                    // A node of another kind does not have the variable.
                    None => Err(NoValue::Broken),
                }
            }
            Code::Record(parts) if self.compiled.is_abstract() => {
                let (mut number, mut unknown) = (0, 0);
                for (f, (part, first, weight, total)) in parts.iter().enumerate() {
                    match self.eval(part, locals) {
                        Err(NoValue::Unknown) if *total => unknown |= 1 << f,
                        value => number += (value? - first) * weight,
                    }
                }
                Ok(partial_value::record(number, unknown))
            }
            _ => self.eval(code, locals),
        }
    }

    /// The result of a connective whose first operand is unknown: the value of the second operand if it is `decisive`.
    /// Otherwise unknown. Also unknown if the first operand may be an error (`total` is false) or the second one is.
    fn decides(
        &self,
        second: &Code,
        decisive: i64,
        total: bool,
        locals: &mut [i64],
    ) -> Result<i64, NoValue> {
        match self.eval(second, locals) {
            Ok(value) if value == decisive && (total || broken(Defect::ErrorsUnknown)) => Ok(value),
            Ok(_) | Err(NoValue::Broken | NoValue::Unknown) => Err(NoValue::Unknown),
            Err(undecided) => Err(undecided),
        }
    }

    fn in_flight(&self, edge: EdgeId, record: RecordId) -> i64 {
        let queue = self.layout.queue(self.slots, edge);
        queue
            .iter()
            .filter(|item| {
                self.compiled
                    .record_of(**item / self.compiled.messages.delays)
                    == record
            })
            .count() as i64
    }
}

impl Op {
    fn apply(self, a: i64, b: i64) -> Result<i64, NoValue> {
        let floor = |a: i64, b: i64| {
            let quotient = a.checked_div(b)?;
            Some(if a % b != 0 && (a < 0) != (b < 0) {
                quotient - 1
            } else {
                quotient
            })
        };
        match self {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Mod => a.checked_rem_euclid(b),
            Op::FloorDiv => floor(a, b),
            Op::CeilDiv => a
                .checked_neg()
                .and_then(|minus| floor(minus, b))
                .and_then(i64::checked_neg),
            Op::Min => Some(a.min(b)),
            Op::Max => Some(a.max(b)),
            Op::Eq => Some(i64::from(a == b)),
            Op::Ne => Some(i64::from(a != b)),
            Op::Lt => Some(i64::from(a < b)),
            Op::Le => Some(i64::from(a <= b)),
            Op::Gt => Some(i64::from(a > b)),
            Op::Ge => Some(i64::from(a >= b)),
            Op::Subset => Some(i64::from(a & !b == 0)),
            Op::Union => Some(a | b),
            Op::Intersect => Some(a & b),
            Op::Minus => Some(a & !b),
        }
        .ok_or(NoValue::Broken)
    }
}
