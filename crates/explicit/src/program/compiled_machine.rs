//! The compiled Machine: all values are numbers, all code is [`Code`](crate::program::expression::Code).
//!
//! Its semantics is that of the reference interpreter; differential tests compare the two.

use crate::defects::{Defect, broken, pace_of};
use crate::program::compile::{Compiler, fault_number};
use crate::program::condition::Condition;
use crate::program::expression::Context;
use crate::program::network::Network;
use crate::program::restart::RestartValue;
use crate::program::statement::{CompiledBlock, StatementCompiler};
use crate::program::timed_reductions::CompiledReductions;
use crate::state::clocks::{Clocks, in_units};
use crate::state::codec::Codec;
use crate::state::counters::CounterShapes;
use crate::state::field_mask::FieldMask;
use crate::state::layout::{Layout, Slots};
use crate::state::partial_value::{self, SlotAbstraction};
use cancellation::Token;
use machine::{
    Block, BlockId, EdgeId, Fault, Frozen, KindId, Machine, Mode, NodeId, OrderConstraints,
    RecordId, Stmt, Trigger, Type,
};
use std::sync::Arc;
use verdict::{Influence, NodeCone, TimedReductions};

/// A Machine with compiled code, and the encoding of its states.
pub(crate) struct CompiledMachine<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) codec: Codec<'m>,
    /// By node: the slot of its mode.
    pub(crate) bases: Vec<u32>,
    pub(crate) code: Code,
    pub(crate) masks: ConeMasks,
    pub(crate) network: Network,
    pub(crate) messages: Messages,
    pub(crate) timing: CompiledTiming,
    /// With data abstraction, by slot of a mode or variable: which part of it may be unknown.
    abstraction: Option<Arc<[SlotAbstraction]>>,
    /// The index of the permanent faults of nodes in the vector of frozen numbers. The periods of nodes follow them.
    faults: usize,
    /// The positions of counters in states; `None` if the Machine has no counters.
    pub(crate) counter_shapes: Option<CounterShapes>,
    /// The cancellation token of the search. Expressions check it, because the evaluation of one expression may take
    /// minutes.
    pub(crate) token: Token,
}

