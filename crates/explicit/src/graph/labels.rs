//! Transition labels: the properties of an event on which fairness conditions depend.
//!
//! A *fairness unit* is an object that weak fairness requires to act if it stays enabled: a block of a node, the outbox
//! of a node, the channel of an edge, or one message of an unordered channel.

use crate::defects::{Defect, broken};
use crate::expand::event_numbers::Put;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use foldhash::HashMap;
use machine::{BlockId, Channel, NodeId, Outcome};
use serde::{Deserialize, Serialize};

/// The properties of a transition on which fairness conditions depend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Label {
    /// The fairness units that act in it.
    pub(crate) units: Vec<u32>,
    /// Edge and message type of each message that it puts on a channel with unlimited losses.
    pub(crate) puts: Vec<(u32, u32)>,
    /// Whether time passes.
    pub(crate) waits: bool,
    /// Whether weak fairness applies to it although it has no unit of its own.
    pub(crate) owed: bool,
    /// Edge and message type of the message that it delivers, if such messages can be lost without limit.
    pub(crate) arrives: Option<(u32, u32)>,
}

/// All labels found so far, numbered in the order of arrival, and the numbers of fairness units.
#[derive(Default)]
pub(crate) struct Labels {
    pub(crate) table: Vec<Label>,
    pub(crate) numbers: HashMap<Label, u32>,
    pub(crate) units: HashMap<(u8, u32, i64), u32>,
}

impl Labels {
    /// The label of an event, without the messages that it puts on channels.
    pub(crate) fn of_event(
        &mut self,
        compiled: &CompiledMachine<'_>,
        event: CompiledEvent,
    ) -> Label {
        let mut label = Label::default();
        let edges = &compiled.machine.edges;
        match event {
            CompiledEvent::Run(node, block) => label.units.push(self.block_unit(node, block)),
            CompiledEvent::Transmit(node) => label.units.push(self.unit(1, node.0, 0)),
            CompiledEvent::Expire(node, _, block) => label.units.push(self.block_unit(node, block)),
            // Weak fairness does not require faults to occur. The passing of time has a condition of its own: time
            // passes infinitely often in every infinite run.
            CompiledEvent::Crash(..)
            | CompiledEvent::CrashDuring(..)
            | CompiledEvent::Stop(..)
            | CompiledEvent::Restart(_) => {}
            CompiledEvent::Wait => label.waits = true,
            CompiledEvent::Deliver {
                edge,
                message,
                outcome,
                ..
            } => {
                let counts = compiled
                    .machine
                    .message_holds_counters(compiled.record_of(message));
                match compiled.machine.channel {
                    Channel::Fifo(_) | Channel::Instant => {
                        label.units.push(self.unit(2, edge.0, 0));
                    }
                    // Under a shift of counters, a message of an unordered channel cannot be identified, so its
                    // delivery has no unit. With the flag `owed` instead, the search accepts some cycles that are not
                    // fair; a reported cycle is checked for fairness again.
                    Channel::Unordered if counts => label.owed = true,
                    Channel::Unordered => label.units.push(self.unit(3, edge.0, message)),
                }
                if let Outcome::HandOver(block) | Outcome::Repeat(_, Some(block)) = outcome {
                    let receiver = edges[edge.index()].1;
                    label.units.push(self.block_unit(receiver, block));
                }
                let record = compiled.record_of(message);
                if !matches!(outcome, Outcome::Lose(_)) && may_lose_for_ever(compiled, record) {
                    label.arrives = Some((edge.0, record.0));
                }
            }
        }
        label
    }

    /// The number of the label of an event that puts the messages `put` on channels.
    pub(crate) fn number(
        &mut self,
        compiled: &CompiledMachine<'_>,
        event: CompiledEvent,
        put: &[Put],
    ) -> u32 {
        let mut label = self.of_event(compiled, event);
        for (edge, message) in put {
            let record = compiled.record_of(*message);
            if may_lose_for_ever(compiled, record) {
                label.puts.push((edge.0, record.0));
            }
        }
        if let Some(number) = self.numbers.get(&label) {
            return *number;
        }
        let number = self.table.len() as u32;
        self.table.push(label.clone());
        self.numbers.insert(label, number);
        number
    }

    /// The number of fairness units.
    pub(crate) fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// The fairness unit of a block of a node.
    pub(crate) fn block_unit(&mut self, node: NodeId, block: BlockId) -> u32 {
        let one = broken(Defect::FairnessPerNode);
        self.unit(0, node.0, if one { 0 } else { i64::from(block.0) })
    }

    fn unit(&mut self, sort: u8, owner: u32, detail: i64) -> u32 {
        let next = self.units.len() as u32;
        *self.units.entry((sort, owner, detail)).or_insert(next)
    }
}

/// Whether messages of a type can be lost without limit.
fn may_lose_for_ever(compiled: &CompiledMachine<'_>, record: machine::RecordId) -> bool {
    let mut faults = compiled.faults_that_lose_for_ever();
    !broken(Defect::LossyFairnessIgnored)
        && faults.any(|fault| fault.of.is_none_or(|of| of == record))
}
