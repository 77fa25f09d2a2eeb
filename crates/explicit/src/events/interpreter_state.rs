//! Conversion of states and choices to and from the reference interpreter.

use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{CompiledEvent, SendingEvent};
use crate::state::layout::{Layout, Slots};
use machine::{
    Channel, Choice, EdgeId, Event, Mode, NodeId, NodeState, Outcome, Outgoing, State, Type, Value,
};
use machine::{ErrorKind, Instance, RunError, StepError};
use verdict::{Ending, Run};

impl CompiledMachine<'_> {
    /// The state of the reference interpreter for these slots.
    pub(crate) fn close(&self, layout: &Layout, slots: &Slots, frozen: &[i64]) -> State {
        let machine = self.machine;
        let nodes = machine.nodes().map(|node| {
            let base = self.bases[node.index()] as usize;
            let vars = machine.vars_of(machine.kind_of(node)).enumerate();
            let outbox = layout.outbox(slots, node).iter().map(|outgoing| {
                let (edge, message) = self.outgoing(node, *outgoing);
                Outgoing {
                    edge,
                    message: self.message(message),
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
                    .map(|(v, var)| self.codec.decode(&var.ty, slots[base + 1 + v]))
                    .collect(),
                outbox: outbox.collect(),
                inbox: self.inbox(layout, slots, node),
                timers: self.timers_set(slots, node),
                faulted: (0..machine.runtime_faults.len())
                    .map(|runtime_fault| slots[self.clocks.faulted(node, runtime_fault)] == 1)
                    .collect(),
            }
        });
        let nodes = nodes.collect();
        let edges = (0..machine.edges.len() as u32).map(|e| {
            let items = self.on_the_way(layout, slots, EdgeId(e)).into_iter();
            items.map(|(message, _)| message).collect()
        });
        State {
            nodes,
            edges: edges.collect(),
            budgets: (0..machine.faults.len())
                .map(|f| slots[layout.budget(f)] as u32)
                .collect(),
            pace: slots[layout.pace()].to_vec(),
            clock: self.clock(layout, slots, frozen),
        }
    }

    /// The slots of a state of the reference interpreter.
    pub(crate) fn open(&self, layout: &mut Layout, state: &State, frozen: &[i64]) -> Vec<i64> {
        let message = |m: &Value| self.message_number(m);
        let outgoing = |node: NodeId, o: &Outgoing| {
            let out = self.out_edges[node.index()]
                .iter()
                .position(|e| *e == o.edge)
                .expect("its edge");
            out as i64 * self.message_count + message(&o.message)
        };
        let received = |(sender, m): &(NodeId, Value)| self.entry(*sender, message(m));
        let item = |edge: EdgeId, place: usize, m: &Value| {
            message(m) * self.delays + self.left(state, edge, place)
        };
        let clocks = self.clock_slots_of(state, frozen);
        layout.open(self.machine, state, item, &clocks, outgoing, received)
    }

    /// The messages on an edge in order, each with the time until it must arrive.
    pub(crate) fn on_the_way(
        &self,
        layout: &Layout,
        slots: &Slots,
        edge: EdgeId,
    ) -> Vec<(Value, i64)> {
        let items = layout.queue(slots, edge).iter();
        let mut items: Vec<(Value, i64)> = items
            .map(|item| (self.message(item / self.delays), item % self.delays))
            .collect();
        if self.machine.channel == Channel::Unordered {
            items.sort();
        }
        items
    }

    fn inbox(&self, layout: &Layout, slots: &Slots, node: NodeId) -> Vec<(NodeId, Value)> {
        let entries = layout.inbox(slots, node).iter();
        let mut inbox: Vec<(NodeId, Value)> = entries
            .map(|entry| {
                let (sender, message) = self.received(*entry);
                (sender, self.message(message))
            })
            .collect();
        inbox.sort();
        inbox
    }

    /// The number of a message.
    pub(crate) fn message_number(&self, message: &Value) -> i64 {
        let record = message.record();
        self.messages[record.index()].0 + self.codec.encode(&Type::Record(record), message)
    }

    pub(crate) fn message(&self, number: i64) -> Value {
        let record = self.record_of(number);
        self.codec.decode(
            &Type::Record(record),
            number - self.messages[record.index()].0,
        )
    }

    /// The choice of the reference interpreter for an event.
    pub(crate) fn choice(&self, event: CompiledEvent, picks: &[i64], types: &[Type]) -> Choice {
        Choice {
            event: match event {
                CompiledEvent::Run(node, block) => Event::Run(node, block),
                CompiledEvent::Transmit(node) => Event::Transmit(node),
                CompiledEvent::Expire(node, place, block) => Event::Expire(node, place, block),
                CompiledEvent::Crash(node, runtime_fault) => Event::Crash(node, runtime_fault),
                CompiledEvent::CrashDuring(runtime_fault, during) => {
                    let event = match during {
                        SendingEvent::Run(node, block) => Event::Run(node, block),
                        SendingEvent::Expire(node, place, block) => {
                            Event::Expire(node, place, block)
                        }
                        SendingEvent::HandOver {
                            edge,
                            message,
                            block,
                            ..
                        } => Event::Deliver(edge, self.message(message), Outcome::HandOver(block)),
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
                } => Event::Deliver(edge, self.message(message), outcome),
            },
            picks: picks
                .iter()
                .zip(types)
                .map(|(number, ty)| self.codec.decode(ty, *number))
                .collect(),
            time: None,
        }
    }
}

/// The same run, whose last choice is an error.
pub(crate) fn into_error(instance: Instance<'_>, mut run: Run) -> Run {
    let choice = run.choices.pop().expect("one that is an error");
    let error = match last_state(instance, &run).map(|last| instance.step(&last, &choice)) {
        Some(Err(StepError::Error(error))) => error,
        // The audit rejects this run and reports it.
        _ => RunError {
            kind: ErrorKind::Assertion,
            origin: None,
        },
    };
    run.choices.push(choice);
    run.ending = Ending::Error(error);
    run
}

/// The last state of a run.
pub(crate) fn last_state(instance: Instance<'_>, run: &Run) -> Option<State> {
    let mut state = run.initial.clone();
    for choice in &run.choices {
        state = instance.step(&state, choice).ok()?;
    }
    Some(state)
}
