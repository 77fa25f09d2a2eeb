//! Runtime faults: crash, stop and restart of nodes.
//!
//! The semantics is that of the reference interpreter; differential tests compare the two.

use crate::events::fire::{run_block, run_code, send_all};
use crate::events::timing::timer_for;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{CompiledEvent, Effects, SendingEvent, Stop, Unfinished};
use crate::program::expression::Context;
use crate::program::restart::RestartValue;
use crate::state::layout::{Layout, Slots};
use machine::{BlockId, EdgeId, Mode, NodeId, Outcome, RuntimeFaultId, Type};

/// Appends the enabled runtime faults and restarts. `found` already contains the other events.
pub(crate) fn add_runtime_faults(
    compiled: &CompiledMachine<'_>,
    slots: &Slots,
    found: &mut Vec<CompiledEvent>,
) {
    if compiled.machine.runtime_faults.is_empty() {
        return;
    }
    let events = found.len();
    let mode = |node: NodeId| compiled.mode(slots, node);
    let stopped = compiled
        .machine
        .nodes()
        .filter(|node| mode(*node) == Mode::Stopped as i64);
    found.extend(stopped.map(CompiledEvent::Restart));
    for (i, item) in compiled.machine.runtime_faults.iter().enumerate() {
        let runtime_fault = RuntimeFaultId(i as u32);
        for node in compiled
            .machine
            .nodes()
            .filter(|node| can_fault(compiled, slots, i, *node))
        {
            if item.crash.is_some() {
                found.push(CompiledEvent::Crash(node, runtime_fault));
            }
            if let Some(restart) = &item.stop
                && (restart.fresh || mode(node) == Mode::Running as i64)
            {
                found.push(CompiledEvent::Stop(node, runtime_fault));
            }
            if item.crash.is_some_and(|crash| crash.during_broadcast) {
                for event in 0..events {
                    if let Some((sender, during)) = sending_event(compiled, found[event])
                        && sender == node
                    {
                        found.push(CompiledEvent::CrashDuring(runtime_fault, during));
                    }
                }
            }
        }
    }
}

fn can_fault(
    compiled: &CompiledMachine<'_>,
    slots: &Slots,
    runtime_fault: usize,
    node: NodeId,
) -> bool {
    let item = &compiled.machine.runtime_faults[runtime_fault];
    let faulted = |node: NodeId| slots[compiled.timing.clocks.faulted(node, runtime_fault)];
    compiled.runs(slots, node)
        && item.is_about(compiled.machine.kind_of(node))
        && item.limit.is_none_or(|limit| {
            faulted(node) == 1
                || compiled.machine.nodes().map(faulted).sum::<i64>() < i64::from(limit)
        })
}

/// The node whose code an event runs, and the event as a [`SendingEvent`]; `None` if the code sends nothing or the
/// event is not one that a crash can interrupt.
fn sending_event(
    compiled: &CompiledMachine<'_>,
    event: CompiledEvent,
) -> Option<(NodeId, SendingEvent)> {
    let sends = |block: BlockId| compiled.code.sends[block.index()];
    match event {
        CompiledEvent::Run(node, block) if sends(block) => {
            Some((node, SendingEvent::Run(node, block)))
        }
        CompiledEvent::Expire(node, place, block) if sends(block) => {
            Some((node, SendingEvent::Expire(node, place, block)))
        }
        CompiledEvent::Deliver {
            edge,
            place,
            message,
            outcome: Outcome::HandOver(block),
        } if sends(block) => {
            let during = SendingEvent::HandOver {
                edge,
                place,
                message,
                block,
            };
            Some((compiled.machine.edges[edge.index()].1, during))
        }
        _ => None,
    }
}

/// Applies a crash or stop to a node: `mode` becomes its mode.
pub(crate) fn apply_fault(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    next: &mut Slots,
    node: NodeId,
    runtime_fault: RuntimeFaultId,
    mode: Mode,
) {
    next[compiled.bases[node.index()] as usize] = mode as i64;
    layout.clear(next, node);
    layout.clear_outbox(next, node);
    compiled
        .timing
        .clocks
        .runtime_fault(next, node, runtime_fault);
    if let Some(units) = &compiled.timing.clocks.units {
        units.end(next, node);
        if mode == Mode::Stopped
            && let Some((_, most)) = units.restart_within(node)
        {
            next[units.restart(node)] = most;
        }
    }
}

