//! Timed reductions in the semantics of events: invisible deliveries, variables of nodes that have ended, dead array
//! elements. The caller guarantees that they are sound (`verdict::TimedReductions`).
//!
//! A message whose delivery is invisible is delivered just before another event of its receiver; every possible set of
//! such messages is tried. At its latest arrival time it is delivered before time passes. Runs of the reference
//! interpreter contain these deliveries explicitly (`graph/witness.rs`).

use crate::events::fire::run_code;
use crate::events::interpreter_state::message_value;
use crate::events::receive::store_message;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Arrival, CompiledEvent, Effects, SendingEvent, Stop};
use crate::state::layout::{Layout, Slots};
use machine::{BlockId, Channel, Choice, EdgeId, Event, Mode, NodeId, Outcome, Trigger};

/// Whether the delivery of a message on an edge is invisible in a state.
pub(crate) fn is_invisible(
    compiled: &CompiledMachine<'_>,
    frozen: &[i64],
    slots: &Slots,
    edge: EdgeId,
    message: i64,
) -> bool {
    let Some(reductions) = &compiled.timing.reductions else {
        return false;
    };
    let to = compiled.machine.edges[edge.index()].1;
    reductions.any_invisible[to.index()]
        && reductions.invisible[to.index()][compiled.record_of(message).index()]
        && compiled.mode(slots, to) == Mode::Running as i64
        && compiled.can_receive(frozen, to)
}

/// The node to which invisible deliveries may happen just before this event; `None` if the event does not depend on
/// them.
fn receiver_of(compiled: &CompiledMachine<'_>, event: CompiledEvent) -> Option<NodeId> {
    let receiver = |edge: EdgeId| compiled.machine.edges[edge.index()].1;
    let starts = |block: BlockId| compiled.machine.blocks[block.index()].trigger == Trigger::Start;
    match event {
        CompiledEvent::Run(_, block)
        | CompiledEvent::CrashDuring(_, SendingEvent::Run(_, block))
            if starts(block) =>
        {
            None
        }
        CompiledEvent::Run(node, _) | CompiledEvent::Expire(node, ..) => Some(node),
        CompiledEvent::CrashDuring(
            _,
            SendingEvent::Run(node, _) | SendingEvent::Expire(node, ..),
        ) => Some(node),
        CompiledEvent::Deliver {
            edge,
            outcome: Outcome::HandOver(_) | Outcome::Repeat(..) | Outcome::Store,
            ..
        }
        | CompiledEvent::CrashDuring(_, SendingEvent::HandOver { edge, .. }) => {
            Some(receiver(edge))
        }
        _ => None,
    }
}

/// All sets of invisible deliveries that may happen just before an event; `None` if invisible deliveries do not apply
/// to it.
pub(crate) fn arrival_sets(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    slots: &Slots,
    event: CompiledEvent,
) -> Option<Vec<Vec<Arrival>>> {
    let reductions = compiled.timing.reductions.as_ref()?;
    let node = receiver_of(compiled, event)?;
    let delay = compiled
        .timing
        .clocks
        .units
        .as_ref()
        .and_then(|units| units.delay);
    let (least, most) = delay.filter(|_| reductions.any_invisible[node.index()])?;
    let mut sets = vec![vec![]];
    for (e, (_, to)) in compiled.machine.edges.iter().enumerate() {
        if *to != node {
            continue;
        }
        let edge = EdgeId(e as u32);
        let can = |item: &i64| {
            item % compiled.messages.delays <= most - least
                && is_invisible(
                    compiled,
                    frozen,
                    slots,
                    edge,
                    item / compiled.messages.delays,
                )
        };
        let queue = layout.queue(slots, edge);
        let groups: Vec<Vec<i64>> = match compiled.machine.channel {
            // A prefix of the queue: messages up to the first that cannot arrive yet or is visible.
            Channel::Fifo(_) | Channel::Instant => {
                vec![queue.iter().copied().take_while(|i| can(i)).collect()]
            }
            Channel::Unordered => {
                let same = queue
                    .chunk_by(|a, b| a / compiled.messages.delays == b / compiled.messages.delays);
                same.map(|items| items.iter().copied().filter(|i| can(i)).collect())
                    .collect()
            }
        };
        for group in groups.iter().filter(|group| !group.is_empty()) {
            let mut more = Vec::new();
            for set in &sets {
                for count in 0..=group.len() {
                    let arrived = group[..count]
                        .iter()
                        .map(|item| (edge, item / compiled.messages.delays));
                    more.push(set.iter().copied().chain(arrived).collect());
                }
            }
            sets = more;
        }
    }
    Some(sets)
}

