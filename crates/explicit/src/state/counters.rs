//! Counters in open states: each class is shifted so that its least one is 0, and how far the others may be from it.
//!
//! `machine::Machine::normalised` says what is the same state, and why. Here it is done on numbers, for what is kept of a
//! state: a part that makes no difference is neither looked at nor shifted. A class has a *window*, the numbers for
//! which codes have room. Whoever leaves it is noted (`Compiled::beyond`), and the whole search is done again with more
//! room (`windows.rs`): what was found until then counts for nothing.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::Compiled;
use crate::state::codec::Codec;
use crate::state::layout::{Layout, Slots};
use machine::{ClassId, EdgeId, Machine, State, Type, holds_counters};
use verdict::{Influence, NodeCone};

/// A counter has left the window of its class; whether that is below its first number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beyond {
    pub(crate) class: ClassId,
    pub(crate) below: bool,
}

/// Where counters are in the number of a value.
#[derive(Clone, Debug)]
enum Shape {
    Counter(ClassId),
    /// In an option of a type that begins there.
    Option(Box<Shape>, i64),
    /// In parts of a mixed-radix number: weight, places and where the part's type begins.
    Parts(Vec<(i64, i64, i64, Shape)>),
    /// In the places of a mask over a type that begins there.
    Set(Box<Shape>, i64),
    /// In messages of several types, which begin at these numbers.
    Several(Vec<(i64, i64, Option<Shape>)>),
}

/// Where counters are in open states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Normal {
    slots: Vec<(usize, Shape)>,
    /// By record: where they are in such messages.
    messages: Vec<Option<Shape>>,
    /// By node, by record: the same in inboxes.
    inboxes: Vec<Vec<Option<Shape>>>,
    windows: Vec<(i64, i64)>,
}

impl Shape {
    fn new(
        codec: Codec<'_>,
        ty: &Type,
        matters: Option<&Influence>,
    ) -> Result<Option<Shape>, String> {
        let machine = codec.machine;
        if !holds_counters(machine, ty) {
            return Ok(None);
        }
        codec.places(ty)?;
        let inside = |inner: &Type| Shape::new(codec, inner, None);
        Ok(match ty {
            Type::Counter(class) => Some(Shape::Counter(*class)),
            Type::Option(inner) => {
                inside(inner)?.map(|shape| Shape::Option(Box::new(shape), codec.first(inner)))
            }
            Type::Set(inner) => {
                inside(inner)?.map(|shape| Shape::Set(Box::new(shape), codec.first(inner)))
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
                Some(Shape::Parts(parts))
            }
            Type::Array(index, inner) => {
                let (places, first) = (codec.places(inner)? as i64, codec.first(inner));
                let Some(shape) = inside(inner)? else {
                    return Ok(None);
                };
                let each = |i| (places.pow(i), places, first, shape.clone());
                let count = codec.places(index)? as u32;
                Some(Shape::Parts((0..count).map(each).collect()))
            }
            Type::OneOf(records) => {
                let mut several = Vec::new();
                for record in records {
                    let ty = Type::Record(*record);
                    let first = codec.offset(records, *record);
                    several.push((first, first + codec.places(&ty)? as i64, inside(&ty)?));
                }
                Some(Shape::Several(several))
            }
            _ => None,
        })
    }

