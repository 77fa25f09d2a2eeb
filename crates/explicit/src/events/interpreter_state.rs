//! Conversion of states and choices from and to the reference interpreter.

use crate::events::timing::{clock_of, clock_slots_of, time_left, timers_set};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{CompiledEvent, SendingEvent};
use crate::state::layout::{Layout, Slots};
use machine::{
    Channel, Choice, EdgeId, ErrorKind, Event, Instance, Mode, NodeId, NodeState, Outcome,
    Outgoing, RunError, State, StepError, Type, Value,
};
use verdict::{Ending, Run};

/// The state of the reference interpreter with these slots.
pub(crate) fn close_state(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &Slots,
    frozen: &[i64],
) -> State {
    let machine = compiled.machine;
    let nodes = machine.nodes().map(|node| {
        let base = compiled.bases[node.index()] as usize;
        let vars = machine.vars_of(machine.kind_of(node)).enumerate();
        let outbox = layout.outbox(slots, node).iter().map(|outgoing| {
            let (edge, message) = compiled.outgoing(node, *outgoing);
            Outgoing {
                edge,
                message: message_value(compiled, message),
            }
        });
        NodeState {
            mode: match slots[base] {
                0 => Mode::Waiting,
                1 => Mode::Running,
                2 => Mode::Halted,
                3 => Mode::Off,
                4 => Mode::Crashed,
                _ => Mode::Stopped,
            },
            vars: vars
                .map(|(v, var)| compiled.codec.decode(&var.ty, slots[base + 1 + v]))
                .collect(),
            outbox: outbox.collect(),
            inbox: inbox_of(compiled, layout, slots, node),
            timers: timers_set(compiled, slots, node),
            faulted: (0..machine.runtime_faults.len())
                .map(|runtime_fault| {
                    slots[compiled.timing.clocks.faulted(node, runtime_fault)] == 1
                })
                .collect(),
        }
    });
    let nodes = nodes.collect();
    let edges = (0..machine.edges.len() as u32).map(|e| {
        let items = on_the_way(compiled, layout, slots, EdgeId(e)).into_iter();
        items.map(|(message, _)| message).collect()
    });
    State {
        nodes,
        edges: edges.collect(),
        budgets: (0..machine.faults.len())
            .map(|f| slots[layout.budget(f)] as u32)
            .collect(),
        order_state: slots[layout.pace()].to_vec(),
        clock: clock_of(compiled, layout, slots, frozen),
    }
}

/// The slots of a state of the reference interpreter.
pub(crate) fn open_state(
    compiled: &CompiledMachine<'_>,
    layout: &mut Layout,
    state: &State,
    frozen: &[i64],
) -> Vec<i64> {
    let message = |m: &Value| message_number(compiled, m);
    let outgoing = |node: NodeId, o: &Outgoing| {
        let out = compiled.network.out_edges[node.index()]
            .iter()
            .position(|e| *e == o.edge)
            .expect("its edge");
        out as i64 * compiled.messages.count + message(&o.message)
    };
    let received = |(sender, m): &(NodeId, Value)| compiled.entry(*sender, message(m));
    let item = |edge: EdgeId, place: usize, m: &Value| {
        message(m) * compiled.messages.delays + time_left(compiled, state, edge, place)
    };
    let clocks = clock_slots_of(compiled, state, frozen);
    layout.open(compiled.machine, state, item, &clocks, outgoing, received)
}

/// The messages on an edge, each with the time until it must arrive; sorted if the channel is unordered.
pub(crate) fn on_the_way(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &Slots,
    edge: EdgeId,
) -> Vec<(Value, i64)> {
    let items = layout.queue(slots, edge).iter();
    let mut items: Vec<(Value, i64)> = items
        .map(|item| {
            (
                message_value(compiled, item / compiled.messages.delays),
                item % compiled.messages.delays,
            )
        })
        .collect();
    if compiled.machine.channel == Channel::Unordered {
        items.sort();
    }
    items
}

fn inbox_of(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &Slots,
    node: NodeId,
) -> Vec<(NodeId, Value)> {
    let entries = layout.inbox(slots, node).iter();
    let mut inbox: Vec<(NodeId, Value)> = entries
        .map(|entry| {
            let (sender, message) = compiled.received(*entry);
            (sender, message_value(compiled, message))
        })
        .collect();
    inbox.sort();
    inbox
}

/// The number of a message.
pub(crate) fn message_number(compiled: &CompiledMachine<'_>, message: &Value) -> i64 {
    let record = message.record();
    compiled.messages.ranges[record.index()].0
        + compiled.codec.encode(&Type::Record(record), message)
}

pub(crate) fn message_value(compiled: &CompiledMachine<'_>, number: i64) -> Value {
    let record = compiled.record_of(number);
    compiled.codec.decode(
        &Type::Record(record),
        number - compiled.messages.ranges[record.index()].0,
    )
}

/// The choice of the reference interpreter that corresponds to an event. `types` are the types of the picks.
pub(crate) fn choice_of(
    compiled: &CompiledMachine<'_>,
    event: CompiledEvent,
    picks: &[i64],
    types: &[Type],
) -> Choice {
    Choice {
        event: match event {
            CompiledEvent::Run(node, block) => Event::Run(node, block),
            CompiledEvent::Transmit(node) => Event::Transmit(node),
            CompiledEvent::Expire(node, place, block) => Event::Expire(node, place, block),
            CompiledEvent::Crash(node, runtime_fault) => Event::Crash(node, runtime_fault),
            CompiledEvent::CrashDuring(runtime_fault, during) => {
                let event = match during {
                    SendingEvent::Run(node, block) => Event::Run(node, block),
                    SendingEvent::Expire(node, place, block) => Event::Expire(node, place, block),
                    SendingEvent::HandOver {
                        edge,
                        message,
                        block,
                        ..
                    } => Event::Deliver(
                        edge,
                        message_value(compiled, message),
                        Outcome::HandOver(block),
                    ),
                };
                Event::CrashDuring(runtime_fault, Box::new(event))
            }
            CompiledEvent::Stop(node, runtime_fault) => Event::Stop(node, runtime_fault),
            CompiledEvent::Restart(node) => Event::Restart(node),
            CompiledEvent::Wait => Event::Wait,
            CompiledEvent::Deliver {
                edge,
                message,
                outcome,
                ..
            } => Event::Deliver(edge, message_value(compiled, message), outcome),
        },
        picks: picks
            .iter()
            .zip(types)
            .map(|(number, ty)| compiled.codec.decode(ty, *number))
            .collect(),
        time: None,
    }
}

/// Sets the ending of a run to the error that its last choice causes in the reference interpreter.
pub(crate) fn into_error(instance: Instance<'_>, mut run: Run) -> Run {
    let choice = run.choices.pop().expect("one that is an error");
    let error = match last_state(instance, &run).map(|last| instance.step(&last, &choice)) {
        Some(Err(StepError::Error(error))) => error,
        // The interpreter disagrees: the audit rejects this run and reports the discrepancy.
        _ => RunError {
            kind: ErrorKind::Assertion,
            origin: None,
        },
    };
    run.choices.push(choice);
    run.ending = Ending::Error(error);
    run
}

/// The last state of a run in the reference interpreter; `None` if a choice cannot be executed.
pub(crate) fn last_state(instance: Instance<'_>, run: &Run) -> Option<State> {
    let mut state = run.initial.clone();
    for choice in &run.choices {
        state = instance.step(&state, choice).ok()?;
    }
    Some(state)
}
