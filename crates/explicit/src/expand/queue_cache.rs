//! The queue cache: outboxes and channels after insertion or removal of a message, by component number.
//!
//! An outbox or channel (a queue) is a component of the state and has a component number. The number of the queue after
//! an insertion or removal is computed once and then looked up. The cache stores only permanent numbers
//! ([`Numbering::is_settled`]).

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::component_table::{self, Numbering};
use crate::state::layout::ComponentIndex;
use foldhash::{HashMap, HashMapExt};
use machine::{Channel, EdgeId, NodeId};
use std::ops::Range;

/// The value, instead of a queue number, of an entry that is not in the cache.
const UNKNOWN: u32 = u32::MAX;

/// The value, instead of the number of the channel after an insertion, if the channel is full.
const FULL: u32 = u32::MAX - 1;

/// The cached insertions and removals.
pub(crate) struct QueueCache {
    pub(crate) index: ComponentIndex,
    /// By component: the number of the empty queue, or [`UNKNOWN`].
    empty: Vec<u32>,
    /// By node and number of its outbox: the head.
    heads: Vec<Vec<Option<Head>>>,
    /// By edge and number of its channel: the possible removals, as a range of `taken`.
    takes: Vec<Vec<(u32, u32)>>,
    taken: Vec<Take>,
    /// The insertions, by message and edge.
    puts: Vec<Put>,
    put_numbers: HashMap<(EdgeId, i64), u32>,
    /// The messages sent by cached transitions.
    sends: Vec<Send>,
    /// The number of entries in `heads`, `takes` and `puts`, with gaps.
    remembered: usize,
    /// Buffer for a queue.
    value: Vec<u8>,
}

/// The head of an outbox.
#[derive(Clone, Copy)]
pub(crate) enum Head {
    Empty,
    /// A waiting message: its insertion (index in `puts`), and the number of the outbox without it.
    Waits {
        put: u32,
        rest: u32,
    },
}

/// A removal of a message from a channel.
#[derive(Clone, Copy)]
pub(crate) struct Take {
    pub(crate) message: i64,
    /// The index in `puts` of the insertion of the same message on the same edge.
    pub(crate) like: u32,
    /// The index of the message in the channel.
    pub(crate) place: u32,
    /// The number of the channel without the message.
    pub(crate) rest: u32,
}

/// The insertion of a message on a channel.
struct Put {
    edge: EdgeId,
    message: i64,
    /// By number of the channel: its number after the insertion, or [`FULL`] or [`UNKNOWN`].
    behind: Vec<u32>,
}

/// A message sent by a cached transition.
#[derive(Clone, Copy)]
struct Send {
    /// The index of its insertion in `puts`.
    put: u32,
    /// The number of the outbox that consists of this message and those sent after it by the same transition, or
    /// [`UNKNOWN`].
    waits: u32,
}

/// A component number, and whether it is permanent.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    pub(crate) number: u32,
    pub(crate) settled: bool,
}

/// The greatest number of cached entries; about 100 MB.
const MOST: usize = 5_000_000;

/// The least component number of a queue that is not cached.
const MOST_NUMBERS: usize = 1 << 20;

impl QueueCache {
    pub(crate) fn new(compiled: &CompiledMachine<'_>, index: ComponentIndex) -> QueueCache {
        let machine = compiled.machine;
        QueueCache {
            index,
            empty: vec![UNKNOWN; index.channel(machine.edges.len())],
            heads: machine.nodes().map(|_| Vec::new()).collect(),
            takes: machine.edges.iter().map(|_| Vec::new()).collect(),
            taken: Vec::new(),
            puts: Vec::new(),
            put_numbers: HashMap::new(),
            sends: Vec::new(),
            remembered: 0,
            value: Vec::new(),
        }
    }

    /// Whether the cache has reached its limit and must be cleared.
    pub(crate) fn is_full(&self) -> bool {
        self.taken.len() + self.remembered + self.sends.len() > MOST
    }

    /// Whether a queue has the cached number of the empty queue.
    #[inline]
    pub(crate) fn is_empty(&self, part: usize, number: u32) -> bool {
        self.empty[part] == number
    }

    /// By node, from `from` on: whether its outbox has the cached number of the empty outbox.
    #[inline]
    pub(crate) fn empty_outboxes(&self, parts: &[u32], from: usize) -> impl Iterator<Item = bool> {
        let of = self.index.outboxes();
        let pairs = parts[of.clone()][from..]
            .iter()
            .zip(&self.empty[of][from..]);
        pairs.map(|(number, empty)| number == empty)
    }

    /// The first edge, from `from` on, whose channel may be non-empty.
    #[inline]
    pub(crate) fn next_used(&self, parts: &[u32], from: usize) -> Option<usize> {
        let first = self.index.channel(from);
        let pairs = parts[first..].iter().zip(&self.empty[first..]);
        let mut pairs = pairs.map(|(number, empty)| number != empty);
        Some(from + pairs.position(|used| used)?)
    }

