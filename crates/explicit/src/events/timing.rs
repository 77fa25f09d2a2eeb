//! Time in the semantics of events: which events are enabled now, how clocks change, conversion from and to the clock
//! of the reference interpreter.

use crate::events::interpreter_state::on_the_way;
use crate::events::invisible_deliveries::{deliver_due, is_invisible};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{CompiledEvent, Effects, SendingEvent, Stop};
use crate::program::expression::Context;
use crate::state::clocks::ClockUnits;
use crate::state::layout::{Layout, Slots};
use machine::{
    ActivationHistory, BlockId, Clock, Delay, EdgeId, Mode, NodeId, State, TimerId, Trigger,
};
use rational::Rational;

/// Whether an activation of a node must wait, because a message that it has sent must arrive first.
pub(crate) fn waits_for_arrivals(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &Slots,
    node: NodeId,
) -> bool {
    compiled.machine.delay == Delay::BeforeNext
        && compiled.network.out_edges[node.index()]
            .iter()
            .any(|edge| !layout.queue(slots, *edge).is_empty())
}

/// Appends the expiries of a timer of a node, if it is set.
pub(crate) fn expiries(
    compiled: &CompiledMachine<'_>,
    slots: &Slots,
    node: NodeId,
    timer: TimerId,
    block: BlockId,
    found: &mut Vec<CompiledEvent>,
) {
    let Some(units) = &compiled.timing.clocks.units else {
        return;
    };
    for place in 0..units.timer_count(node) {
        if slots[units.timer(node, place)] > 0
            && compiled.machine.timer_of(node, place as u32).0 == timer
        {
            found.push(CompiledEvent::Expire(node, place as u32, block));
        }
    }
}

/// The second node of a timer per pair of nodes; 0 for other timers.
pub(crate) fn timer_for(compiled: &CompiledMachine<'_>, node: NodeId, place: u32) -> i64 {
    compiled
        .machine
        .timer_of(node, place)
        .1
        .map_or(0, |other| i64::from(other.0))
}

/// Removes the events that are not enabled now, and appends the passing of time unless an event is due. If an event is
/// due but none is enabled (a time-lock), the passing of time is appended and is an error.
pub(crate) fn keep_timely(
    compiled: &CompiledMachine<'_>,
    context: &Context<'_>,
    found: &mut Vec<CompiledEvent>,
) {
    let Some(units) = &compiled.timing.clocks.units else {
        return;
    };
    found.retain(|event| is_timely(compiled, units, context, *event));
    let seen = |edge, item| {
        !is_invisible(
            compiled,
            context.frozen,
            context.slots,
            edge,
            item / compiled.messages.delays,
        )
    };
    let due = units.is_due(
        compiled.machine,
        &compiled.bases,
        context.layout,
        context.slots,
        &seen,
    );
    if !due || found.is_empty() {
        found.push(CompiledEvent::Wait);
    }
}

fn is_timely(
    compiled: &CompiledMachine<'_>,
    units: &ClockUnits,
    context: &Context<'_>,
    event: CompiledEvent,
) -> bool {
    let slots = context.slots;
    let activates = |node: NodeId, block: BlockId| {
        let every = matches!(
            compiled.machine.blocks[block.index()].trigger,
            Trigger::Every(_)
        );
        !every || units.can_activate(slots, node, compiled.period(context.frozen, node))
    };
    let expires = |node: NodeId, place: u32| slots[units.timer(node, place as usize) + 1] == 0;
    let arrives = |edge: EdgeId, place: usize| {
        let item = context.layout.queue(slots, edge)[place];
        units
            .delay
            .is_none_or(|(least, most)| item % compiled.messages.delays <= most - least)
    };
    match event {
        CompiledEvent::Run(node, block) => activates(node, block),
        CompiledEvent::Expire(node, place, _) => expires(node, place),
        CompiledEvent::Deliver { edge, place, .. } => arrives(edge, place),
        CompiledEvent::CrashDuring(_, during) => match during {
            SendingEvent::Run(node, block) => activates(node, block),
            SendingEvent::Expire(node, place, _) => expires(node, place),
            SendingEvent::HandOver { edge, place, .. } => arrives(edge, place),
        },
        CompiledEvent::Restart(node) => {
            let within = units.restart_within(node);
            within.is_none_or(|(least, most)| slots[units.restart(node)] <= most - least)
        }
        CompiledEvent::Transmit(_)
        | CompiledEvent::Crash(..)
        | CompiledEvent::Stop(..)
        | CompiledEvent::Wait => true,
    }
}

/// Lets one unit of time pass, after the invisible deliveries that are due. An error if another event is due.
pub(crate) fn pass_time(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    effects: &mut Effects,
) -> Result<(), Stop> {
    let units = compiled.timing.clocks.units.as_ref().ok_or(Stop::Broken)?;
    deliver_due(compiled, layout, frozen, next, effects)?;
    if units.is_due(compiled.machine, &compiled.bases, layout, next, &|_, _| {
        true
    }) {
        return Err(Stop::Broken);
    }
    units.pass(compiled.machine, &compiled.bases, layout, next);
    Ok(())
}

