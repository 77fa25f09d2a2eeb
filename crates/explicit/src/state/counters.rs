//! Counters in open states: each class is shifted so that its least one is 0, and how far the others may be from it.
//!
//! `machine::Machine::normalised` says what is the same state, and why. Here it is done on numbers, for what is kept of a
//! state: a part that makes no difference is neither looked at nor shifted. A class has a *window*, the numbers for
//! which codes have room. Whoever leaves it is noted (`Compiled::beyond`), and the whole search is done again with more
//! room (`windows.rs`): what was found until then counts for nothing.

use crate::state::codec::Codec;
use machine::{ClassId, Machine, Type, holds_counters};
use verdict::{Influence, NodeCone};

/// A counter has left the window of its class; whether that is below its first number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfBounds {
    pub(crate) class: ClassId,
    pub(crate) below: bool,
}

/// Where counters are in the number of a value.
#[derive(Clone, Debug)]
pub(crate) enum CounterShape {
    Counter(ClassId),
    /// In an option of a type that begins there.
    Option(Box<CounterShape>, i64),
    /// In parts of a mixed-radix number: weight, places and where the part's type begins.
    Parts(Vec<(i64, i64, i64, CounterShape)>),
    /// In the places of a mask over a type that begins there.
    Set(Box<CounterShape>, i64),
    /// In messages of several types, which begin at these numbers.
    Several(Vec<(i64, i64, Option<CounterShape>)>),
}

/// Where counters are in open states.
#[derive(Clone, Debug, Default)]
pub(crate) struct CounterShapes {
    pub(crate) slots: Vec<(usize, CounterShape)>,
    /// By record: where they are in such messages.
    pub(crate) messages: Vec<Option<CounterShape>>,
    /// By node, by record: the same in inboxes.
    pub(crate) inboxes: Vec<Vec<Option<CounterShape>>>,
    pub(crate) windows: Vec<(i64, i64)>,
}

impl CounterShape {
    fn new(
        codec: Codec<'_>,
        ty: &Type,
        matters: Option<&Influence>,
    ) -> Result<Option<CounterShape>, String> {
        let machine = codec.machine;
        if !holds_counters(machine, ty) {
            return Ok(None);
        }
        codec.places(ty)?;
        let inside = |inner: &Type| CounterShape::new(codec, inner, None);
        Ok(match ty {
            Type::Counter(class) => Some(CounterShape::Counter(*class)),
            Type::Option(inner) => inside(inner)?
                .map(|shape| CounterShape::Option(Box::new(shape), codec.first(inner))),
            Type::Set(inner) => {
                inside(inner)?.map(|shape| CounterShape::Set(Box::new(shape), codec.first(inner)))
            }
            Type::Record(record) => {
                let mut parts = Vec::new();
                for (f, (_, ty)) in machine.records[record.index()].fields.iter().enumerate() {
                    let f = f as u32;
                    if matters.is_some_and(|matters| !matters.has(f)) {
                        continue;
                    }
                    if let Some(shape) = inside(ty)? {
                        let weight = codec.weight(*record, f)?;
                        parts.push((weight, codec.places(ty)? as i64, codec.first(ty), shape));
                    }
                }
                Some(CounterShape::Parts(parts))
            }
            Type::Array(index, inner) => {
                let (places, first) = (codec.places(inner)? as i64, codec.first(inner));
                let Some(shape) = inside(inner)? else {
                    return Ok(None);
                };
                let each = |i| (places.pow(i), places, first, shape.clone());
                let count = codec.places(index)? as u32;
                Some(CounterShape::Parts((0..count).map(each).collect()))
            }
            Type::OneOf(records) => {
                let mut several = Vec::new();
                for record in records {
                    let ty = Type::Record(*record);
                    let first = codec.offset(records, *record);
                    several.push((first, first + codec.places(&ty)? as i64, inside(&ty)?));
                }
                Some(CounterShape::Several(several))
            }
            _ => None,
        })
    }