/// Delivers a message as an invisible delivery.
pub(crate) fn deliver_invisibly(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    (edge, message): Arrival,
    effects: &mut Effects,
) -> Result<(), Stop> {
    let mut queue = layout.queue(next, edge).iter();
    let place = queue
        .position(|item| item / compiled.messages.delays == message)
        .ok_or(Stop::Broken)?;
    layout.take(next, edge, place);
    let (from, to) = compiled.machine.edges[edge.index()];
    match handler_of(compiled, edge, message) {
        Some(block) => {
            let first = compiled.messages.ranges[compiled.record_of(message).index()].0;
            let locals = [message - first, i64::from(from.0)];
            run_code(
                compiled,
                layout,
                frozen,
                next,
                to,
                block,
                locals,
                &mut [].iter(),
                effects,
            )
        }
        None => store_message(compiled, layout, next, edge, message),
    }
}

/// The block that handles a message; `None` if the message enters the inbox.
fn handler_of(compiled: &CompiledMachine<'_>, edge: EdgeId, message: i64) -> Option<BlockId> {
    let (to, record) = (
        compiled.machine.edges[edge.index()].1,
        compiled.record_of(message),
    );
    let takes = |block: &BlockId| matches!(&compiled.machine.blocks[block.index()].trigger, Trigger::On(wanted, _) if *wanted == record);
    compiled.blocks_of(to).find(takes)
}

/// The choice of the reference interpreter for an invisible delivery.
pub(crate) fn arrival_choice(compiled: &CompiledMachine<'_>, (edge, message): Arrival) -> Choice {
    let outcome = handler_of(compiled, edge, message).map_or(Outcome::Store, Outcome::HandOver);
    Choice {
        event: Event::Deliver(edge, message_value(compiled, message), outcome),
        picks: Vec::new(),
        time: None,
    }
}

/// Delivers all messages with invisible delivery whose latest arrival time is now.
pub(crate) fn deliver_due(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    effects: &mut Effects,
) -> Result<(), Stop> {
    if compiled.timing.reductions.is_none()
        || compiled.messages.delays == 1
            && compiled
                .timing
                .clocks
                .units
                .as_ref()
                .is_none_or(|u| u.delay.is_none())
    {
        return Ok(());
    }
    for e in 0..compiled.machine.edges.len() as u32 {
        let edge = EdgeId(e);
        loop {
            let mut queue = layout.queue(next, edge).iter();
            let due = queue.find(|item| {
                **item % compiled.messages.delays == 0
                    && is_invisible(
                        compiled,
                        frozen,
                        next,
                        edge,
                        **item / compiled.messages.delays,
                    )
            });
            let Some(item) = due.copied() else {
                break;
            };
            deliver_invisibly(
                compiled,
                layout,
                frozen,
                next,
                (edge, item / compiled.messages.delays),
                effects,
            )?;
        }
    }
    Ok(())
}

/// Sets dead variables and array elements to fixed values and removes dead messages, so that equivalent states become
/// equal. A node has ended if it has halted, crashed or is off.
pub(crate) fn apply_reductions(compiled: &CompiledMachine<'_>, layout: &Layout, slots: &mut Slots) {
    let Some(reductions) = &compiled.timing.reductions else {
        return;
    };
    let is_gone = |slots: &Slots, node: NodeId| {
        let mode = compiled.mode(slots, node);
        mode == Mode::Halted as i64 || mode == Mode::Off as i64 || mode == Mode::Crashed as i64
    };
    for node in compiled.machine.nodes() {
        if is_gone(slots, node) {
            for (slot, value) in &reductions.gone[node.index()] {
                slots[*slot] = *value;
            }
        }
    }
    for (e, (_, to)) in compiled.machine.edges.iter().enumerate() {
        if is_gone(slots, *to) {
            let unwatched =
                |message: i64| reductions.unwatched[compiled.record_of(message).index()];
            remove_messages(compiled, layout, slots, EdgeId(e as u32), &unwatched);
        }
    }
    for rule in &reductions.dead_elements {
        if is_gone(slots, rule.node) {
            continue;
        }
        let limit = (slots[rule.index] + rule.plus).clamp(rule.over.0, rule.over.1 + 1);
        let kept = (rule.over.1 - limit + 1) as u32;
        slots[rule.array] %= rule.places.pow(kept).max(1);
        for (e, (_, to)) in compiled.machine.edges.iter().enumerate() {
            if *to == rule.node && !rule.messages.is_empty() {
                let idle = |message: i64| {
                    rule.messages
                        .iter()
                        .any(|((from, end), (weight, places), first)| {
                            let inside = *from <= message && message < *end;
                            inside && (message - from) / weight % places + first < limit
                        })
                };
                remove_messages(compiled, layout, slots, EdgeId(e as u32), &idle);
            }
        }
    }
}

/// Removes the messages that satisfy `which` from the channel of an edge.
fn remove_messages(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &mut Slots,
    edge: EdgeId,
    which: &dyn Fn(i64) -> bool,
) {
    let mut place = 0;
    while let Some(item) = layout.queue(slots, edge).get(place) {
        match which(item / compiled.messages.delays) {
            true => layout.take(slots, edge, place),
            false => place += 1,
        }
    }
}