/// Updates the clocks of nodes and the deadlines after an event. An error if a condition of a deadline has no value.
pub(crate) fn keep_time(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    event: CompiledEvent,
) -> Result<(), Stop> {
    let Some(units) = &compiled.timing.clocks.units else {
        return Ok(());
    };
    if let CompiledEvent::Run(node, block) = event
        && matches!(
            compiled.machine.blocks[block.index()].trigger,
            Trigger::Every(_)
        )
    {
        units.activated(next, node, compiled.period(frozen, node));
    }
    for node in compiled.machine.nodes() {
        if !compiled.runs(next, node) {
            units.end(next, node);
        }
    }
    for (response, (from, to)) in compiled.timing.responses.iter().enumerate() {
        let context = Context {
            compiled,
            layout,
            frozen,
            slots: next,
        };
        let followed = to.holds(&context, &[]).ok_or(Stop::Broken)?;
        let asked = from.holds(&context, &[]).ok_or(Stop::Broken)?;
        let overdue = next[units.pending(response)] == units.within[response] + 2;
        let waited = &mut next[units.pending(response)];
        if followed && !overdue {
            *waited = 0;
        } else if asked && *waited == 0 {
            *waited = 1;
        }
    }
    Ok(())
}

/// By timer of a node: whether it is set.
pub(crate) fn timers_set(compiled: &CompiledMachine<'_>, slots: &Slots, node: NodeId) -> Vec<bool> {
    let Some(units) = &compiled.timing.clocks.units else {
        return vec![
            false;
            compiled
                .machine
                .timer_places(compiled.machine.kind_of(node))
        ];
    };
    let places = 0..units.timer_count(node);
    places
        .map(|place| slots[units.timer(node, place)] > 0)
        .collect()
}

/// The clock of the reference interpreter for these slots; `None` without time.
pub(crate) fn clock_of(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &Slots,
    frozen: &[i64],
) -> Option<Clock> {
    let units = compiled.timing.clocks.units.as_ref()?;
    let unit = &compiled.machine.digitisation()?.unit;
    let now = slots[units.now];
    let at = |time: i64| Rational::from(time) * unit;
    let rhythms = compiled.machine.nodes().map(|node| {
        let Some(slot) = units
            .activation_clock(node)
            .filter(|_| compiled.runs(slots, node))
        else {
            return ActivationHistory::default();
        };
        let (left, begun) = (slots[slot], slots[slot + 1] == 1);
        let period = compiled.period(frozen, node);
        if !begun {
            let since = at(now + left - units.first(node, period).1);
            return ActivationHistory {
                since,
                ..ActivationHistory::default()
            };
        }
        let last = at(now + left - units.gap(node, period).1);
        ActivationHistory {
            since: last.clone(),
            count: 1,
            first: Some(last.clone()),
            last: Some(last),
        }
    });
    let timers = compiled.machine.nodes().map(|node| {
        let places = 0..units.timer_count(node);
        let timers = places.map(|place| {
            let slot = units.timer(node, place);
            (slots[slot] > 0).then(|| (at(now + slots[slot + 1]), at(now + slots[slot] - 1)))
        });
        timers.collect()
    });
    let sent = units.delay.map(|(_, most)| {
        let edges = (0..compiled.machine.edges.len() as u32).map(EdgeId);
        let edges = edges.map(|edge| {
            let items = on_the_way(compiled, layout, slots, edge).into_iter();
            items.map(|(_, left)| at(now + left - most)).collect()
        });
        edges.collect()
    });
    let must = compiled
        .machine
        .nodes()
        .any(|node| units.restart_within(node).is_some());
    let stopped = compiled.machine.nodes().filter(|_| must).map(|node| {
        let (_, most) = units.restart_within(node)?;
        (compiled.mode(slots, node) == Mode::Stopped as i64)
            .then(|| at(now + slots[units.restart(node)] - most))
    });
    let pending = (0..units.within.len()).map(|response| {
        let waited = slots[units.pending(response)];
        (waited > 0).then(|| at(now - (waited - 1)))
    });
    Some(Clock {
        now: at(now),
        activations: rhythms.collect(),
        sent: sent.unwrap_or_default(),
        timers: timers.collect(),
        stopped: stopped.collect(),
        pending: pending.collect(),
    })
}

/// The time until a message on an edge of an interpreter state must arrive, in units.
pub(crate) fn time_left(
    compiled: &CompiledMachine<'_>,
    state: &State,
    edge: EdgeId,
    place: usize,
) -> i64 {
    match (&state.clock, compiled.machine.digitisation()) {
        (Some(clock), Some(grid)) if compiled.messages.delays > 1 => {
            let age = (&clock.now - &clock.sent[edge.index()][place]) / &grid.unit;
            compiled.messages.delays - 1 - age.to_i64().unwrap_or(0)
        }
        _ => 0,
    }
}

/// The clock slots of an initial state of the reference interpreter.
pub(crate) fn clock_slots_of(
    compiled: &CompiledMachine<'_>,
    state: &State,
    frozen: &[i64],
) -> Vec<i64> {
    let range = compiled.timing.clocks.slots();
    let mut slots = vec![0; range.end];
    let Some(units) = &compiled.timing.clocks.units else {
        return slots.split_off(range.start);
    };
    for node in compiled.machine.nodes() {
        if state.nodes[node.index()].mode.runs() {
            units.begin(&mut slots, node, compiled.period(frozen, node));
        }
    }
    if let Some(clock) = &state.clock {
        for (response, since) in clock.pending.iter().enumerate() {
            slots[units.pending(response)] = i64::from(since.is_some());
        }
    }
    slots.split_off(range.start)
}
