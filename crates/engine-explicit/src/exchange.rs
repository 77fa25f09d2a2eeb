//! States and choices as the reference interpreter has them, to and from numbers.

use crate::layout::{Layout, Slots};
use crate::model::{Compiled, Happening};
use machine::{
    Channel, Choice, EdgeId, Event, Mode, NodeId, NodeState, Outgoing, State, Type, Value,
};

impl Compiled<'_> {
    /// A state of the reference interpreter.
    pub(crate) fn close(&self, layout: &Layout, slots: &Slots) -> State {
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
                    _ => Mode::Off,
                },
                vars: vars
                    .map(|(v, var)| self.codec.decode(&var.ty, slots[base + 1 + v]))
                    .collect(),
                outbox: outbox.collect(),
                inbox: self.inbox(layout, slots, node),
                timers: Vec::new(),
                struck: Vec::new(),
            }
        });
        let nodes = nodes.collect();
        let edges = (0..machine.edges.len() as u32).map(|e| {
            let queue = layout.queue(slots, EdgeId(e)).iter();
            let mut messages: Vec<Value> = queue.map(|m| self.message(*m)).collect();
            if machine.channel == Channel::Unordered {
                messages.sort();
            }
            messages
        });
        State {
            nodes,
            edges: edges.collect(),
            budgets: (0..machine.faults.len())
                .map(|f| slots[layout.budget(f)] as u32)
                .collect(),
            pace: slots[layout.pace()].to_vec(),
            clock: None,
        }
    }

    /// The slots of a state of the reference interpreter.
    pub(crate) fn open(&self, layout: &mut Layout, state: &State) -> Vec<i64> {
        let message = |m: &Value| self.message_number(m);
        let outgoing = |node: NodeId, o: &Outgoing| {
            let out = self.out_edges[node.index()]
                .iter()
                .position(|e| *e == o.edge)
                .expect("its edge");
            out as i64 * self.message_count + message(&o.message)
        };
        let received = |(sender, m): &(NodeId, Value)| self.entry(*sender, message(m));
        layout.open(self.machine, state, message, outgoing, received)
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

    fn message(&self, number: i64) -> Value {
        let record = self.record_of(number);
        self.codec.decode(
            &Type::Record(record),
            number - self.messages[record.index()].0,
        )
    }

    /// The choice that the reference interpreter would make.
    pub(crate) fn choice(&self, happening: Happening, picks: &[i64], types: &[Type]) -> Choice {
        Choice {
            event: match happening {
                Happening::Run(node, block) => Event::Run(node, block),
                Happening::Transmit(node) => Event::Transmit(node),
                Happening::Deliver {
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
