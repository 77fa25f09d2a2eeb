//! The transition cache: effects of events are looked up instead of computed.
//!
//! *Method.* The own events of a node depend only on its mode, variables and inbox; its reaction to a message depends
//! on these and the message. The result of an event consists of the component numbers of the node after the event and
//! the messages sent. It is computed once, and is valid for all states in which the node has the same component numbers
//! before the event. Insertion into and removal from channels and outboxes are cached by component number, too
//! (`queue_cache.rs`).
//!
//! *Conditions.* Transitions must depend on nothing else: no time, no order constraints between nodes, no runtime
//! faults, no counters, no limits on message faults, no timed reductions, no undecided or unknown values, no instant
//! channels, no symmetry reduction of states, and no code that reads another node.

use crate::defects::seen_where_computed;
use crate::expand::queue_cache::QueueCache;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use crate::state::layout::ComponentIndex;
use foldhash::HashMap;
use machine::{BlockId, Channel, Delay, EdgeId, Expr, LocalId, RecordId, Trigger, Type};
use std::cell::Cell;
use std::ops::Range;

/// The cached transitions.
pub(crate) struct TransitionCache {
    /// By node: its own events, by block.
    own: Vec<Known>,
    /// By node: bit `v` is set if the node has no event of its own when its variables have number `v` (below 64) and
    /// its inbox has number 0.
    idle: Vec<u64>,
    /// By message on an edge (numbered by the queue cache): the reactions of the receiver.
    handed: Vec<Known>,
    pub(crate) ways: Vec<CachedTransition>,
    /// The number of entries in `own` and `handed`.
    remembered: usize,
    pub(crate) queues: QueueCache,
}

/// The component numbers of a node's variables and of its inbox.
pub(crate) type NodeKey = (u32, u32);

/// Ranges of cached transitions, by the key of a node.
#[derive(Default)]
struct Known {
    /// For inbox number 0, which for most nodes is the only one: by number of the variables.
    first: Vec<(u32, u32)>,
    /// For all other keys.
    others: HashMap<NodeKey, (u32, u32)>,
}

/// The value, instead of a range, of an entry that is not in the cache.
const UNKNOWN: (u32, u32) = (u32::MAX, u32::MAX);

impl Known {
    #[inline]
    fn get(&self, is: NodeKey) -> Option<Range<u32>> {
        let first = match is {
            (vars, 0) => self.first.get(vars as usize),
            _ => None,
        };
        let (first, end) = match first {
            Some(ways) if *ways != UNKNOWN => *ways,
            _ => *self.others.get(&is)?,
        };
        Some(first..end)
    }

    /// Stores a range of transitions. Returns the number of entries by which the tables have grown.
    fn insert(&mut self, is: NodeKey, ways: Range<u32>) -> usize {
        let (ways, before) = ((ways.start, ways.end), self.first.len());
        match is {
            // Numbers arrive nearly in order. A number far beyond the end of the vector is stored in the hash table.
            (vars, 0) if vars as usize <= 2 * before + 64 => {
                self.first.resize(before.max(vars as usize + 1), UNKNOWN);
                self.first[vars as usize] = ways;
                self.first.len() - before
            }
            _ => {
                self.others.insert(is, ways);
                1
            }
        }
    }
}

/// The greatest number of cached transitions; about 100 MB.
const MOST_WAYS: usize = 500_000;

/// The greatest number of entries; about 50 MB.
const MOST_REMEMBERED: usize = 5_000_000;

/// A cached transition.
#[derive(Clone, Debug)]
pub(crate) struct CachedTransition {
    /// The component numbers of the node's variables and inbox after the event; `None` if the event is an error.
    pub(crate) behind: Option<(u32, u32)>,
    /// The range of the messages that it sends, in the queue cache.
    pub(crate) sends: Range<u32>,
    /// Its event number (`event_numbers.rs`), or `event_numbers::UNKNOWN`.
    pub(crate) event_number: Cell<u32>,
    /// Whether its blocks and sent messages have been reported to the monitor.
    pub(crate) noted: Cell<bool>,
    /// Whether the delivered message also stays on its channel (a repetition).
    pub(crate) stays: bool,
    /// The event. For a delivery, the place of the message in its channel is not meaningful.
    pub(crate) event: CompiledEvent,
    pub(crate) picks: Box<[i64]>,
    pub(crate) chosen: Box<[Type]>,
    pub(crate) sent: Box<[(EdgeId, i64)]>,
    /// By sent message: its type.
    pub(crate) records: Box<[RecordId]>,
    pub(crate) ran: Box<[BlockId]>,
}

impl TransitionCache {
    pub(crate) fn new(compiled: &CompiledMachine<'_>, index: ComponentIndex) -> TransitionCache {
        let nodes = || compiled.machine.nodes();
        TransitionCache {
            own: nodes().map(|_| Known::default()).collect(),
            idle: nodes().map(|_| 0).collect(),
            handed: Vec::new(),
            ways: Vec::new(),
            remembered: 0,
            queues: QueueCache::new(compiled, index),
        }
    }

