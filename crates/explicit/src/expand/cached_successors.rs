//! Computes the successors of a packed state from the transition cache (`transition_cache.rs`), without unpacking it.
//!
//! The order of transitions is that of [`Expander::each_transition`]: events of nodes first, then deliveries by edge.
//! Transitions that are not in the cache are computed on the open state, and inserted.

use crate::defects::{Defect, broken};
use crate::events::enabled::{outcomes, own_events};
use crate::expand::event_numbers::{self, Put};
use crate::expand::expander::{Expander, Transition};
use crate::expand::queue_cache::{Head, Number, QueueCache, Take};
use crate::expand::transition_cache::{CachedTransition, NodeKey, TransitionCache};
use crate::program::event::CompiledEvent;
use crate::state::component_table::Numbering;
use crate::store::visited_set::Change;
use machine::{EdgeId, NodeId, Outcome};
use std::cell::Cell;
use std::ops::Range;

/// A transition from the cache, applied to the state of the expander.
pub(crate) struct CachedStep<'s> {
    pub(crate) event: CompiledEvent,
    /// The cached transition; `None` if the event transmits the head of an outbox.
    pub(crate) way: Option<&'s CachedTransition>,
    /// The message that the event transmits from an outbox, if it does.
    head: Option<Put>,
    /// Without `head`: how many of the sent messages are put on channels; the rest enters the outbox.
    put: usize,
    /// The component numbers of the state.
    pub(crate) numbers: &'s [u32],
    /// The changes that lead to the successor; `None` if the event is an error.
    pub(crate) changes: Option<&'s [Change]>,
    /// Whether all component numbers in `changes` are permanent ([`Numbering::is_settled`]).
    pub(crate) settled: bool,
}

impl CachedStep<'_> {
    /// The messages put on channels.
    pub(crate) fn put(&self) -> &[Put] {
        match (&self.head, self.way) {
            (Some(head), _) => std::slice::from_ref(head),
            (None, Some(way)) => &way.sent[..self.put],
            (None, None) => &[],
        }
    }
}

