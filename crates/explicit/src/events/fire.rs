//! The effect of an event on an open state.
//!
//! The semantics is that of the reference interpreter, over numbers; differential tests compare the two.

use crate::defects::{Defect, broken};
use crate::events::invisible_deliveries::{apply_reductions, deliver_invisibly};
use crate::events::receive::{store_message, take_at_once};
use crate::events::runtime_faults::{apply_fault, crash_during, restart_node};
use crate::events::timing::{keep_time, pass_time, timer_for};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Arrival, CompiledEvent, Effects, SendingEvent, Stop};
use crate::program::statement::{BlockRun, CompiledBlock};
use crate::state::layout::{Layout, Slots};
use machine::{BlockId, Channel, EdgeId, Mode, NodeId, Outcome};

/// Fires an event, after the invisible deliveries `arrivals`, in `next`, a copy of the open state. On `Err`, the
/// content of `next` is meaningless.
pub(crate) fn fire_event(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    (mut event, arrivals): (CompiledEvent, &[Arrival]),
    picks: &[i64],
    effects: &mut Effects,
) -> Result<(), Stop> {
    effects.sent.clear();
    effects.put.clear();
    effects.chosen.clear();
    effects.ran.clear();
    // If the node crashes during the event and its messages have been computed already, the invisible deliveries have
    // no further effect.
    let known = effects
        .unfinished
        .as_ref()
        .is_some_and(|known| known.is_for(picks));
    let idle = matches!(event, CompiledEvent::CrashDuring(..)) && known;
    for arrival in arrivals.iter().filter(|_| !idle) {
        deliver_invisibly(compiled, layout, frozen, next, *arrival, effects)?;
    }
    if !arrivals.is_empty() && !idle {
        find_again(compiled, layout, next, &mut event);
    }
    apply_event(compiled, layout, frozen, next, event, picks, effects)?;
    keep_time(compiled, layout, frozen, next, event)?;
    apply_reductions(compiled, layout, next);
    if next[layout.pace()].is_empty() {
        return Ok(());
    }
    let mut pace = std::mem::take(&mut effects.pace);
    pace.clear();
    pace.extend_from_slice(&next[layout.pace()]);
    if let CompiledEvent::Run(node, block) = event
        && compiled.machine.block_timing(block).is_some()
    {
        let runs = &|node| compiled.runs(next, node);
        compiled.timing.pace.activated(&mut pace, node, runs);
    }
    compiled
        .timing
        .pace
        .normalise(&mut pace, &|node| compiled.runs(next, node));
    next[layout.pace()].copy_from_slice(&pace);
    effects.pace = pace;
    Ok(())
}

/// Updates the index of the delivered message after invisible deliveries have changed its channel.
fn find_again(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    next: &Slots,
    event: &mut CompiledEvent,
) {
    if let CompiledEvent::Deliver {
        edge,
        place,
        message,
        ..
    }
    | CompiledEvent::CrashDuring(
        _,
        SendingEvent::HandOver {
            edge,
            place,
            message,
            ..
        },
    ) = event
    {
        let mut queue = layout.queue(next, *edge).iter();
        let found = queue.position(|item| item / compiled.messages.delays == *message);
        *place = found.expect("it has not arrived yet");
    }
}

