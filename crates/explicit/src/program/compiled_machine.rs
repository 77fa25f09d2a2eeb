//! The compiled Machine.
//!
//! Its semantics is that of the reference interpreter, over numbers; differential tests compare the two.

use crate::defects::{Defect, broken, pace_of};
use crate::program::compile::{Compiler, fault_number};
use crate::program::condition::Condition;
use crate::program::expression::Context;
use crate::program::restart::RestartValue;
use crate::program::statement::{CompiledBlock, StatementCompiler};
use crate::program::timed_reductions::CompiledReductions;
use crate::state::clocks::{Clocks, in_units};
use crate::state::codec::Codec;
use crate::state::counters::CounterShapes;
use crate::state::field_mask::FieldMask;
use crate::state::layout::{Layout, Slots};
use crate::state::partial_value::{self, SlotAbstraction};
use machine::{
    Block, BlockId, EdgeId, Fault, Frozen, KindId, Machine, Mode, NodeId, OrderConstraints,
    RecordId, Stmt, Trigger, Type,
};
use std::sync::Arc;
use verdict::{Influence, NodeCone, TimedReductions};

/// A compiled Machine.
pub(crate) struct CompiledMachine<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) codec: Codec<'m>,
    pub(crate) bases: Vec<u32>,
    /// By node: its blocks in order, with their code.
    blocks: Vec<Vec<(BlockId, Arc<CompiledBlock>)>>,
    /// By slot of a variable: the fields outside of the cone of influence, if there are any.
    pub(crate) slot_masks: Vec<Option<FieldMask>>,
    /// By node and record: the fields of messages in its inbox outside of the cone of influence; none if such messages
    /// do not matter at all.
    pub(crate) inbox_masks: Vec<Vec<Option<FieldMask>>>,
    /// By node: its outgoing edges.
    pub(crate) out_edges: Vec<Vec<EdgeId>>,
    /// By record: the number of its first message, and one past the last; equal for structs.
    pub(crate) messages: Vec<(i64, i64)>,
    /// The number of different messages.
    pub(crate) message_count: i64,
    /// By pair of nodes: the edge between them.
    edges: Vec<Option<EdgeId>>,
    pub(crate) most_locals: usize,
    pub(crate) pace: OrderConstraints,
    /// By kind and record: whether such messages enter the inbox.
    pub(crate) inboxes: Vec<Vec<bool>>,
    /// With data abstraction, by slot of a mode or variable: what of it may be unknown.
    abstraction: Option<Arc<[SlotAbstraction]>>,
    /// The index of the faults of nodes among the frozen numbers; the periods follow them.
    faults: usize,
    /// By block: whether it may send.
    pub(crate) sends: Vec<bool>,
    /// The timed reductions, if they are used.
    pub(crate) reductions: Option<CompiledReductions>,
    /// The slots of clocks and runtime faults.
    pub(crate) clocks: Clocks,
    /// One more than the longest delay of a message, or 1. An item on an edge is the message number times this, plus
    /// the time until it must arrive.
    pub(crate) delays: i64,
    /// The deadlines: the request and the response of each.
    pub(crate) responses: Vec<(Condition, Condition)>,
    /// By node and variable: its value after a fresh restart.
    pub(crate) restart_values: Vec<Vec<Option<RestartValue>>>,
    /// The positions of counters, if there are any.
    pub(crate) counter_shapes: Option<CounterShapes>,
    /// Whether no event is enabled in a state, now or later.
    pub(crate) quiescent: fn(&Context<'_>) -> bool,
}

