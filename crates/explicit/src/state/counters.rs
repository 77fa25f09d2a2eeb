//! Counters in the slots of a state, and their bounds.
//!
//! `machine::Machine::normalised` defines which states are equal up to a shift of counters, and why. The search
//! normalises open states (`events/normal_form.rs`); counters outside of the cone of influence are neither read nor
//! shifted. Each class of counters has bounds: the range that the number of a counter can represent. If a counter
//! leaves the bounds, this is recorded as [`OutOfBounds`], the results so far are discarded, and the whole search is
//! repeated with wider bounds (`search/counter_bounds.rs`).

use crate::state::codec::Codec;
use machine::{ClassId, Machine, Type, holds_counters};
use verdict::{Influence, NodeCone};

/// A counter of a class is out of bounds: below the lower bound (`below`) or above the upper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfBounds {
    pub(crate) class: ClassId,
    pub(crate) below: bool,
}

/// The positions of counters in the number of a value.
#[derive(Clone, Debug)]
pub(crate) enum CounterShape {
    Counter(ClassId),
    /// In an option. The second entry is the first number of the inner type.
    Option(Box<CounterShape>, i64),
    /// In components of a mixed-radix number: weight, number of values and first number of the component's type, and
    /// its shape.
    Parts(Vec<(i64, i64, i64, CounterShape)>),
    /// In the elements of a set, which is a bit mask. The second entry is the first number of the element type.
    Set(Box<CounterShape>, i64),
    /// In a message of one of several types: for each type its first number, end, and shape.
    Several(Vec<(i64, i64, Option<CounterShape>)>),
}

/// The positions of counters in a state, within the cone of influence.
#[derive(Clone, Debug, Default)]
pub(crate) struct CounterShapes {
    pub(crate) slots: Vec<(usize, CounterShape)>,
    /// By record: the shape of such messages on channels.
    pub(crate) messages: Vec<Option<CounterShape>>,
    /// By node and record: the shape of such messages in the node's inbox.
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

    /// Calls `visit` with the class and value of each counter in a number.
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

    /// The number in which each counter is increased by `by[class]` of its class.
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
    /// The positions of the counters of a Machine, within the cone of influence; `None` if the Machine has no counters.
    pub(crate) fn new(
        machine: &Machine,
        bases: &[u32],
        cone: Option<&[NodeCone]>,
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
            let cone = cone.map(|all| &all[node.index()]);
            let vars = machine.vars_of(machine.kind_of(node));
            for (place, var) in vars.enumerate() {
                let matters = cone.map(|cone| &cone.vars[place]);
                if matters.is_some_and(|matters| !matters.at_all()) {
                    continue;
                }
                let shape = CounterShape::new(codec, &var.ty, matters);
                let shape = shape.map_err(|e| format!("{}: {e}", var.name))?;
                let slot = bases[node.index()] as usize + 1 + place;
                normal.slots.extend(shape.map(|shape| (slot, shape)));
            }
            let inbox = records().map(|record| {
                let matters = cone.map(|cone| &cone.inbox[record.index()]);
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
