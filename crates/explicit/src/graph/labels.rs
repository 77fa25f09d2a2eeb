//! The labels of transitions: what fairness needs to know of an event.

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
    /// What it counts as.
    pub(crate) units: Vec<u32>,
    /// Edge and message type of what it puts on a channel that may lose for ever.
    pub(crate) puts: Vec<(u32, u32)>,
    /// Time passes.
    pub(crate) waits: bool,
    /// It is owed, whatever it counts as.
    pub(crate) owed: bool,
    /// Edge and message type of what arrives.
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
    /// What fairness needs to know of an event, whatever it puts on its way.
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
            // Nobody owes these; that time passes is what every infinite run has in common.
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
                let counts = compiled.machine.counts(compiled.record_of(message));
                match compiled.machine.channel {
                    Channel::Fifo(_) | Channel::Instant => {
                        label.units.push(self.unit(2, edge.0, 0));
                    }
                    // Which of those in a bag it is, numbers that are shifted do not tell: it is owed, but not by its
                    // number. More loops count as fair than are; whoever shows one makes sure that it is.
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

    /// The number of the label of an event that puts this on channels.
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

    /// How many units of fairness there are.
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

/// Whether messages of a type may be lost again and again.
fn may_lose_for_ever(compiled: &CompiledMachine<'_>, record: machine::RecordId) -> bool {
    let mut faults = compiled.faults_that_lose_for_ever();
    !broken(Defect::LossyFairnessIgnored)
        && faults.any(|fault| fault.of.is_none_or(|of| of == record))
}