/// The code of the nodes.
pub(crate) struct Code {
    /// By node: its blocks in order, with their code.
    blocks: Vec<Vec<(BlockId, Arc<CompiledBlock>)>>,
    /// By block: whether it may send messages.
    pub(crate) sends: Vec<bool>,
    /// The greatest number of local names in a block or condition.
    pub(crate) most_locals: usize,
    /// Evaluates `quiescent` in a state: no event except crashes and stops is enabled, now or after time has passed.
    pub(crate) quiescent: fn(&Context<'_>) -> bool,
    /// By node and variable: its value after a fresh restart; `None` if it keeps its value.
    pub(crate) restart_values: Vec<Vec<Option<RestartValue>>>,
}

/// The record fields outside of the cone of influence.
#[derive(Default)]
pub(crate) struct ConeMasks {
    /// By slot of a mode or variable: the fields outside of the cone; `None` if there are none.
    pub(crate) slots: Vec<Option<FieldMask>>,
    /// By node and record: the fields outside of the cone of such messages in the node's inbox; `None` if the messages
    /// as a whole are outside.
    pub(crate) inboxes: Vec<Vec<Option<FieldMask>>>,
}

/// The numbering of messages.
pub(crate) struct Messages {
    /// By record: the number of its first message, and one past the last. The two are equal if the record is no
    /// message.
    pub(crate) ranges: Vec<(i64, i64)>,
    /// The number of different messages.
    pub(crate) count: i64,
    /// The longest delay of a message plus one; 1 without delays. An item on a channel is message number times `delays`
    /// plus the time until the message must arrive.
    pub(crate) delays: i64,
    /// By node kind and record: whether such messages enter the inbox.
    pub(crate) inboxes: Vec<Vec<bool>>,
}

/// The order constraints and the times of events.
pub(crate) struct CompiledTiming {
    pub(crate) pace: OrderConstraints,
    /// The slots of clocks and runtime faults.
    pub(crate) clocks: Clocks,
    /// By deadline: the conditions for its request and its response.
    pub(crate) responses: Vec<(Condition, Condition)>,
    /// The timed reductions, if they are enabled.
    pub(crate) reductions: Option<CompiledReductions>,
}

impl<'m> CompiledMachine<'m> {
    /// Compiles a verified Machine, restricted to the cone of influence if one is given. An error names what the engine
    /// cannot represent.
    pub(crate) fn new(
        machine: &'m Machine,
        abstraction: Option<Arc<[SlotAbstraction]>>,
        cone: Option<&[NodeCone]>,
        quiescent: fn(&Context<'_>) -> bool,
    ) -> Result<CompiledMachine<'m>, String> {
        let codec = Codec { machine };
        let mut messages = Vec::new();
        let mut message_count = 0i64;
        for (r, record) in machine.records.iter().enumerate() {
            let first = message_count;
            if record.message {
                let places = codec.places(&Type::Record(RecordId(r as u32)))?;
                message_count = message_count
                    .checked_add(places as i64)
                    .filter(|count| *count < 1 << 50)
                    .ok_or("more than 2^50 different messages")?;
            }
            messages.push((first, message_count));
        }
        let inboxes = (0..machine.kinds.len() as u32).map(|kind| {
            let records = 0..machine.records.len() as u32;
            let enters = |r| machine.enters_inbox(KindId(kind), RecordId(r));
            records.map(enters).collect()
        });
        let faults = machine.frozen_vars.iter();
        let faults = faults.map(|r| machine.kinds[r.kind.index()].count as usize);
        let pace = pace_of(machine);
        let clocks = Clocks::new(machine, &pace)?;
        let delay = clocks.units.as_ref().and_then(|units| units.delay);
        let mut compiled = CompiledMachine {
            machine,
            codec,
            bases: Layout::node_bases(machine),
            code: Code {
                blocks: Vec::new(),
                sends: machine
                    .blocks
                    .iter()
                    .map(|block| machine::footprint(block).sends)
                    .collect(),
                most_locals: 4,
                quiescent,
                restart_values: Vec::new(),
            },
            masks: ConeMasks::default(),
            network: Network::of(machine),
            messages: Messages {
                ranges: messages,
                count: message_count,
                delays: delay.map_or(1, |(_, most)| most + 1),
                inboxes: inboxes.collect(),
            },
            timing: CompiledTiming {
                pace,
                clocks,
                responses: Vec::new(),
                reductions: None,
            },
            abstraction,
            faults: faults.sum(),
            counter_shapes: CounterShapes::new(machine, &Layout::node_bases(machine), cone)?,
            token: cancellation::current(),
        };
        for response in &machine.responses {
            let condition = |e| Condition::new(machine, &response.scope, e);
            let pair = (condition(&response.from)?, condition(&response.to)?);
            compiled.code.most_locals = compiled.code.most_locals.max(response.scope.locals.len());
            compiled.timing.responses.push(pair);
        }
        compiled.code.restart_values = compiled.all_restart_values()?;
        compiled.mask(cone)?;
        let mut whole = Vec::new();
        for block in &machine.blocks {
            compiled.code.most_locals = compiled.code.most_locals.max(block.scope.locals.len());
            if cone.is_none() {
                whole.push(Arc::new(compiled.block(block, &block.body)?));
            }
        }
        for node in machine.nodes() {
            let numbers = (0..machine.blocks.len()).map(|b| BlockId(b as u32));
            let of_kind = |b: &BlockId| machine.blocks[b.index()].kind == machine.kind_of(node);
            let code = match cone {
                None => numbers
                    .filter(of_kind)
                    .map(|b| (b, whole[b.index()].clone()))
                    .collect(),
                Some(cone) => {
                    let code = cone[node.index()].code.iter();
                    let code = code.map(|(b, body)| {
                        let block = compiled.block(&machine.blocks[b.index()], body)?;
                        Ok((*b, Arc::new(block)))
                    });
                    code.collect::<Result<_, String>>()?
                }
            };
            compiled.code.blocks.push(code);
        }
        Ok(compiled)
    }