    /// The head of the outbox of a node with this number, and whether the numbers in it are permanent.
    #[inline]
    pub(crate) fn head(
        &mut self,
        compiled: &CompiledMachine<'_>,
        node: NodeId,
        number: u32,
        numbering: &mut impl Numbering,
    ) -> (Head, bool) {
        match self.heads[node.index()].get(number as usize) {
            Some(Some(head)) => (*head, true),
            _ => self.look_at_head(compiled, node, number, numbering),
        }
    }

    #[cold]
    fn look_at_head(
        &mut self,
        compiled: &CompiledMachine<'_>,
        node: NodeId,
        number: u32,
        numbering: &mut impl Numbering,
    ) -> (Head, bool) {
        let (part, width) = (self.index.outbox(node), self.index.outbox_width);
        let items = numbering.value(part, number);
        let (head, settled) = if items.is_empty() {
            self.note_empty(part, number, numbering);
            (Head::Empty, true)
        } else {
            let (edge, message) = compiled.outgoing(node, item(items, 0, width));
            let rest = self.without(part, number, 0, width, numbering);
            let put = self.put_number(edge, message);
            let rest_number = rest.number;
            let head = Head::Waits {
                put,
                rest: rest_number,
            };
            (head, rest.settled)
        };
        if settled && numbering.is_settled(part, number) {
            let heads = &mut self.heads[node.index()];
            self.remembered += remember(heads, number, Some(head), None);
        }
        (head, settled)
    }

    /// The removals of different messages that are possible from a channel with this number (indices for
    /// [`QueueCache::taken`]), and whether the numbers in them are permanent.
    #[inline]
    pub(crate) fn takes(
        &mut self,
        compiled: &CompiledMachine<'_>,
        edge: usize,
        number: u32,
        numbering: &mut impl Numbering,
    ) -> (Range<u32>, bool) {
        match self.takes[edge].get(number as usize) {
            Some((first, end)) if *first != UNKNOWN => (*first..*end, true),
            _ => self.look_at_channel(compiled, edge, number, numbering),
        }
    }

    #[cold]
    fn look_at_channel(
        &mut self,
        compiled: &CompiledMachine<'_>,
        edge: usize,
        number: u32,
        numbering: &mut impl Numbering,
    ) -> (Range<u32>, bool) {
        let (part, width) = (self.index.channel(edge), self.index.channel_width);
        let length = numbering.value(part, number).len() / width;
        if length == 0 {
            self.note_empty(part, number, numbering);
        }
        let reachable = match compiled.machine.channel {
            Channel::Unordered => length,
            _ => length.min(1),
        };
        let (first, mut settled) = (self.taken.len() as u32, true);
        let mut before = None;
        for place in 0..reachable {
            let message = item(numbering.value(part, number), place, width);
            if before.replace(message) == Some(message) {
                continue;
            }
            let rest = self.without(part, number, place, width, numbering);
            settled &= rest.settled;
            let like = self.put_number(EdgeId(edge as u32), message);
            self.taken.push(Take {
                message,
                like,
                place: place as u32,
                rest: rest.number,
            });
        }
        let end = self.taken.len() as u32;
        if settled && numbering.is_settled(part, number) {
            let absent = (UNKNOWN, UNKNOWN);
            self.remembered += remember(&mut self.takes[edge], number, (first, end), absent);
        }
        (first..end, settled)
    }

    fn note_empty(&mut self, part: usize, number: u32, numbering: &impl Numbering) {
        if numbering.is_settled(part, number) {
            self.empty[part] = number;
        }
    }

    /// Drops the removals from this index on, whose numbers are not permanent.
    pub(crate) fn forget_takes(&mut self, first: u32) {
        self.taken.truncate(first as usize);
    }

    /// The removal with this index.
    pub(crate) fn taken(&self, take: u32) -> Take {
        self.taken[take as usize]
    }

    /// The edge and message of an insertion.
    pub(crate) fn put_of(&self, put: u32) -> (EdgeId, i64) {
        let put = &self.puts[put as usize];
        (put.edge, put.message)
    }

    /// The index of the insertion of a message on an edge.
    fn put_number(&mut self, edge: EdgeId, message: i64) -> u32 {
        let puts = &mut self.puts;
        *self.put_numbers.entry((edge, message)).or_insert_with(|| {
            puts.push(Put {
                edge,
                message,
                behind: Vec::new(),
            });
            puts.len() as u32 - 1
        })
    }

    /// The component that an insertion changes.
    pub(crate) fn part_of(&self, put: u32) -> usize {
        self.index.channel(self.puts[put as usize].edge.index())
    }

    /// The number of a channel after an insertion; `None` if the channel is full.
    #[inline]
    pub(crate) fn put(
        &mut self,
        compiled: &CompiledMachine<'_>,
        put: u32,
        number: u32,
        numbering: &mut impl Numbering,
    ) -> Option<Number> {
        match self.puts[put as usize].behind.get(number as usize) {
            None | Some(&UNKNOWN) => self.try_to_put(compiled, put, number, numbering),
            Some(&FULL) => None,
            Some(behind) => Some(Number {
                number: *behind,
                settled: true,
            }),
        }
    }