    /// Calls `visit` with each counter in a number.
    pub(crate) fn each(&self, number: i64, visit: &mut dyn FnMut(ClassId, i64)) {
        match self {
            CounterShape::Counter(class) => visit(*class, number),
            CounterShape::Option(inner, first) if number > 0 => {
                inner.each(number - 1 + first, visit)
            }
            CounterShape::Option(..) => {}
            CounterShape::Parts(parts) => {
                for (weight, places, first, shape) in parts {
                    shape.each(number / weight % places + first, visit);
                }
            }
            CounterShape::Set(inner, first) => {
                let mut rest = number;
                while rest != 0 {
                    inner.each(i64::from(rest.trailing_zeros()) + first, visit);
                    rest &= rest - 1;
                }
            }
            CounterShape::Several(types) => {
                for (first, end, shape) in types {
                    if let Some(shape) = shape
                        && (*first..*end).contains(&number)
                    {
                        shape.each(number - first, visit);
                    }
                }
            }
        }
    }

    /// The number in which the counters of each class are so much greater.
    pub(crate) fn shifted(&self, number: i64, by: &[i64]) -> i64 {
        match self {
            CounterShape::Counter(class) => number + by[class.index()],
            CounterShape::Option(inner, first) if number > 0 => {
                inner.shifted(number - 1 + first, by) + 1 - first
            }
            CounterShape::Option(..) => number,
            CounterShape::Parts(parts) => {
                parts
                    .iter()
                    .fold(number, |all, (weight, places, first, s)| {
                        let old = number / weight % places + first;
                        all + (s.shifted(old, by) - old) * weight
                    })
            }
            CounterShape::Set(inner, first) => {
                let (mut rest, mut mask) = (number, 0);
                while rest != 0 {
                    let old = i64::from(rest.trailing_zeros()) + first;
                    mask |= 1 << (inner.shifted(old, by) - first);
                    rest &= rest - 1;
                }
                mask
            }
            CounterShape::Several(types) => {
                let own = |(first, end, _): &&(i64, i64, _)| (*first..*end).contains(&number);
                match types.iter().find(own) {
                    Some((first, _, Some(shape))) => first + shape.shifted(number - first, by),
                    _ => number,
                }
            }
        }
    }
}

impl CounterShapes {
    /// For what matters of a Machine.
    pub(crate) fn new(
        machine: &Machine,
        bases: &[u32],
        relevant: Option<&[NodeCone]>,
    ) -> Result<Option<CounterShapes>, String> {
        if machine.counters.is_empty() {
            return Ok(None);
        }
        let codec = Codec { machine };
        let windows = machine.counters.iter().map(|c| c.window.unwrap_or((0, 0)));
        let mut normal = CounterShapes {
            windows: windows.collect(),
            ..CounterShapes::default()
        };
        let records = || (0..machine.records.len() as u32).map(machine::RecordId);
        let message =
            |record: machine::RecordId, matters| match machine.records[record.index()].message {
                true => CounterShape::new(codec, &Type::Record(record), matters),
                false => Ok(None),
            };
        for record in records() {
            normal.messages.push(message(record, None)?);
        }
        for node in machine.nodes() {
            let relevant = relevant.map(|all| &all[node.index()]);
            let vars = machine.vars_of(machine.kind_of(node));
            for (place, var) in vars.enumerate() {
                let matters = relevant.map(|relevant| &relevant.vars[place]);
                if matters.is_some_and(|matters| !matters.at_all()) {
                    continue;
                }
                let shape = CounterShape::new(codec, &var.ty, matters);
                let shape = shape.map_err(|e| format!("{}: {e}", var.name))?;
                let slot = bases[node.index()] as usize + 1 + place;
                normal.slots.extend(shape.map(|shape| (slot, shape)));
            }
            let inbox = records().map(|record| {
                let matters = relevant.map(|relevant| &relevant.inbox[record.index()]);
                match matters.is_none_or(Influence::at_all) {
                    true => message(record, matters),
                    false => Ok(None),
                }
            });
            normal.inboxes.push(inbox.collect::<Result<_, _>>()?);
        }
        Ok(Some(normal))
    }
}
