//! The events that are enabled in an open state.
//!
//! The semantics is that of the reference interpreter, over numbers; differential tests compare the two.

use crate::defects::{Defect, broken};
use crate::events::invisible_deliveries::is_invisible;
use crate::events::receive::enters_inbox;
use crate::events::runtime_faults::add_runtime_faults;
use crate::events::timing::{expiries, keep_timely, waits_for_arrivals};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use crate::program::expression::Context;
use machine::{BlockId, Channel, EdgeId, Effect, FaultId, Mode, NodeId, Outcome, Trigger};

/// Whether no event except crashes and stops is enabled, now or after time has passed.
pub(crate) fn is_quiescent(context: &Context<'_>) -> bool {
    !anything_enabled(context.compiled, context)
}

/// Whether an event other than a crash or stop is enabled, now or after time has passed.
pub(crate) fn anything_enabled(compiled: &CompiledMachine<'_>, context: &Context<'_>) -> bool {
    let runtime_faults = |h: &CompiledEvent| {
        matches!(
            h,
            CompiledEvent::Crash(..) | CompiledEvent::CrashDuring(..) | CompiledEvent::Stop(..)
        )
    };
    let mut found = Vec::new();
    enabled_some_day(compiled, context, &mut found);
    !found.iter().all(runtime_faults)
}

/// Replaces the content of `found` by the events that are enabled now.
pub(crate) fn enabled_events(
    compiled: &CompiledMachine<'_>,
    context: &Context<'_>,
    found: &mut Vec<CompiledEvent>,
) {
    found.clear();
    enabled_some_day(compiled, context, found);
    keep_timely(compiled, context, found);
}

/// Appends the events that are enabled now or after time has passed.
fn enabled_some_day(
    compiled: &CompiledMachine<'_>,
    context: &Context<'_>,
    found: &mut Vec<CompiledEvent>,
) {
    let (slots, layout) = (context.slots, context.layout);
    let waits = |node: NodeId| compiled.mode(slots, node) == Mode::Waiting as i64;
    let starting = compiled.machine.channel == Channel::Instant
        && compiled.machine.nodes().any(waits)
        && !broken(Defect::InstantStartsLate);
    for node in compiled.machine.nodes() {
        if let Some(first) = layout.outbox(slots, node).first() {
            if layout.has_room(slots, compiled.outgoing(node, *first).0) {
                found.push(CompiledEvent::Transmit(node));
            }
            if !broken(Defect::BusyNodeActs) {
                continue;
            }
        }
        own_events(compiled, context, node, starting, found);
    }
    let mut locals = vec![0; compiled.code.most_locals];
    for e in 0..compiled.machine.edges.len() {
        let edge = EdgeId(e as u32);
        let queue = layout.queue(slots, edge);
        let reachable = match compiled.machine.channel {
            Channel::Fifo(_) if broken(Defect::MessagesOvertake) => queue.len(),
            Channel::Fifo(_) | Channel::Instant => queue.len().min(1),
            Channel::Unordered => queue.len(),
        };
        for place in 0..reachable {
            // Of several equal messages, only the one sent first is delivered.
            let message = queue[place] / compiled.messages.delays;
            let first = place == 0 || queue[place - 1] / compiled.messages.delays != message;
            if first && !is_invisible(compiled, context.frozen, slots, edge, message) {
                outcomes(compiled, context, edge, place, message, &mut locals, found);
            }
        }
    }
    if !starting {
        add_runtime_faults(compiled, slots, found);
    }
}

