//! Timed reductions in the semantics: invisible deliveries, values of nodes that are gone, dead array elements. The
//! caller claims where they are sound (`verdict::TimedReductions`).
//!
//! Messages with invisible deliveries are delivered just before another event of their receiver, for each possible set
//! of them, or at their last moment before time passes. Runs of the reference interpreter contain these deliveries
//! explicitly (`graph/witness.rs`).

use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Arrival, CompiledEvent, Effects, SendingEvent, Stop};
use crate::state::layout::{Layout, Slots};
use machine::{BlockId, Channel, Choice, EdgeId, Event, Mode, NodeId, Outcome, Trigger};

impl CompiledMachine<'_> {
    /// Whether the delivery of a message on an edge is invisible.
    pub(crate) fn is_invisible(
        &self,
        frozen: &[i64],
        slots: &Slots,
        edge: EdgeId,
        message: i64,
    ) -> bool {
        let Some(reductions) = &self.reductions else {
            return false;
        };
        let to = self.machine.edges[edge.index()].1;
        reductions.any_invisible[to.index()]
            && reductions.invisible[to.index()][self.record_of(message).index()]
            && self.mode(slots, to) == Mode::Running as i64
            && self.can_receive(frozen, to)
    }

    /// The node before whose event invisible deliveries must be complete.
    fn receiver_of(&self, event: CompiledEvent) -> Option<NodeId> {
        let receiver = |edge: EdgeId| self.machine.edges[edge.index()].1;
        let starts = |block: BlockId| self.machine.blocks[block.index()].trigger == Trigger::Start;
        match event {
            CompiledEvent::Run(_, block)
            | CompiledEvent::CrashDuring(_, SendingEvent::Run(_, block))
                if starts(block) =>
            {
                None
            }
            CompiledEvent::Run(node, _) | CompiledEvent::Expire(node, ..) => Some(node),
            CompiledEvent::CrashDuring(
                _,
                SendingEvent::Run(node, _) | SendingEvent::Expire(node, ..),
            ) => Some(node),
            CompiledEvent::Deliver {
                edge,
                outcome: Outcome::HandOver(_) | Outcome::Repeat(..) | Outcome::Store,
                ..
            }
            | CompiledEvent::CrashDuring(_, SendingEvent::HandOver { edge, .. }) => {
                Some(receiver(edge))
            }
            _ => None,
        }
    }

    /// All sets of invisible deliveries that may have happened just before an event; none where there are none.
    pub(crate) fn arrivals(
        &self,
        layout: &Layout,
        frozen: &[i64],
        slots: &Slots,
        event: CompiledEvent,
    ) -> Option<Vec<Vec<Arrival>>> {
        let reductions = self.reductions.as_ref()?;
        let node = self.receiver_of(event)?;
        let delay = self.clocks.units.as_ref().and_then(|units| units.delay);
        let (least, most) = delay.filter(|_| reductions.any_invisible[node.index()])?;
        let mut sets = vec![vec![]];
        for (e, (_, to)) in self.machine.edges.iter().enumerate() {
            if *to != node {
                continue;
            }
            let edge = EdgeId(e as u32);
            let can = |item: &i64| {
                item % self.delays <= most - least
                    && self.is_invisible(frozen, slots, edge, item / self.delays)
            };
            let queue = layout.queue(slots, edge);
            let groups: Vec<Vec<i64>> = match self.machine.channel {
                // A prefix of the queue, as far as its messages can arrive.
                Channel::Fifo(_) | Channel::Instant => {
                    vec![queue.iter().copied().take_while(|i| can(i)).collect()]
                }
                Channel::Unordered => {
                    let same = queue.chunk_by(|a, b| a / self.delays == b / self.delays);
                    same.map(|items| items.iter().copied().filter(|i| can(i)).collect())
                        .collect()
                }
            };
            for group in groups.iter().filter(|group| !group.is_empty()) {
                let mut more = Vec::new();
                for set in &sets {
                    for count in 0..=group.len() {
                        let arrived = group[..count].iter().map(|item| (edge, item / self.delays));
                        more.push(set.iter().copied().chain(arrived).collect());
                    }
                }
                sets = more;
            }
        }
        Some(sets)
    }

    /// Delivers a message invisibly.
    pub(crate) fn deliver_invisibly(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        (edge, message): Arrival,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let mut queue = layout.queue(next, edge).iter();
        let place = queue
            .position(|item| item / self.delays == message)
            .ok_or(Stop::Broken)?;
        layout.take(next, edge, place);
        let (from, to) = self.machine.edges[edge.index()];
        match self.handler_of(edge, message) {
            Some(block) => {
                let first = self.messages[self.record_of(message).index()].0;
                let locals = [message - first, i64::from(from.0)];
                self.run_code(
                    layout,
                    frozen,
                    next,
                    to,
                    block,
                    locals,
                    &mut [].iter(),
                    effects,
                )
            }
            None => self.store(layout, next, edge, message),
        }
    }

    /// The block that handles a message.
    fn handler_of(&self, edge: EdgeId, message: i64) -> Option<BlockId> {
        let (to, record) = (self.machine.edges[edge.index()].1, self.record_of(message));
        let takes = |block: &BlockId| matches!(&self.machine.blocks[block.index()].trigger, Trigger::On(wanted, _) if *wanted == record);
        self.blocks_of(to).find(takes)
    }

    /// The choice of the reference interpreter for an invisible delivery.
    pub(crate) fn arrival_choice(&self, (edge, message): Arrival) -> Choice {
        let outcome = self
            .handler_of(edge, message)
            .map_or(Outcome::Store, Outcome::HandOver);
        Choice {
            event: Event::Deliver(edge, self.message(message), outcome),
            picks: Vec::new(),
            time: None,
        }
    }

    /// Delivers invisible messages that must arrive now.
    pub(crate) fn deliver_due(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        if self.reductions.is_none()
            || self.delays == 1 && self.clocks.units.as_ref().is_none_or(|u| u.delay.is_none())
        {
            return Ok(());
        }
        for e in 0..self.machine.edges.len() as u32 {
            let edge = EdgeId(e);
            loop {
                let mut queue = layout.queue(next, edge).iter();
                let due = queue.find(|item| {
                    **item % self.delays == 0
                        && self.is_invisible(frozen, next, edge, **item / self.delays)
                });
                let Some(item) = due.copied() else {
                    break;
                };
                self.deliver_invisibly(layout, frozen, next, (edge, item / self.delays), effects)?;
            }
        }
        Ok(())
    }

    /// Maps equivalent states to the same slots.
    pub(crate) fn settle(&self, layout: &Layout, slots: &mut Slots) {
        let Some(reductions) = &self.reductions else {
            return;
        };
        let is_gone = |slots: &Slots, node: NodeId| {
            let mode = self.mode(slots, node);
            mode == Mode::Halted as i64 || mode == Mode::Off as i64 || mode == Mode::Crashed as i64
        };
        for node in self.machine.nodes() {
            if is_gone(slots, node) {
                for (slot, value) in &reductions.gone[node.index()] {
                    slots[*slot] = *value;
                }
            }
        }
        for (e, (_, to)) in self.machine.edges.iter().enumerate() {
            if is_gone(slots, *to) {
                let unwatched =
                    |message: i64| reductions.unwatched[self.record_of(message).index()];
                self.forget(layout, slots, EdgeId(e as u32), &unwatched);
            }
        }
        for rule in &reductions.dead_elements {
            if is_gone(slots, rule.node) {
                continue;
            }
            let limit = (slots[rule.index] + rule.plus).clamp(rule.over.0, rule.over.1 + 1);
            let kept = (rule.over.1 - limit + 1) as u32;
            slots[rule.array] %= rule.places.pow(kept).max(1);
            for (e, (_, to)) in self.machine.edges.iter().enumerate() {
                if *to == rule.node && !rule.told.is_empty() {
                    let idle = |message: i64| {
                        rule.told
                            .iter()
                            .any(|((from, end), (weight, places), first)| {
                                let inside = *from <= message && message < *end;
                                inside && (message - from) / weight % places + first < limit
                            })
                    };
                    self.forget(layout, slots, EdgeId(e as u32), &idle);
                }
            }
        }
    }

    /// Removes some messages from an edge.
    fn forget(
        &self,
        layout: &Layout,
        slots: &mut Slots,
        edge: EdgeId,
        which: &dyn Fn(i64) -> bool,
    ) {
        let mut place = 0;
        while let Some(item) = layout.queue(slots, edge).get(place) {
            match which(item / self.delays) {
                true => layout.take(slots, edge, place),
                false => place += 1,
            }
        }
    }
}
