//! What events do, looked up instead of computed.
//!
//! *What.* What a node does by itself depends on its mode, its variables and its inbox; what it does with a message on that and the
//! message. Parts of states have numbers, so what was computed once for these numbers is known for all other states in which
//! they are the same: the numbers of the parts behind it, and what is sent. Then messages go onto channels, which are short.
//!
//! *When.* Where nothing else matters: no time and no rhythm in step with others, nothing that strikes, no counters whose
//! distances are kept, no limits on what happens to messages, nothing unseen, undecided or unknown, messages that travel on
//! channels, and code that reads variables of its own node.

use crate::defects::seen_where_computed;
use crate::model::{Compiled, Happening};
use foldhash::{HashMap, HashMapExt};
use machine::{BlockId, Channel, Delay, EdgeId, Expr, LocalId, Machine, Trigger, Type};
use std::ops::Range;

/// What is known.
pub(crate) struct Learnt {
    /// By node: from the numbers of its variables and its inbox to what it does by itself.
    own: Vec<HashMap<(u32, u32), Range<u32>>>,
    /// By edge: the same of the receiver, with a message.
    handed: Vec<HashMap<(u32, u32, i64), Range<u32>>>,
    ways: Vec<Way>,
}

/// More ways than this are not remembered: about a hundred megabytes.
const MOST_WAYS: usize = 500_000;

/// A way in which an event can go.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The place of a message on its edge is another each time.
    pub(crate) happening: Happening,
    pub(crate) picks: Box<[i64]>,
    pub(crate) chosen: Box<[Type]>,
    /// The numbers of the node's variables and inbox behind it; none if it is an error.
    pub(crate) behind: Option<(u32, u32)>,
    pub(crate) sent: Box<[(EdgeId, i64)]>,
    pub(crate) ran: Box<[BlockId]>,
}

impl Learnt {
    pub(crate) fn new(machine: &Machine) -> Learnt {
        Learnt {
            own: machine.nodes().map(|_| HashMap::new()).collect(),
            handed: machine.edges.iter().map(|_| HashMap::new()).collect(),
            ways: Vec::new(),
        }
    }

    /// What a node can do by itself, if that is known.
    pub(crate) fn own(&self, node: usize, vars: u32, inbox: u32) -> Option<Range<u32>> {
        self.own[node].get(&(vars, inbox)).cloned()
    }

    /// What a receiver can do with a message, if that is known.
    pub(crate) fn handed(
        &self,
        edge: usize,
        vars: u32,
        inbox: u32,
        message: i64,
    ) -> Option<Range<u32>> {
        self.handed[edge].get(&(vars, inbox, message)).cloned()
    }

    pub(crate) fn way(&self, way: u32) -> &Way {
        &self.ways[way as usize]
    }

    /// Keeps ways for somebody who looks at them at once.
    pub(crate) fn add(&mut self, ways: Vec<Way>) -> Range<u32> {
        let first = self.ways.len() as u32;
        self.ways.extend(ways);
        first..self.ways.len() as u32
    }

    /// Forgets ways that were added last.
    pub(crate) fn forget(&mut self, ways: Range<u32>) {
        self.ways.truncate(ways.start as usize);
    }

    pub(crate) fn learn_own(&mut self, node: usize, vars: u32, inbox: u32, ways: Range<u32>) {
        self.own[node].insert((vars, inbox), ways);
    }

    pub(crate) fn learn_handed(
        &mut self,
        edge: usize,
        (vars, inbox, message): (u32, u32, i64),
        ways: Range<u32>,
    ) {
        self.handed[edge].insert((vars, inbox, message), ways);
    }

    /// Whether it is time to forget everything: what is known must stay small beside the states.
    pub(crate) fn is_full(&self) -> bool {
        self.ways.len() > MOST_WAYS
    }
}

/// Whether what events do can be learnt.
pub(crate) fn applies(compiled: &Compiled<'_>) -> bool {
    let machine = compiled.machine;
    let travels = matches!(machine.channel, Channel::Fifo(_) | Channel::Unordered);
    let free = compiled.pace.limits().is_empty()
        && !machine.has_time()
        && machine.delay == Delay::Any
        && machine.strikes.is_empty();
    let whole = compiled.normal.is_none() && compiled.quiet.is_none() && !compiled.is_loose();
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
