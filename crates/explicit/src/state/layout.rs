//! The layout of an open state: the meaning of each slot.
//!
//! An open state consists of the mode and variables of each node; the budgets of message faults; the state of the order
//! constraints (`pace`); the clocks; then the outbox of each node, the inbox of each node and the channel of each edge.
//! Each outbox, inbox and channel is a container: its length, followed by a fixed number of slots for items, the
//! stride. The strides of unbounded containers grow when needed; packed states do not depend on them.

use crate::defects::{Defect, broken};
use crate::state::codec::Codec;
use crate::state::counters::OutOfBounds;
use crate::state::packing::ComponentForm;
use crate::state::partial_value::{self, SlotAbstraction, UNDECIDED};
use machine::{Channel, EdgeId, Init, Machine, NodeId, OrderConstraints, State, Type};
use std::cell::Cell;
use std::ops::Range;

/// The number of modes of a node.
const MODES: u64 = 6;

/// The slots of an open state.
pub(crate) type Slots = [i64];

/// A slot outside of containers.
#[derive(Clone, Copy, Debug)]
struct Field {
    first: i64,
    bits: u32,
    /// The number of its values. Packed numbers from `places` on stand for undecided values and for records with
    /// unknown fields.
    places: u64,
    /// Its constant value, if it lies outside of the cone of influence.
    fixed: Option<i64>,
    /// Whether it is a record whose fields may be unknown.
    fields: bool,
}

impl Field {
    fn new(first: i64, places: u64) -> Field {
        Field {
            first,
            bits: bits_for(places),
            places,
            fixed: None,
            fields: false,
        }
    }

    /// The packed form of a value: a number from 0.
    fn pack_slot(&self, number: i64) -> u64 {
        match (self.fixed, number) {
            (Some(_), _) => 0,
            (None, UNDECIDED) => self.places,
            (None, number) if self.fields => {
                let (plain, unknown) = partial_value::split(number);
                self.places * u64::from(unknown) + plain as u64
            }
            (None, number) => (number - self.first) as u64,
        }
    }

    /// The value with this packed form.
    fn unpack_slot(&self, pack_slot: u64) -> i64 {
        match self.fixed {
            Some(value) => value,
            None if pack_slot < self.places => self.first + pack_slot as i64,
            None if !self.fields => UNDECIDED,
            None => partial_value::record(
                (pack_slot % self.places) as i64,
                (pack_slot / self.places) as u32,
            ),
        }
    }
}

/// The number of bits needed for the numbers below `places`.
fn bits_for(places: u64) -> u32 {
    64 - places.saturating_sub(1).leading_zeros()
}

/// The form of all outboxes, all inboxes or all channels.
#[derive(Clone, Copy, Debug)]
struct Container {
    /// The number of slots for items in each container.
    stride: usize,
    /// The number of bits of an item.
    bits: u32,
}

/// The meaning of the slots of an open state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    /// By node: its first slot; the last entry is the end of the last node.
    node_starts: Vec<u32>,
    nodes: usize,
    edges: usize,
    /// The first slots of the budgets, of the order constraints and of the clocks.
    budgets: usize,
    pace: usize,
    clocks: usize,
    outbox: Container,
    inbox: Container,
    channel: Container,
    capacity: Option<u32>,
    /// The first counter that was found out of bounds, if any.
    pub(crate) out_of_bounds: Cell<Option<OutOfBounds>>,
}

/// The component indices of outboxes, inboxes and channels. Component `n` is the mode and variables of node `n`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComponentIndex {
    outboxes: usize,
    nodes: usize,
    /// Bytes per item of an outbox, and of a channel.
    pub(crate) outbox_width: usize,
    pub(crate) channel_width: usize,
}

impl ComponentIndex {
    pub(crate) fn outbox(self, node: NodeId) -> usize {
        self.outboxes + node.index()
    }

    /// The components of all outboxes, by node.
    pub(crate) fn outboxes(self) -> Range<usize> {
        self.outboxes..self.outboxes + self.nodes
    }

    /// The components of all inboxes, by node.
    pub(crate) fn inboxes(self) -> Range<usize> {
        self.outboxes + self.nodes..self.outboxes + 2 * self.nodes
    }