    /// Enables timed reductions, if any are given.
    pub(crate) fn with(
        mut self,
        timed_reductions: Option<&TimedReductions>,
    ) -> Result<CompiledMachine<'m>, String> {
        self.timing.reductions = timed_reductions
            .map(|timed_reductions| CompiledReductions::new(&self, timed_reductions))
            .transpose()?;
        Ok(self)
    }

    /// Computes the masks of variables and inbox messages outside of the cone of influence.
    fn mask(&mut self, cone: Option<&[NodeCone]>) -> Result<(), String> {
        for node in self.machine.nodes() {
            let cone = cone.map(|all| &all[node.index()]);
            self.masks.slots.push(None); // the mode
            let vars = self.machine.vars_of(self.machine.kind_of(node));
            for (place, var) in vars.enumerate() {
                self.masks.slots.push(match cone.map(|r| &r.vars[place]) {
                    Some(some @ Influence::Fields(_)) => {
                        Some(FieldMask::new(self.codec, &var.ty, some)?)
                    }
                    _ => None,
                });
            }
            let records = (0..self.machine.records.len()).map(|r| {
                let record = RecordId(r as u32);
                match cone.map(|cone| &cone.inbox[r]) {
                    Some(Influence::Nothing) => Ok(None),
                    Some(some @ Influence::Fields(_)) if self.machine.records[r].message => {
                        FieldMask::of_record(self.codec, record, some).map(Some)
                    }
                    _ => Ok(Some(FieldMask::default())),
                }
            });
            let records = records.collect::<Result<_, String>>()?;
            self.masks.inboxes.push(records);
        }
        Ok(())
    }

    /// Whether data abstraction is used.
    pub(crate) fn is_abstract(&self) -> bool {
        self.abstraction.is_some()
    }

    /// With data abstraction: which part of a slot may be unknown.
    pub(crate) fn slot_abstraction(&self, slot: usize) -> Option<SlotAbstraction> {
        self.abstraction.as_ref().map(|slots| slots[slot])
    }

    /// A value of a slot, with fields outside of the cone of influence set to their first value.
    pub(crate) fn masked(&self, slot: usize, value: i64) -> i64 {
        match &self.masks.slots[slot] {
            Some(mask) => mask.of(value),
            None => value,
        }
    }

    /// A message in a node's inbox, with fields outside of the cone of influence set to their first value; `None` if
    /// the whole message is outside.
    pub(crate) fn masked_message(&self, node: NodeId, message: i64) -> Option<i64> {
        let record = self.record_of(message).index();
        let (first, mask) = (
            self.messages.ranges[record].0,
            self.masks.inboxes[node.index()][record].as_ref()?,
        );
        let (message, unknown) = partial_value::split(message);
        let (message, unknown) =
            partial_value::split(mask.of(partial_value::record(message - first, unknown)));
        Some(partial_value::record(first + message, unknown))
    }

    fn block(&self, block: &'m Block, body: &[Stmt]) -> Result<CompiledBlock, String> {
        let mut compiler = Compiler::new(self.machine, &block.scope);
        let guard = match &block.trigger {
            Trigger::On(_, Some(guard)) | Trigger::When(guard) => Some(compiler.expr(guard)?),
            _ => None,
        };
        let steps = StatementCompiler {
            compiled: self,
            block,
        };
        let body = steps.all(&mut compiler, body)?;
        Ok(CompiledBlock { guard, body })
    }

    /// The blocks of a node, in order.
    pub(crate) fn blocks_of(&self, node: NodeId) -> impl DoubleEndedIterator<Item = BlockId> {
        self.code.blocks[node.index()]
            .iter()
            .map(|(block, _)| *block)
    }

    /// The code of a block of a node.
    pub(crate) fn code(&self, node: NodeId, block: BlockId) -> &CompiledBlock {
        let mut blocks = self.code.blocks[node.index()].iter();
        &blocks.find(|(b, _)| *b == block).expect("its block").1
    }

