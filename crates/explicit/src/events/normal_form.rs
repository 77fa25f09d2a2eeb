//! The normal form of a state: the counters of each class are shifted so that the least one is 0.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::counters::{CounterShape, OutOfBounds};
use crate::state::layout::{Layout, Slots};
use machine::{ClassId, EdgeId, State};

/// Shifts the counters of an open state to normal form. `shift` becomes the amount added to each class. If a difference
/// of counters exceeds the bounds, this is recorded in the layout and nothing is shifted.
pub(crate) fn normalise(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &mut Slots,
    shift: &mut Vec<i64>,
) {
    shift.clear();
    let Some(counter_shapes) = &compiled.counter_shapes else {
        return;
    };
    let none = (i64::MAX, i64::MIN);
    let mut ends = vec![none; counter_shapes.windows.len()];
    each_number(compiled, layout, slots, &mut |shape, number| {
        shape.each(number, &mut |class, counter| {
            let (least, greatest) = &mut ends[class.index()];
            *least = counter.min(*least);
            *greatest = counter.max(*greatest);
        });
    });
    for (c, (least, greatest)) in ends.iter().enumerate() {
        shift.push(if *least == i64::MAX { 0 } else { -least });
        if *least != i64::MAX && greatest - least > counter_shapes.windows[c].1 {
            let class = ClassId(c as u32);
            layout.out_of_bounds.set(Some(OutOfBounds {
                class,
                below: false,
            }));
            shift.iter_mut().for_each(|by| *by = 0);
            shift.resize(ends.len(), 0);
            return;
        }
    }
    if shift.iter().any(|by| *by != 0) {
        shift_counters(compiled, layout, slots, shift);
    }
    if broken(Defect::CountersForgotten) {
        for (slot, shape) in &counter_shapes.slots {
            if let CounterShape::Counter(_) = shape {
                slots[*slot] = 0;
            }
        }
    }
}

/// Whether the counters of a normalised initial state are within bounds. If not, this is recorded in the layout.
pub(crate) fn counters_fit(compiled: &CompiledMachine<'_>, layout: &Layout, state: &State) -> bool {
    let (machine, mut out_of_bounds) = (compiled.machine, None);
    let mut look = |class: ClassId, counter: i64| {
        let window = machine.counters[class.index()].window;
        if window.is_none_or(|(_, most)| counter > most) {
            let below = false;
            out_of_bounds = Some(OutOfBounds { class, below });
        }
    };
    for (node, at) in machine.nodes().zip(&state.nodes) {
        let vars = machine.vars_of(machine.kind_of(node)).zip(&at.vars);
        vars.for_each(|(var, value)| machine.each_counter(&var.ty, value, &mut look));
    }
    if out_of_bounds.is_some() {
        layout.out_of_bounds.set(out_of_bounds);
    }
    out_of_bounds.is_none()
}

/// Calls `visit` with each number of an open state that may contain counters, and with the positions of the counters in
/// the number.
fn each_number(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &Slots,
    visit: &mut dyn FnMut(&CounterShape, i64),
) {
    let counter_shapes = compiled
        .counter_shapes
        .as_ref()
        .expect("there are counters");
    for (slot, shape) in &counter_shapes.slots {
        visit(shape, slots[*slot]);
    }
    let mut message = |shapes: &[Option<CounterShape>], number: i64| {
        if number < compiled.messages.count {
            let record = compiled.record_of(number).index();
            if let Some(shape) = &shapes[record] {
                visit(shape, number - compiled.messages.ranges[record].0);
            }
        }
    };
    for node in compiled.machine.nodes() {
        for outgoing in layout.outbox(slots, node) {
            message(
                &counter_shapes.messages,
                compiled.outgoing(node, *outgoing).1,
            );
        }
        for entry in layout.inbox(slots, node) {
            message(
                &counter_shapes.inboxes[node.index()],
                compiled.received(*entry).1,
            );
        }
    }
    for edge in (0..compiled.machine.edges.len() as u32).map(EdgeId) {
        for item in layout.queue(slots, edge) {
            message(&counter_shapes.messages, item / compiled.messages.delays);
        }
    }
}

/// Adds `by` to the counters of each class. Sorted containers stay sorted, because a shift preserves the order of
/// numbers.
fn shift_counters(compiled: &CompiledMachine<'_>, layout: &Layout, slots: &mut Slots, by: &[i64]) {
    let counter_shapes = compiled
        .counter_shapes
        .as_ref()
        .expect("there are counters");
    for (slot, shape) in &counter_shapes.slots {
        slots[*slot] = shape.shifted(slots[*slot], by);
    }
    let change = |shapes: &[Option<CounterShape>], number: i64| {
        if number >= compiled.messages.count {
            return 0; // undecided messages contain no counters
        }
        let record = compiled.record_of(number).index();
        match &shapes[record] {
            Some(shape) => {
                let old = number - compiled.messages.ranges[record].0;
                shape.shifted(old, by) - old
            }
            None => 0,
        }
    };
    for node in compiled.machine.nodes() {
        for place in layout.outbox_places(slots, node) {
            let message = compiled.outgoing(node, slots[place]).1;
            slots[place] += change(&counter_shapes.messages, message);
        }
        for place in layout.inbox_places(slots, node) {
            let message = compiled.received(slots[place]).1;
            slots[place] += change(&counter_shapes.inboxes[node.index()], message);
        }
    }
    if broken(Defect::ShiftForgetsChannels) {
        return;
    }
    for edge in (0..compiled.machine.edges.len() as u32).map(EdgeId) {
        for item in layout.queue_mut(slots, edge) {
            *item += change(&counter_shapes.messages, *item / compiled.messages.delays)
                * compiled.messages.delays;
        }
    }
}