    #[cold]
    fn try_to_put(
        &mut self,
        compiled: &CompiledMachine<'_>,
        put: u32,
        number: u32,
        numbering: &mut impl Numbering,
    ) -> Option<Number> {
        let Put {
            edge,
            message,
            behind,
        } = &mut self.puts[put as usize];
        let (part, width) = (self.index.channel(edge.index()), self.index.channel_width);
        let queue = numbering.value(part, number);
        let mut found = None;
        if has_room(compiled, queue.len() / width) {
            let place = match compiled.machine.channel {
                Channel::Unordered => {
                    let items = (0..queue.len() / width).map(|place| item(queue, place, width));
                    items.take_while(|other| *other <= *message).count()
                }
                _ => queue.len() / width,
            };
            let value = &mut self.value;
            value.clear();
            value.extend_from_slice(&queue[..place * width]);
            push(value, *message, width);
            value.extend_from_slice(&queue[place * width..]);
            let number = numbering.number(part, value);
            let settled = numbering.is_settled(part, number);
            found = Some(Number { number, settled });
        }
        let settled = found.is_none_or(|found| found.settled);
        if settled && numbering.is_settled(part, number) {
            let known = found.map_or(FULL, |found| found.number);
            self.remembered += remember(behind, number, known, UNKNOWN);
        }
        found
    }

    /// Stores the messages that a transition sends, in order.
    pub(crate) fn add_sends(&mut self, sent: &[(EdgeId, i64)]) -> Range<u32> {
        let first = self.sends.len() as u32;
        for (edge, message) in sent {
            let put = self.put_number(*edge, *message);
            self.sends.push(Send {
                put,
                waits: UNKNOWN,
            });
        }
        first..self.sends.len() as u32
    }

    /// Drops the sent messages from this index on.
    pub(crate) fn forget_sends(&mut self, first: u32) {
        self.sends.truncate(first as usize);
    }

    /// The insertion of a sent message.
    pub(crate) fn sent(&self, send: u32) -> u32 {
        self.sends[send as usize].put
    }

    /// The number of the outbox of a node, empty before, that contains these sent messages.
    pub(crate) fn wait(
        &mut self,
        compiled: &CompiledMachine<'_>,
        node: NodeId,
        sends: Range<u32>,
        numbering: &mut impl Numbering,
    ) -> Number {
        let first = sends.start as usize;
        if self.sends[first].waits != UNKNOWN {
            return Number {
                number: self.sends[first].waits,
                settled: true,
            };
        }
        let part = self.index.outbox(node);
        self.value.clear();
        for send in sends {
            let (edge, message) = self.put_of(self.sent(send));
            let mut edges = compiled.network.out_edges[node.index()].iter();
            let out = edges.position(|e| *e == edge).expect("its edge") as i64;
            let outgoing = out * compiled.messages.count + message;
            push(&mut self.value, outgoing, self.index.outbox_width);
        }
        let number = numbering.number(part, &self.value);
        let settled = numbering.is_settled(part, number);
        if settled {
            self.sends[first].waits = number;
        }
        Number { number, settled }
    }

    /// The number of a queue without the item at `place`.
    fn without(
        &mut self,
        part: usize,
        number: u32,
        place: usize,
        width: usize,
        numbering: &mut impl Numbering,
    ) -> Number {
        let items = numbering.value(part, number);
        self.value.clear();
        self.value.extend_from_slice(&items[..place * width]);
        self.value.extend_from_slice(&items[(place + 1) * width..]);
        let number = numbering.number(part, &self.value);
        Number {
            number,
            settled: numbering.is_settled(part, number),
        }
    }
}

/// Whether a channel with this many messages has room for another one.
fn has_room(compiled: &CompiledMachine<'_>, length: usize) -> bool {
    match compiled.machine.channel {
        Channel::Fifo(Some(capacity)) => {
            length < capacity as usize || broken(Defect::LearntFindsRoom)
        }
        _ => true,
    }
}

/// Stores `what` at index `number`, if that is below [`MOST_NUMBERS`]. `nothing` fills gaps. Returns by how much the
/// table has grown.
fn remember<T: Clone>(known: &mut Vec<T>, number: u32, what: T, nothing: T) -> usize {
    let (at, before) = (number as usize, known.len());
    if at < MOST_NUMBERS {
        known.resize(before.max(at + 1), nothing);
        known[at] = what;
    }
    known.len() - before
}

fn item(items: &[u8], place: usize, width: usize) -> i64 {
    component_table::read(&items[place * width..(place + 1) * width]) as i64
}

fn push(value: &mut Vec<u8>, item: i64, width: usize) {
    value.extend_from_slice(&(item as u64).to_le_bytes()[..width]);
}