    /// The layout of states. `undecided`: whether initial values may be undecided.
    pub(crate) fn layout(&self, undecided: bool) -> Result<Layout, String> {
        let most_out = self
            .network
            .out_edges
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or(0) as u64;
        let received = match self.messages.inboxes.iter().flatten().any(|enters| *enters) {
            true => self.entries(),
            false => 0,
        };
        Layout::new(
            self.machine,
            undecided,
            self.abstraction.as_deref(),
            &self.timing.pace,
            &self.timing.clocks.places,
            self.messages.count as u64 * self.messages.delays as u64,
            self.messages.count as u64 * most_out,
            received,
        )
    }

    pub(crate) fn edge_between(&self, from: i64, to: i64) -> Option<EdgeId> {
        self.network.edge_between(NodeId(from as u32), to)
    }

    /// The record type of a message.
    pub(crate) fn record_of(&self, message: i64) -> RecordId {
        let (message, _) = partial_value::split(message);
        let at = self
            .messages
            .ranges
            .iter()
            .position(|(first, end)| *first <= message && message < *end);
        RecordId(at.expect("a message") as u32)
    }

    /// The frozen values as numbers: frozen variables, then permanent faults by node, then periods by node.
    pub(crate) fn frozen(&self, frozen: &Frozen) -> Vec<i64> {
        let columns = self.machine.frozen_vars.iter().zip(&frozen.values);
        let values =
            columns.flat_map(|(var, values)| values.iter().map(|v| self.codec.encode(&var.ty, v)));
        let faults = self.machine.nodes().map(|n| fault_number(frozen.fault(n)));
        let periods = self.machine.nodes().map(|n| self.period_of(frozen, n));
        values.chain(faults).chain(periods).collect()
    }

    fn period_of(&self, frozen: &Frozen, node: NodeId) -> i64 {
        match (frozen.period(node), self.machine.digitisation()) {
            (Some(period), Some(grid)) => in_units(period, &grid.unit).unwrap_or(0),
            _ => 0,
        }
    }

    /// The period of a node in units; 0 if it has no fixed period.
    pub(crate) fn period(&self, frozen: &[i64], node: NodeId) -> i64 {
        frozen[self.faults + self.machine.node_count() as usize + node.index()]
    }

    fn is_faulty(&self, frozen: &[i64], node: NodeId, faults: [Fault; 3]) -> bool {
        let number = frozen[self.faults + node.index()];
        faults
            .iter()
            .any(|fault| fault_number(Some(*fault)) == number)
    }

    pub(crate) fn can_send(&self, frozen: &[i64], node: NodeId) -> bool {
        broken(Defect::MuteNodeSends)
            || !self.is_faulty(frozen, node, [Fault::Off, Fault::Mute, Fault::Isolated])
    }

    pub(crate) fn can_receive(&self, frozen: &[i64], node: NodeId) -> bool {
        broken(Defect::DeafNodeReceives)
            || !self.is_faulty(frozen, node, [Fault::Off, Fault::Deaf, Fault::Isolated])
    }

    pub(crate) fn mode(&self, slots: &Slots, node: NodeId) -> i64 {
        slots[self.bases[node.index()] as usize]
    }

    pub(crate) fn runs(&self, slots: &Slots, node: NodeId) -> bool {
        let mode = self.mode(slots, node);
        mode == Mode::Waiting as i64 || mode == Mode::Running as i64
    }

    /// The edge and the message of an outbox item.
    pub(crate) fn outgoing(&self, node: NodeId, outgoing: i64) -> (EdgeId, i64) {
        let out = (outgoing / self.messages.count) as usize;
        (
            self.network.out_edges[node.index()][out],
            outgoing % self.messages.count,
        )
    }

    /// The message faults that lose messages without limit.
    pub(crate) fn faults_that_lose_for_ever(&self) -> impl Iterator<Item = &machine::MessageFault> {
        let faults = self.machine.faults.iter();
        faults.filter(|fault| fault.effect == machine::Effect::Lose && fault.limit.is_none())
    }

    /// Whether messages may be lost without limit.
    pub(crate) fn loses_for_ever(&self) -> bool {
        self.faults_that_lose_for_ever().next().is_some()
    }
}