    /// The transitions by own events of a node, if they are cached.
    #[inline]
    pub(crate) fn own(&self, node: usize, is: NodeKey) -> Option<Range<u32>> {
        self.own[node].get(is)
    }

    /// The first node, from `from` on, that may have an event of its own. It skips nodes in `idle` with an empty
    /// outbox.
    #[inline]
    pub(crate) fn next_busy(&self, parts: &[u32], from: usize) -> Option<usize> {
        let outboxes = self.queues.empty_outboxes(parts, from);
        let inboxes = &parts[self.queues.index.inboxes()][from..];
        let nodes = parts[from..].iter().zip(&self.idle[from..]);
        let mut nodes = nodes.zip(outboxes).zip(inboxes);
        let busy = nodes.position(|(((vars, idle), empty), inbox)| {
            let idle = *vars < u64::BITS && idle >> vars & 1 == 1;
            !(idle & empty & (*inbox == 0))
        });
        Some(from + busy?)
    }

    /// The transitions by delivery of a message to a receiver, if they are cached.
    #[inline]
    pub(crate) fn handed(&self, message: u32, is: NodeKey) -> Option<Range<u32>> {
        self.handed.get(message as usize)?.get(is)
    }

    /// Appends transitions to `ways`. The caller inserts the range by key, or drops it with
    /// [`TransitionCache::forget`].
    pub(crate) fn add(&mut self, ways: Vec<CachedTransition>) -> Range<u32> {
        let first = self.ways.len() as u32;
        for mut way in ways {
            way.sends = self.queues.add_sends(&way.sent);
            self.ways.push(way);
        }
        first..self.ways.len() as u32
    }

    /// Drops the transitions that were appended last.
    pub(crate) fn forget(&mut self, ways: Range<u32>) {
        if let Some(first) = self.ways.get(ways.start as usize) {
            self.queues.forget_sends(first.sends.start);
        }
        self.ways.truncate(ways.start as usize);
    }

    pub(crate) fn insert_own(&mut self, node: usize, is: NodeKey, ways: Range<u32>) {
        if let (vars @ ..u64::BITS, 0) = is
            && ways.is_empty()
        {
            self.idle[node] |= 1 << vars;
        }
        self.remembered += self.own[node].insert(is, ways);
    }

    pub(crate) fn insert_handed(&mut self, message: u32, is: NodeKey, ways: Range<u32>) {
        let length = self.handed.len().max(message as usize + 1);
        self.handed.resize_with(length, Known::default);
        self.remembered += self.handed[message as usize].insert(is, ways);
    }

    /// Whether the cache has reached its limit and must be cleared.
    pub(crate) fn is_full(&self) -> bool {
        let full = self.ways.len() > MOST_WAYS || self.remembered > MOST_REMEMBERED;
        full || self.queues.is_full()
    }
}

/// Whether the transition cache applies to a Machine.
pub(crate) fn applies(compiled: &CompiledMachine<'_>) -> bool {
    let machine = compiled.machine;
    let travels = matches!(machine.channel, Channel::Fifo(_) | Channel::Unordered);
    let free = compiled.timing.pace.limits().is_empty()
        && !machine.has_time()
        && machine.delay == Delay::Any
        && machine.runtime_faults.is_empty();
    let whole = compiled.counter_shapes.is_none()
        && compiled.timing.reductions.is_none()
        && !compiled.is_abstract();
    let unlimited = machine.faults.iter().all(|fault| fault.limit.is_none());
    let looked_up = travels && free && whole && unlimited && !seen_where_computed();
    looked_up
        && machine.blocks.iter().all(|block| {
            let mut own = true;
            let mut look = |e: &Expr| own &= reads_own(e);
            if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
                guard.walk(&mut look);
            }
            block.body.iter().for_each(|s| s.walk_exprs(&mut look));
            own
        })
}

/// Whether an expression of a block reads only components of its own node. Subexpressions are not examined.
fn reads_own(expr: &Expr) -> bool {
    match expr {
        Expr::Var(_, node) | Expr::Inbox(_, node) | Expr::Senders(_, node) => {
            is_local(node, LocalId(0))
        }
        Expr::InMode(..) | Expr::InFlight(..) | Expr::Quiescent | Expr::TimerSet(..) => false,
        Expr::Faultless(_) | Expr::Now(..) | Expr::Overdue(_) => false,
        _ => true,
    }
}

/// Whether an expression is the local name `local`.
pub(crate) fn is_local(expr: &Expr, local: LocalId) -> bool {
    match expr {
        Expr::At(_, inner) => is_local(inner, local),
        Expr::Local(name) => *name == local,
        _ => false,
    }
}
