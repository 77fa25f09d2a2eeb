//! What events do, looked up instead of computed.
//!
//! *What.* What a node does by itself depends on its mode, its variables and its inbox; what it does with a message on that and the
//! message. Parts of states have numbers, so what was computed once for these numbers is known for all other states in which
//! they are the same: the numbers of the parts behind it, and what is sent. What becomes of channels and outboxes is known by
//! their numbers, too (`queues.rs`).
//!
//! *When.* Where nothing else matters: no time and no rhythm in step with others, nothing that runtime_faults, no counters whose
//! distances are kept, no limits on what happens to messages, nothing invisible, undecided or unknown, messages that travel on
//! channels, and code that reads variables of its own node.

use crate::defects::seen_where_computed;
use crate::expand::queue_cache::QueueCache;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use crate::state::layout::ComponentIndex;
use foldhash::HashMap;
use machine::{BlockId, Channel, Delay, EdgeId, Expr, LocalId, RecordId, Trigger, Type};
use std::cell::Cell;
use std::ops::Range;

/// What is known.
pub(crate) struct TransitionCache {
    /// By node: what it does by itself.
    own: Vec<Known>,
    /// By node: with which of the lowest numbers of its variables, and the first inbox, there is no way.
    idle: Vec<u64>,
    /// By edge and message, numbered by whoever knows the queues: what the receiver does.
    handed: Vec<Known>,
    pub(crate) ways: Vec<CachedTransition>,
    /// How long what is known by numbers has become.
    remembered: usize,
    pub(crate) queues: QueueCache,
}

/// The numbers of a node's variables and its inbox.
pub(crate) type NodeKey = (u32, u32);

/// What is known of a node, by the numbers of its variables and its inbox: which ways there are.
#[derive(Default)]
struct Known {
    /// With the first inbox, which for most nodes is the only one.
    first: Vec<(u32, u32)>,
    others: HashMap<NodeKey, (u32, u32)>,
}

/// Nobody has looked yet.
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

    /// Takes note of the ways, and says by how much that has become longer.
    fn learn(&mut self, is: NodeKey, ways: Range<u32>) -> usize {
        let (ways, before) = ((ways.start, ways.end), self.first.len());
        match is {
            // Numbers come nearly in order; one that is far away does not make a long row of nothing.
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

/// More ways than this are not remembered: about a hundred megabytes.
const MOST_WAYS: usize = 500_000;

/// More is not remembered by numbers: about fifty megabytes.
const MOST_REMEMBERED: usize = 5_000_000;

/// A way in which an event can go.
#[derive(Clone, Debug)]
pub(crate) struct CachedTransition {
    /// The numbers of the node's variables and inbox behind it; none if it is an error.
    pub(crate) behind: Option<(u32, u32)>,
    /// What it sends, among what is known of queues.
    pub(crate) sends: Range<u32>,
    /// Its number among the events that a desk has met.
    pub(crate) event_number: Cell<u32>,
    /// Everybody knows that what it runs has run, and that what it sends was sent.
    pub(crate) noted: Cell<bool>,
    /// The message stays on its channel.
    pub(crate) stays: bool,
    /// The place of a message on its edge is another each time.
    pub(crate) event: CompiledEvent,
    pub(crate) picks: Box<[i64]>,
    pub(crate) chosen: Box<[Type]>,
    pub(crate) sent: Box<[(EdgeId, i64)]>,
    /// The types of what it sends.
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

    /// What a node can do by itself, if that is known.
    #[inline]
    pub(crate) fn own(&self, node: usize, is: NodeKey) -> Option<Range<u32>> {
        self.own[node].get(is)
    }

    /// The next node, from one on, that may have something to do by itself, in a state with these parts: most have nothing most of the time.
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

    /// What a receiver can do with a message, if that is known.
    #[inline]
    pub(crate) fn handed(&self, message: u32, is: NodeKey) -> Option<Range<u32>> {
        self.handed.get(message as usize)?.get(is)
    }

    /// Keeps ways for somebody who looks at them at once.
    pub(crate) fn add(&mut self, ways: Vec<CachedTransition>) -> Range<u32> {
        let first = self.ways.len() as u32;
        for mut way in ways {
            way.sends = self.queues.add_sends(&way.sent);
            self.ways.push(way);
        }
        first..self.ways.len() as u32
    }

    /// Forgets ways that were added last.
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
        self.remembered += self.own[node].learn(is, ways);
    }

    pub(crate) fn insert_handed(&mut self, message: u32, is: NodeKey, ways: Range<u32>) {
        let length = self.handed.len().max(message as usize + 1);
        self.handed.resize_with(length, Known::default);
        self.remembered += self.handed[message as usize].learn(is, ways);
    }

    /// Whether it is time to forget everything: what is known must stay small beside the states.
    pub(crate) fn is_full(&self) -> bool {
        let full = self.ways.len() > MOST_WAYS || self.remembered > MOST_REMEMBERED;
        full || self.queues.is_full()
    }
}

/// Whether what events do can be learnt.
pub(crate) fn applies(compiled: &CompiledMachine<'_>) -> bool {
    let machine = compiled.machine;
    let travels = matches!(machine.channel, Channel::Fifo(_) | Channel::Unordered);
    let free = compiled.pace.limits().is_empty()
        && !machine.has_time()
        && machine.delay == Delay::Any
        && machine.runtime_faults.is_empty();
    let whole = compiled.normal.is_none() && compiled.quiet.is_none() && !compiled.is_abstract();
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

/// Whether an expression of a block, without its parts, reads nothing but what belongs to its node.
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

/// Whether an expression is a local name.
pub(crate) fn is_local(expr: &Expr, local: LocalId) -> bool {
    match expr {
        Expr::At(_, inner) => is_local(inner, local),
        Expr::Local(name) => *name == local,
        _ => false,
    }
}