impl<'m> CompiledMachine<'m> {
    /// Compiles a verified Machine, or its cone of influence. An error names what the engine cannot represent.
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
        let nodes = machine.node_count();
        let mut out_edges = vec![Vec::new(); nodes as usize];
        let mut edges = vec![None; (nodes * nodes) as usize];
        for (e, (from, to)) in machine.edges.iter().enumerate() {
            out_edges[from.index()].push(EdgeId(e as u32));
            edges[(from.0 * nodes + to.0) as usize] = Some(EdgeId(e as u32));
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
            blocks: Vec::new(),
            slot_masks: Vec::new(),
            inbox_masks: Vec::new(),
            out_edges,
            messages,
            message_count,
            edges,
            most_locals: 4,
            pace,
            inboxes: inboxes.collect(),
            abstraction,
            faults: faults.sum(),
            sends: machine
                .blocks
                .iter()
                .map(|block| machine::footprint(block).sends)
                .collect(),
            reductions: None,
            clocks,
            delays: delay.map_or(1, |(_, most)| most + 1),
            responses: Vec::new(),
            restart_values: Vec::new(),
            counter_shapes: CounterShapes::new(machine, &Layout::node_bases(machine), cone)?,
            quiescent,
        };
        for response in &machine.responses {
            let condition = |e| Condition::new(machine, &response.scope, e);
            let pair = (condition(&response.from)?, condition(&response.to)?);
            compiled.most_locals = compiled.most_locals.max(response.scope.locals.len());
            compiled.responses.push(pair);
        }
        compiled.restart_values = compiled.all_restart_values()?;
        compiled.mask(cone)?;
        let mut whole = Vec::new();
        for block in &machine.blocks {
            compiled.most_locals = compiled.most_locals.max(block.scope.locals.len());
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
            compiled.blocks.push(code);
        }
        Ok(compiled)
    }

    /// Adds timed reductions.
    pub(crate) fn with(
        mut self,
        timed_reductions: Option<&TimedReductions>,
    ) -> Result<CompiledMachine<'m>, String> {
        self.reductions = timed_reductions
            .map(|timed_reductions| CompiledReductions::new(&self, timed_reductions))
            .transpose()?;
        Ok(self)
    }

    /// Computes the masks of variables and inboxes outside of the cone of influence.
    fn mask(&mut self, cone: Option<&[NodeCone]>) -> Result<(), String> {
        for node in self.machine.nodes() {
            let cone = cone.map(|all| &all[node.index()]);
            self.slot_masks.push(None); // the mode
            let vars = self.machine.vars_of(self.machine.kind_of(node));
            for (place, var) in vars.enumerate() {
                self.slot_masks.push(match cone.map(|r| &r.vars[place]) {
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
            self.inbox_masks.push(records);
        }
        Ok(())
    }

    /// Whether data abstraction is used.
    pub(crate) fn is_abstract(&self) -> bool {
        self.abstraction.is_some()
    }

    /// With data abstraction: what of a slot may be unknown.
    pub(crate) fn slot_abstraction(&self, slot: usize) -> Option<SlotAbstraction> {
        self.abstraction.as_ref().map(|slots| slots[slot])
    }

    /// A value of a slot, reduced to the cone of influence.
    pub(crate) fn masked(&self, slot: usize, value: i64) -> i64 {
        match &self.slot_masks[slot] {
            Some(mask) => mask.of(value),
            None => value,
        }
    }

    /// A message in an inbox, reduced to the cone of influence; none if it does not matter there.
    pub(crate) fn masked_message(&self, node: NodeId, message: i64) -> Option<i64> {
        let record = self.record_of(message).index();
        let (first, mask) = (
            self.messages[record].0,
            self.inbox_masks[node.index()][record].as_ref()?,
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
        self.blocks[node.index()].iter().map(|(block, _)| *block)
    }

    /// The code of a block of a node.
    pub(crate) fn code(&self, node: NodeId, block: BlockId) -> &CompiledBlock {
        let mut blocks = self.blocks[node.index()].iter();
        &blocks.find(|(b, _)| *b == block).expect("its block").1
    }

    /// The layout of its states. `undecided` says whether initial values may be undecided.
    pub(crate) fn layout(&self, undecided: bool) -> Result<Layout, String> {
        let most_out = self.out_edges.iter().map(Vec::len).max().unwrap_or(0) as u64;
        let received = match self.inboxes.iter().flatten().any(|enters| *enters) {
            true => self.entries(),
            false => 0,
        };
        Layout::new(
            self.machine,
            undecided,
            self.abstraction.as_deref(),
            &self.pace,
            &self.clocks.places,
            self.message_count as u64 * self.delays as u64,
            self.message_count as u64 * most_out,
            received,
        )
    }

    pub(crate) fn edge_between(&self, from: i64, to: i64) -> Option<EdgeId> {
        self.edges[(from * i64::from(self.machine.node_count()) + to) as usize]
    }

    /// The record of a message.
    pub(crate) fn record_of(&self, message: i64) -> RecordId {
        let (message, _) = partial_value::split(message);
        let at = self
            .messages
            .iter()
            .position(|(first, end)| *first <= message && message < *end);
        RecordId(at.expect("a message") as u32)
    }

    /// Frozen values as numbers.
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

    /// The period of a node, in units; 0 if it has none.
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

    /// The edge and message of an item of an outbox.
    pub(crate) fn outgoing(&self, node: NodeId, outgoing: i64) -> (EdgeId, i64) {
        let out = (outgoing / self.message_count) as usize;
        (
            self.out_edges[node.index()][out],
            outgoing % self.message_count,
        )
    }

    /// The message faults without a limit on losses.
    pub(crate) fn faults_that_lose_for_ever(&self) -> impl Iterator<Item = &machine::MessageFault> {
        let faults = self.machine.faults.iter();
        faults.filter(|fault| fault.effect == machine::Effect::Lose && fault.limit.is_none())
    }

    /// Whether messages may be lost without limit.
    pub(crate) fn loses_for_ever(&self) -> bool {
        self.faults_that_lose_for_ever().next().is_some()
    }
}