/// Crashes a node while its code sends: an arbitrary subset of the messages is sent.
pub(crate) fn crash_during(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    (runtime_fault, during): (RuntimeFaultId, SendingEvent),
    picks: &[i64],
    effects: &mut Effects,
) -> Result<(), Stop> {
    let mut picks = picks.iter();
    let sent = match effects.unfinished.take() {
        Some(known) if known.is_for(picks.as_slice()) => {
            picks = picks.as_slice()[known.picks.len()..].iter();
            effects.chosen.extend_from_slice(&known.chosen);
            let sent = known.sent.clone();
            effects.unfinished = Some(known);
            sent
        }
        _ => would_send(compiled, layout, frozen, next, during, &mut picks, effects)?,
    };
    if sent.len() > 16 {
        return Err(Stop::TooMany);
    }
    let node = match during {
        SendingEvent::Run(node, _) | SendingEvent::Expire(node, ..) => node,
        SendingEvent::HandOver { edge, place, .. } => {
            layout.take(next, edge, place);
            compiled.machine.edges[edge.index()].1
        }
    };
    let Some(chosen) = picks.next() else {
        return Err(Stop::Choose((0..1 << sent.len()).collect()));
    };
    let last = sent.len().max(1) as i64 - 1;
    effects.chosen.push(Type::Int(0, last).set());
    apply_fault(compiled, layout, next, node, runtime_fault, Mode::Crashed);
    let kept = sent
        .iter()
        .enumerate()
        .filter(|(place, _)| chosen >> place & 1 == 1);
    effects.sent = kept.map(|(_, sent)| *sent).collect();
    send_all(compiled, layout, frozen, next, node, &mut picks, effects)
}

/// Computes and records the messages that the code of an event would send. Leaves the state unchanged.
fn would_send(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    now: &Slots,
    during: SendingEvent,
    picks: &mut std::slice::Iter<'_, i64>,
    effects: &mut Effects,
) -> Result<Vec<(EdgeId, i64)>, Stop> {
    let all = picks.as_slice();
    let mut aside = now.to_vec();
    let (node, block, locals) = match during {
        SendingEvent::Run(node, block) => {
            aside[compiled.bases[node.index()] as usize] = Mode::Running as i64;
            (node, block, [0, 0])
        }
        SendingEvent::Expire(node, place, block) => {
            compiled
                .timing
                .clocks
                .unset_timer(&mut aside, node, place as usize);
            (node, block, [timer_for(compiled, node, place), 0])
        }
        SendingEvent::HandOver {
            edge,
            place,
            message,
            block,
        } => {
            layout.take(&mut aside, edge, place);
            let (from, to) = compiled.machine.edges[edge.index()];
            let first = compiled.messages.ranges[compiled.record_of(message).index()].0;
            (to, block, [message - first, i64::from(from.0)])
        }
    };
    run_code(
        compiled, layout, frozen, &mut aside, node, block, locals, picks, effects,
    )?;
    effects.ran.clear(); // the block did not complete
    let sent = std::mem::take(&mut effects.sent);
    effects.unfinished = Some(Unfinished {
        picks: all[..all.len() - picks.len()].to_vec(),
        chosen: effects.chosen.clone(),
        sent: sent.clone(),
    });
    Ok(sent)
}

/// Restarts a stopped node. If the restart is fresh, variables that are not persistent get initial values and the start
/// block runs.
pub(crate) fn restart_node(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    node: NodeId,
    picks: &[i64],
    effects: &mut Effects,
) -> Result<(), Stop> {
    let base = compiled.bases[node.index()] as usize;
    next[base] = Mode::Running as i64;
    if let Some(units) = &compiled.timing.clocks.units {
        units.begin(next, node, compiled.period(frozen, node));
        next[units.restart(node)] = 0;
    }
    let mut picks = picks.iter();
    let vars = compiled.machine.vars_of(compiled.machine.kind_of(node));
    for (place, (begins, var)) in compiled.code.restart_values[node.index()]
        .iter()
        .zip(vars)
        .enumerate()
    {
        let Some(begins) = begins else {
            continue;
        };
        let values = first_values(compiled, layout, frozen, next, node, begins)?;
        let slot = base + 1 + place;
        let value = match values[..] {
            [value] => value,
            _ => match picks.next() {
                None => return Err(Stop::Choose(values)),
                Some(pick) => {
                    effects.chosen.push(var.ty.clone());
                    *pick
                }
            },
        };
        next[slot] = compiled.masked(slot, value);
    }
    let fresh = compiled
        .machine
        .restart_of(node)
        .is_some_and(|restart| restart.fresh);
    match compiled.machine.start_block(compiled.machine.kind_of(node)) {
        Some(start) if fresh && compiled.blocks_of(node).any(|block| block == start) => {
            let picks = picks.as_slice();
            run_block(
                compiled,
                layout,
                frozen,
                next,
                node,
                start,
                [0, 0],
                picks,
                effects,
            )
        }
        _ => Ok(()),
    }
}

fn first_values(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    slots: &Slots,
    node: NodeId,
    begins: &RestartValue,
) -> Result<Vec<i64>, Stop> {
    let context = Context {
        compiled,
        layout,
        frozen,
        slots,
    };
    let mut locals = vec![0; compiled.code.most_locals];
    locals[0] = i64::from(node.0);
    match begins {
        RestartValue::NodeKey(code) => Ok(vec![context.eval(code, &mut locals)?]),
        RestartValue::Any(first, count) => Ok((*first..first + count).collect()),
        RestartValue::In(domain) => {
            let mut values = Vec::new();
            context.each(domain, &mut locals, &mut |_, _, value| {
                values.push(value);
                Ok(true)
            })?;
            Ok(values)
        }
    }
}
