//! Transition labels: what fairness needs to know of an event.

use crate::defects::{Defect, broken};
use crate::expand::event_numbers::Put;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use foldhash::HashMap;
use machine::{BlockId, Channel, NodeId, Outcome};
use serde::{Deserialize, Serialize};

/// What fairness needs to know of a transition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Label {
    /// The units of fairness that it takes.
    pub(crate) units: Vec<u32>,
    /// Edge and message type of messages that it puts on a channel with unlimited losses.
    pub(crate) puts: Vec<(u32, u32)>,
    /// Time passes.
    pub(crate) waits: bool,
    /// Weak fairness requires it, whatever its units are.
    pub(crate) owed: bool,
    /// Edge and message type of a message that arrives.
    pub(crate) arrives: Option<(u32, u32)>,
}

/// The labels that were met, numbered in the order of arrival, and the units of fairness that they name.
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
            // Fairness does not require these; the passing of time is required of every infinite run.
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
                    // Shifted counters do not identify a message of an unordered channel: the delivery is required, but
                    // without a unit. So more loops count as fair than are; a reported loop is checked.
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

    /// The number of the label of an event that puts these messages on channels.
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

    /// The number of units of fairness.
    pub(crate) fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// The unit of fairness of a node's block.
    pub(crate) fn block_unit(&mut self, node: NodeId, block: BlockId) -> u32 {
        let one = broken(Defect::FairnessPerNode);
        self.unit(0, node.0, if one { 0 } else { i64::from(block.0) })
    }

    fn unit(&mut self, sort: u8, owner: u32, detail: i64) -> u32 {
        let next = self.units.len() as u32;
        *self.units.entry((sort, owner, detail)).or_insert(next)
    }
}

/// Whether messages of a type may be lost without limit.
fn may_lose_for_ever(compiled: &CompiledMachine<'_>, record: machine::RecordId) -> bool {
    let mut faults = compiled.faults_that_lose_for_ever();
    !broken(Defect::LossyFairnessIgnored)
        && faults.any(|fault| fault.of.is_none_or(|of| of == record))
}