    pub(crate) fn inbox(self, node: NodeId) -> usize {
        self.outboxes + self.nodes + node.index()
    }

    pub(crate) fn channel(self, edge: usize) -> usize {
        self.outboxes + 2 * self.nodes + edge
    }
}

/// A container has no slot for another item. The caller can enlarge it by [`Layout::grow`].
pub(crate) struct NoRoom;

impl Layout {
    /// The layout for a Machine. `undecided`: whether initial values may be undecided. `abstraction`: which slots may
    /// be unknown, by slot. `clocks`: the number of values of each clock slot. `messages`, `outgoing`, `received`: the
    /// numbers of different items in channels, outboxes and inboxes.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a state, each of its own kind"
    )]
    pub(crate) fn new(
        machine: &Machine,
        undecided: bool,
        abstraction: Option<&[SlotAbstraction]>,
        pace: &OrderConstraints,
        clocks: &[u64],
        messages: u64,
        outgoing: u64,
        received: u64,
    ) -> Result<Layout, String> {
        let codec = Codec { machine };
        let mut fields = Vec::new();
        let mut node_starts = vec![0];
        for node in machine.nodes() {
            fields.push(Field::new(0, MODES));
            for var in machine.vars_of(machine.kind_of(node)) {
                let places = codec
                    .places(&var.ty)
                    .map_err(|e| format!("{}: {e}", var.name))?;
                let mut field = match &var.ty {
                    // Counters are stored as distances from the least counter of their class.
                    Type::Counter(class) => {
                        let window = machine.counters[class.index()].window;
                        Field::new(0, window.map_or(1, |(_, most)| most as u64 + 1))
                    }
                    ty => Field::new(codec.first(ty), places),
                };
                if undecided && !matches!(var.init, Init::Value(..)) {
                    field.bits = bits_for(places + 1);
                }
                match abstraction.map(|slots| slots[fields.len()]) {
                    Some(SlotAbstraction::Whole) => field.bits = bits_for(places + 1),
                    Some(SlotAbstraction::Fields(all)) => {
                        field.bits = bits_for(places * (u64::from(all) + 1));
                        field.fields = true;
                    }
                    Some(SlotAbstraction::Known(..)) | None => {}
                }
                fields.push(field);
            }
            node_starts.push(fields.len() as u32);
        }
        let budgets = fields.len();
        for fault in &machine.faults {
            let places = u64::from(fault.limit.unwrap_or(0)) + 1;
            fields.push(Field::new(0, places));
        }
        let capacity = match machine.channel {
            Channel::Fifo(capacity) => capacity,
            Channel::Unordered | Channel::Instant => None,
        };
        let pace_base = fields.len();
        for limit in pace.limits() {
            fields.push(Field::new(0, limit as u64 + 1));
        }
        let clockwork_base = fields.len();
        fields.extend(clocks.iter().map(|places| Field::new(0, *places)));
        let instant = machine.channel == Channel::Instant;
        let stride = |usual| if instant { 0 } else { usual };
        Ok(Layout {
            fields,
            node_starts,
            budgets,
            pace: pace_base,
            clocks: clockwork_base,
            nodes: machine.node_count() as usize,
            edges: machine.edges.len(),
            outbox: Container {
                stride: stride(2),
                bits: bits_for(outgoing),
            },
            inbox: Container {
                stride: if received > 0 { 4 } else { 0 },
                bits: bits_for(received),
            },
            channel: Container {
                stride: stride(capacity.map_or(4, |c| c.min(8) as usize)),
                bits: bits_for(messages),
            },
            capacity,
            out_of_bounds: Cell::new(None),
        })
    }

    /// The number of slots of an open state.
    pub(crate) fn slots(&self) -> usize {
        self.channel_base(self.edges)
    }

    /// By node: the slot of its mode, which its variables follow.
    pub(crate) fn node_bases(machine: &Machine) -> Vec<u32> {
        let mut base = 0;
        machine
            .nodes()
            .map(|node| {
                let this = base;
                base += 1 + machine.vars_of(machine.kind_of(node)).count() as u32;
                this
            })
            .collect()
    }

    /// Makes a slot outside of the cone of influence constant.
    pub(crate) fn fix(&mut self, slot: u32, value: i64) {
        let field = &mut self.fields[slot as usize];
        (field.bits, field.fixed) = (0, Some(value));
    }

    /// Doubles the strides of all containers.
    pub(crate) fn grow(&mut self) {
        self.outbox.stride *= 2;
        self.inbox.stride *= 2;
        self.channel.stride *= 2;
    }

    /// Doubles the strides of all containers, and moves an open state to the new layout.
    pub(crate) fn grow_with(&mut self, slots: &mut Vec<i64>) {
        let (old, (from, _)) = (std::mem::take(slots), self.parts());
        self.grow();
        slots.resize(self.slots(), 0);
        for (from, to) in from.windows(2).zip(&self.parts().0) {
            let part = &old[from[0] as usize..from[1] as usize];
            slots[*to as usize..*to as usize + part.len()].copy_from_slice(part);
        }
    }

    /// By component: its first slot (the last entry is the number of slots), and its form.
    pub(crate) fn parts(&self) -> (Vec<u32>, Vec<ComponentForm>) {
        let bytes = |bits: u32| match bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            _ => 8,
        };
        let (mut starts, mut forms) = (vec![0], Vec::new());
        let mut add = |form, end: usize| {
            forms.push(form);
            starts.push(end as u32);
        };
        for ends in self.node_starts.windows(2) {
            let fields = &self.fields[ends[0] as usize..ends[1] as usize];
            let widest = fields.iter().map(|field| field.bits).max();
            add(
                ComponentForm::Fields(bytes(widest.unwrap_or(0))),
                ends[1] as usize,
            );
        }
        for (slot, field) in self.fields.iter().enumerate().skip(self.budgets) {
            match field.bits {
                few @ 0..=31 => add(ComponentForm::Itself(few), slot + 1),
                many => add(ComponentForm::Fields(bytes(many)), slot + 1),
            }
        }
        let outbox = match broken(Defect::OutboxForgotten) {
            false => ComponentForm::Items(bytes(self.outbox.bits)),
            true => ComponentForm::Nothing,
        };
        (0..self.nodes).for_each(|node| add(outbox, self.outbox_base(node + 1)));
        let inbox = ComponentForm::Items(bytes(self.inbox.bits));
        (0..self.nodes).for_each(|node| add(inbox, self.inbox_base(node + 1)));
        for edge in 0..self.edges {
            let end = self.channel_base(edge + 1);
            add(ComponentForm::Items(bytes(self.channel.bits)), end);
        }
        (starts, forms)
    }

    /// The component indices of containers, and their item widths.
    pub(crate) fn part_index(&self) -> ComponentIndex {
        let outboxes = self.nodes + self.fields.len() - self.budgets;
        let (_, forms) = self.parts();
        let width = |part: usize| match forms.get(part) {
            Some(ComponentForm::Items(width)) => *width,
            _ => 1,
        };
        ComponentIndex {
            outboxes,
            nodes: self.nodes,
            outbox_width: width(outboxes),
            channel_width: width(outboxes + 2 * self.nodes),
        }
    }

    /// The packed form of the number in a slot.
    pub(crate) fn pack_slot(&self, slot: usize, number: i64) -> u64 {
        self.fields[slot].pack_slot(number)
    }

    /// The number in a slot with this packed form.
    pub(crate) fn unpack_slot(&self, slot: usize, pack_slot: u64) -> i64 {
        self.fields[slot].unpack_slot(pack_slot)
    }

    pub(crate) fn outbox_base(&self, node: usize) -> usize {
        self.fields.len() + node * (1 + self.outbox.stride)
    }

    pub(crate) fn inbox_base(&self, node: usize) -> usize {
        self.outbox_base(self.nodes) + node * (1 + self.inbox.stride)
    }

    pub(crate) fn channel_base(&self, edge: usize) -> usize {
        self.inbox_base(self.nodes) + edge * (1 + self.channel.stride)
    }

    /// The slot of the remaining budget of a message fault.
    pub(crate) fn budget(&self, fault: usize) -> usize {
        self.budgets + fault
    }

    /// The slots of the order constraints.
    pub(crate) fn pace(&self) -> std::ops::Range<usize> {
        self.pace..self.clocks
    }

    /// The entries of a node's inbox.
    pub(crate) fn inbox<'s>(&self, slots: &'s Slots, node: NodeId) -> &'s [i64] {
        let base = self.inbox_base(node.index());
        &slots[base + 1..base + 1 + slots[base] as usize]
    }

    /// Inserts an entry into an inbox, which is sorted.
    pub(crate) fn receive(
        &self,
        slots: &mut Slots,
        node: NodeId,
        entry: i64,
    ) -> Result<(), NoRoom> {
        let base = self.inbox_base(node.index());
        let place = push(slots, base, self.inbox.stride, entry)?;
        sink(slots, base, place);
        Ok(())
    }

    /// Removes the entry at index `place` of an inbox.
    pub(crate) fn forget(&self, slots: &mut Slots, node: NodeId, place: usize) {
        remove(slots, self.inbox_base(node.index()), place);
    }

    /// Empties an inbox.
    pub(crate) fn clear(&self, slots: &mut Slots, node: NodeId) {
        let base = self.inbox_base(node.index());
        let length = slots[base] as usize;
        slots[base..base + 1 + length].fill(0);
    }

    /// The items of a channel.
    pub(crate) fn queue<'s>(&self, slots: &'s Slots, edge: EdgeId) -> &'s [i64] {
        let base = self.channel_base(edge.index());
        &slots[base + 1..base + 1 + slots[base] as usize]
    }

    /// The items of a channel, mutable.
    pub(crate) fn queue_mut<'s>(&self, slots: &'s mut Slots, edge: EdgeId) -> &'s mut [i64] {
        let base = self.channel_base(edge.index());
        let length = slots[base] as usize;
        &mut slots[base + 1..base + 1 + length]
    }

    /// The items of a node's outbox.
    pub(crate) fn outbox<'s>(&self, slots: &'s Slots, node: NodeId) -> &'s [i64] {
        let base = self.outbox_base(node.index());
        &slots[base + 1..base + 1 + slots[base] as usize]
    }

    /// The slots of the items of a node's outbox.
    pub(crate) fn outbox_places(&self, slots: &Slots, node: NodeId) -> std::ops::Range<usize> {
        let base = self.outbox_base(node.index());
        base + 1..base + 1 + slots[base] as usize
    }

    /// The slots of the entries of a node's inbox.
    pub(crate) fn inbox_places(&self, slots: &Slots, node: NodeId) -> std::ops::Range<usize> {
        let base = self.inbox_base(node.index());
        base + 1..base + 1 + slots[base] as usize
    }

    /// Whether a channel accepts another message.
    pub(crate) fn has_room(&self, slots: &Slots, edge: EdgeId) -> bool {
        let length = slots[self.channel_base(edge.index())];
        self.capacity
            .is_none_or(|capacity| length < i64::from(capacity))
            || broken(Defect::FullChannelTakesOneMore) && self.capacity == Some(length as u32)
    }

    /// Puts an item on a channel: at its place in the order if `sorted` (unordered channel), otherwise at the end.
    pub(crate) fn put(
        &self,
        slots: &mut Slots,
        edge: EdgeId,
        message: i64,
        sorted: bool,
    ) -> Result<(), NoRoom> {
        if sorted && broken(Defect::BagForgetsCopies) && self.queue(slots, edge).contains(&message)
        {
            return Ok(());
        }
        let base = self.channel_base(edge.index());
        let place = push(slots, base, self.channel.stride, message)?;
        if sorted {
            sink(slots, base, place);
        }
        Ok(())
    }

    /// Removes the item at index `place` of a channel.
    pub(crate) fn take(&self, slots: &mut Slots, edge: EdgeId, place: usize) {
        remove(slots, self.channel_base(edge.index()), place);
    }

    /// Empties an outbox.
    pub(crate) fn clear_outbox(&self, slots: &mut Slots, node: NodeId) {
        let base = self.outbox_base(node.index());
        let length = slots[base] as usize;
        slots[base..base + 1 + length].fill(0);
    }

    /// Appends an item to an outbox.
    pub(crate) fn keep(
        &self,
        slots: &mut Slots,
        node: NodeId,
        outgoing: i64,
    ) -> Result<(), NoRoom> {
        push(
            slots,
            self.outbox_base(node.index()),
            self.outbox.stride,
            outgoing,
        )
        .map(|_| ())
    }

    /// Removes the first item of an outbox.
    pub(crate) fn release(&self, slots: &mut Slots, node: NodeId) {
        remove(slots, self.outbox_base(node.index()), 0);
    }

    /// Opens a state of the reference interpreter. The caller gives the encoding of channel items, outbox items and
    /// inbox entries, and the clock slots.
    pub(crate) fn open(
        &mut self,
        machine: &Machine,
        state: &State,
        item: impl Fn(EdgeId, usize, &machine::Value) -> i64,
        clocks: &[i64],
        outgoing: impl Fn(NodeId, &machine::Outgoing) -> i64,
        received: impl Fn(&(NodeId, machine::Value)) -> i64,
    ) -> Vec<i64> {
        let longest = state
            .edges
            .iter()
            .map(Vec::len)
            .chain(state.nodes.iter().map(|n| n.outbox.len()))
            .max();
        let entries = state.nodes.iter().map(|n| n.inbox.len()).max();
        while longest.is_some_and(|l| l > self.outbox.stride.min(self.channel.stride))
            || entries.is_some_and(|l| l > self.inbox.stride)
        {
            self.grow();
        }
        let codec = Codec { machine };
        let mut slots = Vec::with_capacity(self.slots());
        for node in machine.nodes() {
            let part = &state.nodes[node.index()];
            slots.push(part.mode as i64);
            let vars = machine.vars_of(machine.kind_of(node));
            slots.extend(
                vars.zip(&part.vars)
                    .map(|(var, value)| codec.encode(&var.ty, value)),
            );
        }
        slots.extend(state.budgets.iter().map(|b| i64::from(*b)));
        slots.extend(&state.order_state);
        slots.extend(clocks);
        slots.resize(self.slots(), 0);
        for node in machine.nodes() {
            let base = self.outbox_base(node.index());
            for (i, item) in state.nodes[node.index()].outbox.iter().enumerate() {
                slots[base] += 1;
                slots[base + 1 + i] = outgoing(node, item);
            }
            let base = self.inbox_base(node.index());
            for item in &state.nodes[node.index()].inbox {
                slots[base] += 1;
                let place = base + slots[base] as usize;
                slots[place] = received(item);
                sink(&mut slots, base, place);
            }
        }
        for (e, queue) in state.edges.iter().enumerate() {
            let base = self.channel_base(e);
            for (i, message) in queue.iter().enumerate() {
                slots[base] += 1;
                slots[base + 1 + i] = item(EdgeId(e as u32), i, message);
            }
            slots[base + 1..base + 1 + queue.len()].sort_by_key(|m| {
                // A FIFO channel keeps its order; an unordered channel is sorted.
                if machine.channel == Channel::Unordered {
                    *m
                } else {
                    0
                }
            });
        }
        slots
    }
}

fn push(slots: &mut Slots, base: usize, stride: usize, item: i64) -> Result<usize, NoRoom> {
    let length = slots[base] as usize;
    if length == stride {
        return Err(NoRoom);
    }
    slots[base + 1 + length] = item;
    slots[base] += 1;
    Ok(base + 1 + length)
}

/// Moves the item in slot `place`, the last one of a sorted container, down to its place in the order.
fn sink(slots: &mut Slots, base: usize, mut place: usize) {
    while place > base + 1 && slots[place - 1] > slots[place] {
        slots.swap(place - 1, place);
        place -= 1;
    }
}

fn remove(slots: &mut Slots, base: usize, place: usize) {
    let length = slots[base] as usize;
    slots.copy_within(base + 2 + place..base + 1 + length, base + 1 + place);
    slots[base + length] = 0;
    slots[base] -= 1;
}