    /// Calls `visit` with each counter in a number.
    fn each(&self, number: i64, visit: &mut dyn FnMut(ClassId, i64)) {
        match self {
            Shape::Counter(class) => visit(*class, number),
            Shape::Option(inner, first) if number > 0 => inner.each(number - 1 + first, visit),
            Shape::Option(..) => {}
            Shape::Parts(parts) => {
                for (weight, places, first, shape) in parts {
                    shape.each(number / weight % places + first, visit);
                }
            }
            Shape::Set(inner, first) => {
                let mut rest = number;
                while rest != 0 {
                    inner.each(i64::from(rest.trailing_zeros()) + first, visit);
                    rest &= rest - 1;
                }
            }
            Shape::Several(types) => {
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
    fn shifted(&self, number: i64, by: &[i64]) -> i64 {
        match self {
            Shape::Counter(class) => number + by[class.index()],
            Shape::Option(inner, first) if number > 0 => {
                inner.shifted(number - 1 + first, by) + 1 - first
            }
            Shape::Option(..) => number,
            Shape::Parts(parts) => parts
                .iter()
                .fold(number, |all, (weight, places, first, s)| {
                    let old = number / weight % places + first;
                    all + (s.shifted(old, by) - old) * weight
                }),
            Shape::Set(inner, first) => {
                let (mut rest, mut mask) = (number, 0);
                while rest != 0 {
                    let old = i64::from(rest.trailing_zeros()) + first;
                    mask |= 1 << (inner.shifted(old, by) - first);
                    rest &= rest - 1;
                }
                mask
            }
            Shape::Several(types) => {
                let own = |(first, end, _): &&(i64, i64, _)| (*first..*end).contains(&number);
                match types.iter().find(own) {
                    Some((first, _, Some(shape))) => first + shape.shifted(number - first, by),
                    _ => number,
                }
            }
        }
    }
}

impl Normal {
    /// For what matters of a Machine.
    pub(crate) fn new(
        machine: &Machine,
        bases: &[u32],
        relevant: Option<&[NodeCone]>,
    ) -> Result<Option<Normal>, String> {
        if machine.counters.is_empty() {
            return Ok(None);
        }
        let codec = Codec { machine };
        let windows = machine.counters.iter().map(|c| c.window.unwrap_or((0, 0)));
        let mut normal = Normal {
            windows: windows.collect(),
            ..Normal::default()
        };
        let records = || (0..machine.records.len() as u32).map(machine::RecordId);
        let message =
            |record: machine::RecordId, matters| match machine.records[record.index()].message {
                true => Shape::new(codec, &Type::Record(record), matters),
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
                let shape = Shape::new(codec, &var.ty, matters);
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

impl Compiled<'_> {
    /// Shifts the counters of an open state so that the least of each class is 0, and says by how much.
    pub(crate) fn normalise(&self, layout: &Layout, slots: &mut Slots, shift: &mut Vec<i64>) {
        shift.clear();
        let Some(normal) = &self.normal else {
            return;
        };
        let none = (i64::MAX, i64::MIN);
        let mut ends = vec![none; normal.windows.len()];
        self.each_number(layout, slots, &mut |shape, number| {
            shape.each(number, &mut |class, counter| {
                let (least, greatest) = &mut ends[class.index()];
                *least = counter.min(*least);
                *greatest = counter.max(*greatest);
            });
        });
        for (c, (least, greatest)) in ends.iter().enumerate() {
            shift.push(if *least == i64::MAX { 0 } else { -least });
            if *least != i64::MAX && greatest - least > normal.windows[c].1 {
                let class = ClassId(c as u32);
                layout.beyond.set(Some(Beyond {
                    class,
                    below: false,
                }));
                shift.iter_mut().for_each(|by| *by = 0);
                shift.resize(ends.len(), 0);
                return;
            }
        }
        if shift.iter().any(|by| *by != 0) {
            self.shift(layout, slots, shift);
        }
        if broken(Defect::CountersForgotten) {
            for (slot, shape) in &normal.slots {
                if let Shape::Counter(_) = shape {
                    slots[*slot] = 0;
                }
            }
        }
    }

    /// Whether there is room for the counters of an initial state that is in normal form; if not, that is noted.
    pub(crate) fn has_room(&self, layout: &Layout, state: &State) -> bool {
        let (machine, mut beyond) = (self.machine, None);
        let mut look = |class: ClassId, counter: i64| {
            let window = machine.counters[class.index()].window;
            if window.is_none_or(|(_, most)| counter > most) {
                let below = false;
                beyond = Some(Beyond { class, below });
            }
        };
        for (node, at) in machine.nodes().zip(&state.nodes) {
            let vars = machine.vars_of(machine.kind_of(node)).zip(&at.vars);
            vars.for_each(|(var, value)| machine.each_counter(&var.ty, value, &mut look));
        }
        if beyond.is_some() {
            layout.beyond.set(beyond);
        }
        beyond.is_none()
    }

    /// Calls `visit` with each number of an open state in which counters are.
    fn each_number(&self, layout: &Layout, slots: &Slots, visit: &mut dyn FnMut(&Shape, i64)) {
        let normal = self.normal.as_ref().expect("there are counters");
        for (slot, shape) in &normal.slots {
            visit(shape, slots[*slot]);
        }
        let mut message = |shapes: &[Option<Shape>], number: i64| {
            if number < self.message_count {
                let record = self.record_of(number).index();
                if let Some(shape) = &shapes[record] {
                    visit(shape, number - self.messages[record].0);
                }
            }
        };
        for node in self.machine.nodes() {
            for outgoing in layout.outbox(slots, node) {
                message(&normal.messages, self.outgoing(node, *outgoing).1);
            }
            for entry in layout.inbox(slots, node) {
                message(&normal.inboxes[node.index()], self.received(*entry).1);
            }
        }
        for edge in (0..self.machine.edges.len() as u32).map(EdgeId) {
            for item in layout.queue(slots, edge) {
                message(&normal.messages, item / self.delays);
            }
        }
    }

    /// Shifts the counters of an open state. Containers that are in order stay so: a shift keeps the order of numbers.
    fn shift(&self, layout: &Layout, slots: &mut Slots, by: &[i64]) {
        let normal = self.normal.as_ref().expect("there are counters");
        for (slot, shape) in &normal.slots {
            slots[*slot] = shape.shifted(slots[*slot], by);
        }
        let change = |shapes: &[Option<Shape>], number: i64| {
            if number >= self.message_count {
                return 0; // undecided, and without counters
            }
            let record = self.record_of(number).index();
            match &shapes[record] {
                Some(shape) => {
                    let old = number - self.messages[record].0;
                    shape.shifted(old, by) - old
                }
                None => 0,
            }
        };
        for node in self.machine.nodes() {
            for place in layout.outbox_places(slots, node) {
                let message = self.outgoing(node, slots[place]).1;
                slots[place] += change(&normal.messages, message);
            }
            for place in layout.inbox_places(slots, node) {
                let message = self.received(slots[place]).1;
                slots[place] += change(&normal.inboxes[node.index()], message);
            }
        }
        if broken(Defect::ShiftForgetsChannels) {
            return;
        }
        for edge in (0..self.machine.edges.len() as u32).map(EdgeId) {
            for item in layout.queue_mut(slots, edge) {
                *item += change(&normal.messages, *item / self.delays) * self.delays;
            }
        }
    }
}