fn apply_event(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    event: CompiledEvent,
    picks: &[i64],
    effects: &mut Effects,
) -> Result<(), Stop> {
    match event {
        CompiledEvent::Transmit(node) => {
            let (edge, message) = compiled.outgoing(node, layout.outbox(next, node)[0]);
            layout.release(next, node);
            put_message(compiled, layout, next, edge, message, effects)?;
            Ok(())
        }
        CompiledEvent::Expire(node, place, block) => {
            compiled
                .timing
                .clocks
                .unset_timer(next, node, place as usize);
            let locals = [timer_for(compiled, node, place), 0];
            run_block(
                compiled, layout, frozen, next, node, block, locals, picks, effects,
            )
        }
        CompiledEvent::Crash(node, runtime_fault) => {
            apply_fault(compiled, layout, next, node, runtime_fault, Mode::Crashed);
            Ok(())
        }
        CompiledEvent::Stop(node, runtime_fault) => {
            apply_fault(compiled, layout, next, node, runtime_fault, Mode::Stopped);
            Ok(())
        }
        CompiledEvent::CrashDuring(runtime_fault, during) => crash_during(
            compiled,
            layout,
            frozen,
            next,
            (runtime_fault, during),
            picks,
            effects,
        ),
        CompiledEvent::Restart(node) => {
            restart_node(compiled, layout, frozen, next, node, picks, effects)
        }
        CompiledEvent::Wait => pass_time(compiled, layout, frozen, next, effects),
        CompiledEvent::Run(node, block) => {
            next[compiled.bases[node.index()] as usize] = Mode::Running as i64;
            run_block(
                compiled,
                layout,
                frozen,
                next,
                node,
                block,
                [0, 0],
                picks,
                effects,
            )
        }
        CompiledEvent::Deliver {
            edge,
            place,
            message,
            outcome,
        } => {
            if !matches!(outcome, Outcome::Repeat(..)) || broken(Defect::RepeatTakes) {
                layout.take(next, edge, place);
            }
            if let Outcome::Lose(fault) | Outcome::Repeat(fault, _) = outcome
                && compiled.machine.faults[fault.index()].limit.is_some()
                && !(broken(Defect::LossIsFree) && matches!(outcome, Outcome::Lose(_)))
            {
                next[layout.budget(fault.index())] -= 1;
            }
            let (from, to) = compiled.machine.edges[edge.index()];
            match outcome {
                Outcome::HandOver(block) | Outcome::Repeat(_, Some(block)) => {
                    let first = compiled.messages.ranges[compiled.record_of(message).index()].0;
                    let locals = [message - first, i64::from(from.0)];
                    run_block(
                        compiled, layout, frozen, next, to, block, locals, picks, effects,
                    )
                }
                Outcome::Store | Outcome::Repeat(_, None) => {
                    store_message(compiled, layout, next, edge, message)
                }
                Outcome::Unhandled if broken(Defect::UnhandledDropped) => Ok(()),
                Outcome::Unhandled => Err(Stop::Broken),
                Outcome::Drop | Outcome::Lose(_) => Ok(()),
            }
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one event, each of its own kind"
)]
pub(crate) fn run_block(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    node: NodeId,
    block: BlockId,
    message: [i64; 2],
    picks: &[i64],
    effects: &mut Effects,
) -> Result<(), Stop> {
    let mut picks = picks.iter();
    run_code(
        compiled, layout, frozen, next, node, block, message, &mut picks, effects,
    )?;
    send_all(compiled, layout, frozen, next, node, &mut picks, effects)
}

/// Puts the messages sent by a node on channels, or in its outbox if a channel is full. Instant messages are delivered.
/// A node that cannot send sends nothing.
pub(crate) fn send_all(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    node: NodeId,
    picks: &mut std::slice::Iter<'_, i64>,
    effects: &mut Effects,
) -> Result<(), Stop> {
    if !compiled.can_send(frozen, node) {
        effects.sent.clear();
    }
    if compiled.machine.channel == Channel::Instant && broken(Defect::InstantReversed) {
        effects.sent.reverse();
    }
    for i in 0..effects.sent.len() {
        let (edge, message) = effects.sent[i];
        if compiled.machine.channel == Channel::Instant {
            take_at_once(
                compiled, layout, frozen, next, edge, message, picks, effects,
            )?;
        } else if layout.outbox(next, node).is_empty() && layout.has_room(next, edge) {
            put_message(compiled, layout, next, edge, message, effects)?;
        } else if !broken(Defect::NoOutbox) {
            let out = compiled.network.out_edges[node.index()]
                .iter()
                .position(|e| *e == edge)
                .expect("its edge");
            layout.keep(next, node, out as i64 * compiled.messages.count + message)?;
        }
    }
    Ok(())
}

/// Puts a message on a channel, with the longest delay as the time until it must arrive.
fn put_message(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    next: &mut Slots,
    edge: EdgeId,
    message: i64,
    effects: &mut Effects,
) -> Result<(), Stop> {
    let sorted = compiled.machine.channel == Channel::Unordered;
    layout.put(
        next,
        edge,
        message * compiled.messages.delays + compiled.messages.delays - 1,
        sorted,
    )?;
    effects.put.push((edge, message));
    Ok(())
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one event, each of its own kind"
)]
pub(crate) fn run_code(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    node: NodeId,
    block: BlockId,
    message: [i64; 2],
    picks: &mut std::slice::Iter<'_, i64>,
    effects: &mut Effects,
) -> Result<(), Stop> {
    effects.ran.push(block);
    let mut locals = std::mem::take(&mut effects.locals);
    locals.resize(compiled.code.most_locals, 0);
    locals[0] = i64::from(node.0);
    locals[1..3].copy_from_slice(&message);
    let mut run = BlockRun {
        compiled,
        layout,
        frozen,
        slots: next,
        locals,
        node,
        picks,
        effects,
    };
    let CompiledBlock { guard, body } = compiled.code(node, block);
    let done = guard
        .iter()
        .try_for_each(|guard| run.eval(guard).map(|_| ()));
    let done = done.and_then(|()| run.steps(body));
    let locals = run.locals;
    effects.locals = locals;
    done.map(|_| ())
}
