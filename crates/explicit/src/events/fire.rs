//! The effect of an event on an open state.
//!
//! The semantics is that of the reference interpreter, over numbers; differential tests compare the two.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Arrival, CompiledEvent, Effects, SendingEvent, Stop};
use crate::program::statement::{BlockRun, CompiledBlock};
use crate::state::layout::{Layout, Slots};
use machine::{BlockId, Channel, EdgeId, Mode, NodeId, Outcome};

impl CompiledMachine<'_> {
    /// Fires an event in `next`, a copy of the open state.
    pub(crate) fn fire(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        (mut event, arrivals): (CompiledEvent, &[Arrival]),
        picks: &[i64],
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        effects.sent.clear();
        effects.put.clear();
        effects.chosen.clear();
        effects.ran.clear();
        // If the receiver is about to crash and its messages are known, earlier deliveries make no difference.
        let known = effects
            .unfinished
            .as_ref()
            .is_some_and(|known| known.is_for(picks));
        let idle = matches!(event, CompiledEvent::CrashDuring(..)) && known;
        for arrival in arrivals.iter().filter(|_| !idle) {
            self.deliver_invisibly(layout, frozen, next, *arrival, effects)?;
        }
        if !arrivals.is_empty() && !idle {
            self.find_again(layout, next, &mut event);
        }
        self.apply(layout, frozen, next, event, picks, effects)?;
        self.keep_time(layout, frozen, next, event)?;
        self.settle(layout, next);
        if next[layout.pace()].is_empty() {
            return Ok(());
        }
        let mut pace = std::mem::take(&mut effects.pace);
        pace.clear();
        pace.extend_from_slice(&next[layout.pace()]);
        if let CompiledEvent::Run(node, block) = event
            && self.machine.rhythm(block).is_some()
        {
            let runs = &|node| self.runs(next, node);
            self.pace.activated(&mut pace, node, runs);
        }
        self.pace.settle(&mut pace, &|node| self.runs(next, node));
        next[layout.pace()].copy_from_slice(&pace);
        effects.pace = pace;
        Ok(())
    }

    /// Finds the place of a message after others have been delivered.
    fn find_again(&self, layout: &Layout, next: &Slots, event: &mut CompiledEvent) {
        if let CompiledEvent::Deliver {
            edge,
            place,
            message,
            ..
        }
        | CompiledEvent::CrashDuring(
            _,
            SendingEvent::HandOver {
                edge,
                place,
                message,
                ..
            },
        ) = event
        {
            let mut queue = layout.queue(next, *edge).iter();
            let found = queue.position(|item| item / self.delays == *message);
            *place = found.expect("it has not arrived yet");
        }
    }

    fn apply(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        event: CompiledEvent,
        picks: &[i64],
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        match event {
            CompiledEvent::Transmit(node) => {
                let (edge, message) = self.outgoing(node, layout.outbox(next, node)[0]);
                layout.release(next, node);
                self.put(layout, next, edge, message, effects)?;
                Ok(())
            }
            CompiledEvent::Expire(node, place, block) => {
                self.clocks.unset_timer(next, node, place as usize);
                let locals = [self.timer_for(node, place), 0];
                self.run_block(layout, frozen, next, node, block, locals, picks, effects)
            }
            CompiledEvent::Crash(node, runtime_fault) => {
                self.faulted(layout, next, node, runtime_fault, Mode::Crashed);
                Ok(())
            }
            CompiledEvent::Stop(node, runtime_fault) => {
                self.faulted(layout, next, node, runtime_fault, Mode::Stopped);
                Ok(())
            }
            CompiledEvent::CrashDuring(runtime_fault, during) => self.crash_during(
                layout,
                frozen,
                next,
                (runtime_fault, during),
                picks,
                effects,
            ),
            CompiledEvent::Restart(node) => {
                self.restart(layout, frozen, next, node, picks, effects)
            }
            CompiledEvent::Wait => self.wait(layout, frozen, next, effects),
            CompiledEvent::Run(node, block) => {
                next[self.bases[node.index()] as usize] = Mode::Running as i64;
                self.run_block(layout, frozen, next, node, block, [0, 0], picks, effects)
            }
            CompiledEvent::Deliver {
                edge,
                place,
                message,
                outcome,
            } => {
                if !matches!(outcome, Outcome::Repeat(..)) || broken(Defect::RepeatTakes) {
                    layout.take(next, edge, place);
                }
                if let Outcome::Lose(fault) | Outcome::Repeat(fault, _) = outcome
                    && self.machine.faults[fault.index()].limit.is_some()
                    && !(broken(Defect::LossIsFree) && matches!(outcome, Outcome::Lose(_)))
                {
                    next[layout.budget(fault.index())] -= 1;
                }
                let (from, to) = self.machine.edges[edge.index()];
                match outcome {
                    Outcome::HandOver(block) | Outcome::Repeat(_, Some(block)) => {
                        let first = self.messages[self.record_of(message).index()].0;
                        let locals = [message - first, i64::from(from.0)];
                        self.run_block(layout, frozen, next, to, block, locals, picks, effects)
                    }
                    Outcome::Store | Outcome::Repeat(_, None) => {
                        self.store(layout, next, edge, message)
                    }
                    Outcome::Unhandled if broken(Defect::UnhandledDropped) => Ok(()),
                    Outcome::Unhandled => Err(Stop::Broken),
                    Outcome::Drop | Outcome::Lose(_) => Ok(()),
                }
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one event, each of its own kind"
    )]
    pub(crate) fn run_block(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        node: NodeId,
        block: BlockId,
        message: [i64; 2],
        picks: &[i64],
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let mut picks = picks.iter();
        self.run_code(
            layout, frozen, next, node, block, message, &mut picks, effects,
        )?;
        self.send_all(layout, frozen, next, node, &mut picks, effects)
    }

    /// Puts the sent messages of a node on channels, as far as it can send.
    pub(crate) fn send_all(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        node: NodeId,
        picks: &mut std::slice::Iter<'_, i64>,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        if !self.can_send(frozen, node) {
            effects.sent.clear();
        }
        if self.machine.channel == Channel::Instant && broken(Defect::InstantReversed) {
            effects.sent.reverse();
        }
        for i in 0..effects.sent.len() {
            let (edge, message) = effects.sent[i];
            if self.machine.channel == Channel::Instant {
                self.take_at_once(layout, frozen, next, edge, message, picks, effects)?;
            } else if layout.outbox(next, node).is_empty() && layout.has_room(next, edge) {
                self.put(layout, next, edge, message, effects)?;
            } else if !broken(Defect::NoOutbox) {
                let out = self.out_edges[node.index()]
                    .iter()
                    .position(|e| *e == edge)
                    .expect("its edge");
                layout.keep(next, node, out as i64 * self.message_count + message)?;
            }
        }
        Ok(())
    }

    /// Puts a message on a channel.
    fn put(
        &self,
        layout: &Layout,
        next: &mut Slots,
        edge: EdgeId,
        message: i64,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let sorted = self.machine.channel == Channel::Unordered;
        layout.put(next, edge, message * self.delays + self.delays - 1, sorted)?;
        effects.put.push((edge, message));
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one event, each of its own kind"
    )]
    pub(crate) fn run_code(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        node: NodeId,
        block: BlockId,
        message: [i64; 2],
        picks: &mut std::slice::Iter<'_, i64>,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        effects.ran.push(block);
        let mut locals = std::mem::take(&mut effects.locals);
        locals.resize(self.most_locals, 0);
        locals[0] = i64::from(node.0);
        locals[1..3].copy_from_slice(&message);
        let mut run = BlockRun {
            compiled: self,
            layout,
            frozen,
            slots: next,
            locals,
            node,
            picks,
            effects,
        };
        let CompiledBlock { guard, body } = self.code(node, block);
        let done = guard
            .iter()
            .try_for_each(|guard| run.eval(guard).map(|_| ()));
        let done = done.and_then(|()| run.steps(body));
        let locals = run.locals;
        effects.locals = locals;
        done.map(|_| ())
    }
}