/// Appends the events of a node with an empty outbox that need no message. With `starting`, only the start of the node.
pub(crate) fn own_events(
    compiled: &CompiledMachine<'_>,
    context: &Context<'_>,
    node: NodeId,
    starting: bool,
    found: &mut Vec<CompiledEvent>,
) {
    let (slots, layout) = (context.slots, context.layout);
    let holds_back = |n: NodeId| compiled.runs(slots, n) || broken(Defect::HaltedHoldsBack);
    let pace = &slots[layout.pace()];
    let mode = match slots[compiled.bases[node.index()] as usize] {
        mode if mode == Mode::Off as i64 && broken(Defect::OffNodeRuns) => Mode::Running as i64,
        mode => mode,
    };
    for block in compiled.blocks_of(node) {
        let possible = match &compiled.machine.blocks[block.index()].trigger {
            Trigger::Start => mode == Mode::Waiting as i64,
            _ if starting => false,
            Trigger::Every(_) => {
                mode == Mode::Running as i64
                    && compiled.timing.pace.allows(pace, node, &holds_back)
                    && !waits_for_arrivals(compiled, layout, slots, node)
            }
            Trigger::Timer(timer) => {
                if mode == Mode::Running as i64 {
                    expiries(compiled, slots, node, *timer, block, found);
                }
                false
            }
            Trigger::When(_) => {
                let mut locals = vec![0; compiled.code.most_locals];
                locals[0] = i64::from(node.0);
                mode == Mode::Running as i64
                    && guard_holds(compiled, context, node, block, &mut locals)
            }
            Trigger::On(..) => false,
        };
        if possible {
            found.push(CompiledEvent::Run(node, block));
        }
    }
}

/// Appends the events that deliver, repeat or lose the message at index `place` of an edge.
pub(crate) fn outcomes(
    compiled: &CompiledMachine<'_>,
    context: &Context<'_>,
    edge: EdgeId,
    place: usize,
    message: i64,
    locals: &mut [i64],
    found: &mut Vec<CompiledEvent>,
) {
    let (from, to) = compiled.machine.edges[edge.index()];
    let busy = !context.layout.outbox(context.slots, to).is_empty();
    if busy && !broken(Defect::BusyNodeReceives) {
        return;
    }
    let mut push = |outcome| {
        found.push(CompiledEvent::Deliver {
            edge,
            place,
            message,
            outcome,
        });
    };
    let record = compiled.record_of(message);
    let mode = context.slots[compiled.bases[to.index()] as usize];
    if mode == Mode::Waiting as i64 && !broken(Defect::StartNotFirst) {
        return;
    }
    if (mode == Mode::Halted as i64 && !broken(Defect::HaltedNodeReceives))
        || mode > Mode::Halted as i64
        || !compiled.can_receive(context.frozen, to)
        || compiled.machine.kinds[compiled.machine.kind_of(to).index()]
            .ignores
            .contains(&record)
    {
        return push(Outcome::Drop);
    }
    locals[0] = i64::from(to.0);
    locals[1] = message - compiled.messages.ranges[record.index()].0;
    locals[2] = i64::from(from.0);
    let mut known = false;
    let takes = |block: &BlockId| {
        let for_it = matches!(&compiled.machine.blocks[block.index()].trigger, Trigger::On(r, _) if *r == record);
        known |= for_it;
        for_it
            && (guard_holds(compiled, context, to, *block, locals) || broken(Defect::GuardsIgnored))
    };
    let mut blocks = compiled.blocks_of(to);
    let handler = match broken(Defect::LastBlockFirst) {
        false => blocks.find(takes),
        true => blocks.rfind(takes),
    };
    let stores = handler.is_none() && enters_inbox(compiled, to, record);
    match handler {
        Some(block) => push(Outcome::HandOver(block)),
        None if known => return, // no guard of its handlers is true in this state
        None if stores => push(Outcome::Store),
        None => push(Outcome::Unhandled),
    }
    for (f, fault) in compiled.machine.faults.iter().enumerate() {
        let budget = context.slots[context.layout.budget(f)];
        if (fault.limit.is_none() || budget > 0) && fault.of.is_none_or(|of| of == record) {
            match (fault.effect, handler) {
                (Effect::Lose, _) => push(Outcome::Lose(FaultId(f as u32))),
                (Effect::Repeat, Some(block)) => {
                    push(Outcome::Repeat(FaultId(f as u32), Some(block)))
                }
                (Effect::Repeat, None) if stores => push(Outcome::Repeat(FaultId(f as u32), None)),
                (Effect::Repeat, None) => {}
            }
        }
    }
}

fn guard_holds(
    compiled: &CompiledMachine<'_>,
    context: &Context<'_>,
    node: NodeId,
    block: BlockId,
    locals: &mut [i64],
) -> bool {
    match &compiled.code(node, block).guard {
        Some(guard) => context.holds(guard, locals).unwrap_or(true),
        None => true,
    }
}