impl Expander<'_> {
    /// Enumerates the transitions of the state in order, until `visit` returns `false`.
    pub(crate) fn each_cached(
        &mut self,
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) {
        let mut effects = std::mem::take(&mut self.scratch.effects);
        let mut next = std::mem::take(&mut self.scratch.next_numbers);
        let mut differs = std::mem::take(&mut self.scratch.differs);
        self.each_step(numbering, |step| {
            effects.put.clear();
            effects.sent.clear();
            effects.ran.clear();
            effects.chosen.clear();
            effects.put.extend_from_slice(step.put());
            let mut picks = &[][..];
            if let Some(way) = step.way {
                effects.sent.extend_from_slice(&way.sent);
                effects.ran.extend_from_slice(&way.ran);
                effects.chosen.extend_from_slice(&way.chosen);
                picks = &way.picks;
            }
            let target = step.changes.map(|changes| {
                next.clear();
                next.extend_from_slice(step.numbers);
                differs.clear();
                for (part, number) in changes {
                    next[*part as usize] = *number;
                    differs.push(*part);
                }
                (&next[..], &differs[..])
            });
            visit(&Transition {
                event: step.event,
                arrivals: &[],
                picks,
                decisions: &[],
                target,
                effects: &effects,
                shift: &[],
                states: None,
            })
        });
        let scratch = &mut self.scratch;
        (scratch.effects, scratch.next_numbers, scratch.differs) = (effects, next, differs);
    }

    /// Like [`Expander::each_cached`], but with cached steps instead of transitions.
    pub(crate) fn each_step<N: Numbering>(
        &mut self,
        numbering: &mut N,
        mut visit: impl FnMut(&CachedStep<'_>) -> bool,
    ) {
        let mut changes = std::mem::take(&mut self.scratch.changes);
        let mut cache = self.cache.take().expect("it applies");
        if cache.is_full() {
            *cache = TransitionCache::new(self.compiled, self.index);
        }
        self.visit_cached(&mut cache, &mut changes, numbering, &mut visit);
        (self.scratch.changes, self.cache) = (changes, Some(cache));
    }

    fn visit_cached<N: Numbering>(
        &mut self,
        cache: &mut TransitionCache,
        changes: &mut Vec<Change>,
        numbering: &mut N,
        visit: &mut impl FnMut(&CachedStep<'_>) -> bool,
    ) {
        let (compiled, machine) = (self.compiled, self.compiled.machine);
        let mut next = 0;
        while let Some(busy) = cache.next_busy(&self.numbers, next) {
            next = busy + 1;
            let node = NodeId(busy as u32);
            let part = self.index.outbox(node);
            let outbox = self.numbers[part];
            if !cache.queues.is_empty(part, outbox)
                && let (Head::Waits { put, rest }, settled) =
                    cache.queues.head(compiled, node, outbox, numbering)
            {
                let rest = Number {
                    number: rest,
                    settled,
                };
                if !self.transmit(node, put, rest, (cache, changes), numbering, visit) {
                    return;
                }
                continue;
            }
            let is = self.node_key(node);
            let (ways, known) = match cache.own(node.index(), is) {
                Some(ways) => (ways, true),
                None => {
                    let mut events = Vec::new();
                    self.make_sure_open(numbering);
                    own_events(compiled, &self.context(), node, false, &mut events);
                    let (ways, settled) = self.compute(node, &events, numbering);
                    let ways = cache.add(ways);
                    if settled {
                        cache.insert_own(node.index(), is, ways.clone());
                    }
                    (ways, settled)
                }
            };
            if !self.visit_ways(node, None, (cache, ways, known), changes, numbering, visit) {
                return;
            }
        }
        let mut next = 0;
        while let Some(e) = cache.queues.next_used(&self.numbers, next) {
            next = e + 1;
            let to = machine.edges[e].1;
            let on_it = self.numbers[self.index.channel(e)];
            let (takes, settled) = cache.queues.takes(compiled, e, on_it, numbering);
            if takes.is_empty() {
                continue;
            }
            let first = takes.start;
            let part = self.index.outbox(to);
            let outbox = self.numbers[part];
            if !cache.queues.is_empty(part, outbox)
                && let (Head::Waits { .. }, _) = cache.queues.head(compiled, to, outbox, numbering)
            {
                if !settled {
                    cache.queues.forget_takes(first);
                }
                continue;
            }
            for take in takes {
                let take = cache.queues.taken(take);
                let is = self.node_key(to);
                let like = match broken(Defect::LearntWithoutMessage) {
                    false => take.like,
                    true => 0,
                };
                let (ways, known) = match cache.handed(like, is) {
                    Some(ways) => (ways, true),
                    None => {
                        let mut events = Vec::new();
                        self.make_sure_open(numbering);
                        let mut locals = vec![0; compiled.code.most_locals];
                        outcomes(
                            compiled,
                            &self.context(),
                            EdgeId(e as u32),
                            take.place as usize,
                            take.message,
                            &mut locals,
                            &mut events,
                        );
                        let (ways, settled) = self.compute(to, &events, numbering);
                        let ways = cache.add(ways);
                        if settled {
                            cache.insert_handed(like, is, ways.clone());
                        }
                        (ways, settled)
                    }
                };
                let taken = Some((e, take, settled));
                if !self.visit_ways(to, taken, (cache, ways, known), changes, numbering, visit) {
                    return;
                }
            }
            if !settled {
                cache.queues.forget_takes(first);
            }
        }
    }

    /// The component numbers of a node's variables and inbox.
    fn node_key(&self, node: NodeId) -> NodeKey {
        let inbox = match broken(Defect::LearntWithoutInbox) {
            false => self.numbers[self.index.inbox(node)],
            true => 0,
        };
        (self.numbers[node.index()], inbox)
    }

    /// Computes the transitions of these events of a node, and whether all component numbers in them are permanent.
    fn compute(
        &mut self,
        node: NodeId,
        events: &[CompiledEvent],
        numbering: &mut impl Numbering,
    ) -> (Vec<CachedTransition>, bool) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (mut ways, inbox) = (Vec::new(), self.index.inbox(node));
        let compiled = self.compiled;
        for event in events {
            self.each_way(
                (*event, &[]),
                &mut scratch,
                &mut Vec::new(),
                numbering,
                &mut |transition| {
                    let behind =
                        |(numbers, _): (&[u32], _)| (numbers[node.index()], numbers[inbox]);
                    let stays = matches!(
                        transition.event,
                        CompiledEvent::Deliver {
                            outcome: Outcome::Repeat(..),
                            ..
                        }
                    );
                    let sent = transition.effects.sent.iter();
                    let records = sent.map(|(_, message)| compiled.record_of(*message));
                    ways.push(CachedTransition {
                        behind: transition.target.map(behind),
                        sends: 0..0,
                        event_number: Cell::new(event_numbers::UNKNOWN),
                        noted: Cell::new(false),
                        stays,
                        event: transition.event,
                        picks: transition.picks.into(),
                        chosen: transition.effects.chosen.as_slice().into(),
                        sent: transition.effects.sent.as_slice().into(),
                        records: records.collect(),
                        ran: transition.effects.ran.as_slice().into(),
                    });
                    true
                },
            );
        }
        self.scratch = scratch;
        let mut parts = vec![(self.numbers[node.index()], self.numbers[inbox])];
        parts.extend(ways.iter().filter_map(|way| way.behind));
        let settled = parts.iter().all(|(v, i)| {
            numbering.is_settled(node.index(), *v) && numbering.is_settled(inbox, *i)
        });
        (ways, settled)
    }

    /// Calls `visit` with the steps for these cached transitions of a node. `taken` is the removed message (edge,
    /// removal, whether its numbers are permanent), if the event is a delivery. `keep`: whether the transitions stay in
    /// the cache. Returns `false` if `visit` did.
    fn visit_ways<N: Numbering>(
        &mut self,
        node: NodeId,
        taken: Option<(usize, Take, bool)>,
        (cache, ways, keep): (&mut TransitionCache, Range<u32>, bool),
        changes: &mut Vec<Change>,
        numbering: &mut N,
        visit: &mut impl FnMut(&CachedStep<'_>) -> bool,
    ) -> bool {
        let mut go_on = true;
        for number in ways.clone() {
            let TransitionCache { ways, queues, .. } = &mut *cache;
            let way = &ways[number as usize];
            let mut event = way.event;
            if let (CompiledEvent::Deliver { place, .. }, Some((_, take, _))) = (&mut event, taken)
            {
                *place = take.place as usize;
            }
            let mut next = Next {
                numbers: &self.numbers,
                changes,
                settled: keep,
            };
            next.changes.clear();
            let mut put = way.sent.len();
            if let Some((vars, inbox)) = way.behind {
                next.set(node.index(), vars);
                next.set(self.index.inbox(node), inbox);
                if let Some((edge, take, settled)) = taken
                    && !way.stays
                {
                    next.set(self.index.channel(edge), take.rest);
                    next.settled &= settled;
                }
                for send in way.sends.clone() {
                    let one = queues.sent(send);
                    let part = queues.part_of(one);
                    match queues.put(self.compiled, one, next.get(part), numbering) {
                        Some(on_it) => next.set_to(part, on_it),
                        None => {
                            let sends = send..way.sends.end;
                            let waits = queues.wait(self.compiled, node, sends, numbering);
                            next.set_to(self.index.outbox(node), waits);
                            put = (send - way.sends.start) as usize;
                            break;
                        }
                    }
                }
            }
            go_on = visit(&CachedStep {
                event,
                way: Some(way),
                head: None,
                put,
                settled: next.settled,
                numbers: &self.numbers,
                changes: way.behind.map(|_| &changes[..]),
            });
            if !go_on {
                break;
            }
        }
        if !keep {
            cache.forget(ways);
        }
        go_on
    }

    /// Calls `visit` with the transmission of the head of an outbox, if the channel has room. Returns `false` if
    /// `visit` did.
    fn transmit<N: Numbering>(
        &mut self,
        node: NodeId,
        put: u32,
        rest: Number,
        (cache, changes): (&mut TransitionCache, &mut Vec<Change>),
        numbering: &mut N,
        visit: &mut impl FnMut(&CachedStep<'_>) -> bool,
    ) -> bool {
        let queues: &mut QueueCache = &mut cache.queues;
        let part = queues.part_of(put);
        let Some(on_it) = queues.put(self.compiled, put, self.numbers[part], numbering) else {
            return true;
        };
        let mut next = Next {
            numbers: &self.numbers,
            changes,
            settled: true,
        };
        next.changes.clear();
        next.set_to(self.index.outbox(node), rest);
        next.set_to(part, on_it);
        visit(&CachedStep {
            event: CompiledEvent::Transmit(node),
            way: None,
            head: Some(queues.put_of(put)),
            put: 0,
            settled: next.settled,
            numbers: &self.numbers,
            changes: Some(changes),
        })
    }
}

/// The changes that lead to a successor, under construction.
struct Next<'s> {
    numbers: &'s [u32],
    changes: &'s mut Vec<Change>,
    settled: bool,
}

impl Next<'_> {
    fn get(&self, part: usize) -> u32 {
        let changed = self.changes.iter().find(|(p, _)| *p as usize == part);
        changed.map_or(self.numbers[part], |(_, number)| *number)
    }

    fn set_to(&mut self, part: usize, to: Number) {
        self.settled &= to.settled;
        self.set(part, to.number);
    }

    /// Sets a component. Removes its change if the number equals the one in the state.
    fn set(&mut self, part: usize, number: u32) {
        let at = self.changes.iter().position(|(p, _)| *p as usize == part);
        let differs = self.numbers[part] != number;
        match at {
            Some(at) if differs => self.changes[at].1 = number,
            Some(at) => drop(self.changes.swap_remove(at)),
            None if differs => self.changes.push((part as u32, number)),
            None => {}
        }
    }
}
