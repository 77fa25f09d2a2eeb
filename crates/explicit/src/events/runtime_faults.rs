//! Runtime faults: nodes crash, stop and restart.
//!
//! The semantics is that of the reference interpreter; differential tests compare the two.

use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{CompiledEvent, Effects, SendingEvent, Stop, Unfinished};
use crate::program::expression::Context;
use crate::program::restart::RestartValue;
use crate::state::layout::{Layout, Slots};
use machine::{BlockId, EdgeId, Mode, NodeId, Outcome, RuntimeFaultId, Type};

impl CompiledMachine<'_> {
    /// Adds the enabled runtime faults and restarts to these events.
    pub(crate) fn runtime_faults(&self, slots: &Slots, found: &mut Vec<CompiledEvent>) {
        if self.machine.runtime_faults.is_empty() {
            return;
        }
        let events = found.len();
        let mode = |node: NodeId| self.mode(slots, node);
        let stopped = self
            .machine
            .nodes()
            .filter(|node| mode(*node) == Mode::Stopped as i64);
        found.extend(stopped.map(CompiledEvent::Restart));
        for (i, item) in self.machine.runtime_faults.iter().enumerate() {
            let runtime_fault = RuntimeFaultId(i as u32);
            for node in self
                .machine
                .nodes()
                .filter(|node| self.can_fault(slots, i, *node))
            {
                if item.crash.is_some() {
                    found.push(CompiledEvent::Crash(node, runtime_fault));
                }
                if let Some(restart) = &item.stop
                    && (restart.fresh || mode(node) == Mode::Running as i64)
                {
                    found.push(CompiledEvent::Stop(node, runtime_fault));
                }
                if item.crash.is_some_and(|crash| crash.during_broadcast) {
                    for event in 0..events {
                        if let Some((sender, during)) = self.during(found[event])
                            && sender == node
                        {
                            found.push(CompiledEvent::CrashDuring(runtime_fault, during));
                        }
                    }
                }
            }
        }
    }

    fn can_fault(&self, slots: &Slots, runtime_fault: usize, node: NodeId) -> bool {
        let item = &self.machine.runtime_faults[runtime_fault];
        let faulted = |node: NodeId| slots[self.clocks.faulted(node, runtime_fault)];
        self.runs(slots, node)
            && item.is_about(self.machine.kind_of(node))
            && item.limit.is_none_or(|limit| {
                faulted(node) == 1
                    || self.machine.nodes().map(faulted).sum::<i64>() < i64::from(limit)
            })
    }

    /// The node whose code an event runs, if the code sends and the event delivers at most once.
    fn during(&self, event: CompiledEvent) -> Option<(NodeId, SendingEvent)> {
        let sends = |block: BlockId| self.sends[block.index()];
        match event {
            CompiledEvent::Run(node, block) if sends(block) => {
                Some((node, SendingEvent::Run(node, block)))
            }
            CompiledEvent::Expire(node, place, block) if sends(block) => {
                Some((node, SendingEvent::Expire(node, place, block)))
            }
            CompiledEvent::Deliver {
                edge,
                place,
                message,
                outcome: Outcome::HandOver(block),
            } if sends(block) => {
                let during = SendingEvent::HandOver {
                    edge,
                    place,
                    message,
                    block,
                };
                Some((self.machine.edges[edge.index()].1, during))
            }
            _ => None,
        }
    }

    /// Applies a runtime fault to a node.
    pub(crate) fn faulted(
        &self,
        layout: &Layout,
        next: &mut Slots,
        node: NodeId,
        runtime_fault: RuntimeFaultId,
        mode: Mode,
    ) {
        next[self.bases[node.index()] as usize] = mode as i64;
        layout.clear(next, node);
        layout.clear_outbox(next, node);
        self.clocks.runtime_fault(next, node, runtime_fault);
        if let Some(units) = &self.clocks.units {
            units.end(next, node);
            if mode == Mode::Stopped
                && let Some((_, most)) = units.restart_within(node)
            {
                next[units.restart(node)] = most;
            }
        }
    }

    /// Crashes a node while its code runs.
    pub(crate) fn crash_during(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        (runtime_fault, during): (RuntimeFaultId, SendingEvent),
        picks: &[i64],
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let mut picks = picks.iter();
        let sent = match effects.unfinished.take() {
            Some(known) if known.is_for(picks.as_slice()) => {
                picks = picks.as_slice()[known.picks.len()..].iter();
                effects.chosen.extend_from_slice(&known.chosen);
                let sent = known.sent.clone();
                effects.unfinished = Some(known);
                sent
            }
            _ => self.would_send(layout, frozen, next, during, &mut picks, effects)?,
        };
        if sent.len() > 16 {
            return Err(Stop::TooMany);
        }
        let node = match during {
            SendingEvent::Run(node, _) | SendingEvent::Expire(node, ..) => node,
            SendingEvent::HandOver { edge, place, .. } => {
                layout.take(next, edge, place);
                self.machine.edges[edge.index()].1
            }
        };
        let Some(chosen) = picks.next() else {
            return Err(Stop::Choose((0..1 << sent.len()).collect()));
        };
        let last = sent.len().max(1) as i64 - 1;
        effects.chosen.push(Type::Int(0, last).set());
        self.faulted(layout, next, node, runtime_fault, Mode::Crashed);
        let kept = sent
            .iter()
            .enumerate()
            .filter(|(place, _)| chosen >> place & 1 == 1);
        effects.sent = kept.map(|(_, sent)| *sent).collect();
        self.send_all(layout, frozen, next, node, &mut picks, effects)
    }

    /// Computes and records what the code of an event would send. The state is unchanged.
    fn would_send(
        &self,
        layout: &Layout,
        frozen: &[i64],
        now: &Slots,
        during: SendingEvent,
        picks: &mut std::slice::Iter<'_, i64>,
        effects: &mut Effects,
    ) -> Result<Vec<(EdgeId, i64)>, Stop> {
        let all = picks.as_slice();
        let mut aside = now.to_vec();
        let (node, block, locals) = match during {
            SendingEvent::Run(node, block) => {
                aside[self.bases[node.index()] as usize] = Mode::Running as i64;
                (node, block, [0, 0])
            }
            SendingEvent::Expire(node, place, block) => {
                self.clocks.unset_timer(&mut aside, node, place as usize);
                (node, block, [self.timer_for(node, place), 0])
            }
            SendingEvent::HandOver {
                edge,
                place,
                message,
                block,
            } => {
                layout.take(&mut aside, edge, place);
                let (from, to) = self.machine.edges[edge.index()];
                let first = self.messages[self.record_of(message).index()].0;
                (to, block, [message - first, i64::from(from.0)])
            }
        };
        self.run_code(
            layout, frozen, &mut aside, node, block, locals, picks, effects,
        )?;
        effects.ran.clear(); // it did not run to its end
        let sent = std::mem::take(&mut effects.sent);
        effects.unfinished = Some(Unfinished {
            picks: all[..all.len() - picks.len()].to_vec(),
            chosen: effects.chosen.clone(),
            sent: sent.clone(),
        });
        Ok(sent)
    }

    /// Restarts a node that has stopped.
    pub(crate) fn restart(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        node: NodeId,
        picks: &[i64],
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let base = self.bases[node.index()] as usize;
        next[base] = Mode::Running as i64;
        if let Some(units) = &self.clocks.units {
            units.begin(next, node, self.period(frozen, node));
            next[units.restart(node)] = 0;
        }
        let mut picks = picks.iter();
        let vars = self.machine.vars_of(self.machine.kind_of(node));
        for (place, (begins, var)) in self.restart_values[node.index()]
            .iter()
            .zip(vars)
            .enumerate()
        {
            let Some(begins) = begins else {
                continue;
            };
            let values = self.first_values(layout, frozen, next, node, begins)?;
            let slot = base + 1 + place;
            let value = match values[..] {
                [value] => value,
                _ => match picks.next() {
                    None => return Err(Stop::Choose(values)),
                    Some(pick) => {
                        effects.chosen.push(var.ty.clone());
                        *pick
                    }
                },
            };
            next[slot] = self.masked(slot, value);
        }
        let fresh = self
            .machine
            .restart_of(node)
            .is_some_and(|restart| restart.fresh);
        match self.machine.start_block(self.machine.kind_of(node)) {
            Some(start) if fresh && self.blocks_of(node).any(|block| block == start) => {
                let picks = picks.as_slice();
                self.run_block(layout, frozen, next, node, start, [0, 0], picks, effects)
            }
            _ => Ok(()),
        }
    }

    fn first_values(
        &self,
        layout: &Layout,
        frozen: &[i64],
        slots: &Slots,
        node: NodeId,
        begins: &RestartValue,
    ) -> Result<Vec<i64>, Stop> {
        let context = Context {
            compiled: self,
            layout,
            frozen,
            slots,
        };
        let mut locals = vec![0; self.most_locals];
        locals[0] = i64::from(node.0);
        match begins {
            RestartValue::NodeKey(code) => Ok(vec![context.eval(code, &mut locals)?]),
            RestartValue::Any(first, count) => Ok((*first..first + count).collect()),
            RestartValue::In(domain) => {
                let mut values = Vec::new();
                context.each(domain, &mut locals, &mut |_, _, value| {
                    values.push(value);
                    Ok(true)
                })?;
                Ok(values)
            }
        }
    }
}
