//! Faults during a run: crashes (also during a broadcast), stops and restarts.

use crate::instance::data::Instance;
use crate::instance::fault::RuntimeFault;
use crate::instance::scope::Scope;
use crate::instance::state::{Mode, Outcome, Pause, State};
use crate::instance::value::{Res, Value, refuse};
use std::collections::BTreeSet;
use syntax::ast::Block;

impl Instance<'_> {
    /// The intervals within which stopped nodes restart, in the numbers of the file.
    pub fn restart_windows(&self) -> impl Iterator<Item = (i128, i128)> {
        let runtime_faults = self
            .fault_items
            .iter()
            .flat_map(|item| &item.runtime_faults);
        runtime_faults.filter_map(|runtime_fault| match runtime_fault {
            RuntimeFault::Stop { within, .. } => *within,
            RuntimeFault::Crash { .. } => None,
        })
    }

    /// The outcomes of all faults of nodes that are enabled in a state, except crashes during a broadcast.
    pub fn runtime_faults(&self, state: &State) -> Res<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        for node in 0..self.size() {
            let mode = state.nodes[node].mode;
            if !matches!(mode, Mode::Waiting | Mode::Running) {
                continue;
            }
            for (place, item) in self.fault_items.iter().enumerate() {
                if !self.may_fault(place, node, state) {
                    continue;
                }
                for runtime_fault in &item.runtime_faults {
                    let mode = match runtime_fault {
                        RuntimeFault::Crash { .. } => Mode::Crashed,
                        RuntimeFault::Stop { fresh, within } => Mode::Stopped(Pause {
                            fresh: *fresh,
                            waiting: mode == Mode::Waiting,
                            window: match within {
                                Some(within) => Some(self.window(*within)?),
                                None => None,
                            },
                        }),
                    };
                    let mut after = state.clone();
                    self.runtime_fault(place, node, mode, &mut after);
                    outcomes.push(Ok(after));
                }
            }
        }
        Ok(outcomes)
    }

    /// The crashes of a node during a block that sends: only some of its messages are sent.
    ///
    /// `from` is the state in which the block would run. `before` is the state to which the crash applies: it contains
    /// no effects of the block, except that the message that triggers the block is removed.
    pub fn crashes_in(
        &self,
        node: usize,
        block: &Block,
        from: &State,
        scope: &Scope,
        before: &State,
    ) -> Res<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        for (place, item) in self.fault_items.iter().enumerate() {
            let crash = RuntimeFault::Crash {
                during_broadcast: true,
            };
            if !item.runtime_faults.contains(&crash) || !self.may_fault(place, node, before) {
                continue;
            }
            let mut crashed = before.clone();
            self.runtime_fault(place, node, Mode::Crashed, &mut crashed);
            for some in parts(self.sends(node, block, from, scope)?)? {
                for mut outcome in self.send_all(node, &crashed, &some)? {
                    if let Ok(after) = &mut outcome {
                        after.nodes[node].outbox.clear();
                    }
                    outcomes.push(outcome);
                }
            }
        }
        Ok(outcomes)
    }

    /// The outcomes of the restart of a stopped node; empty if it is not enabled.
    pub fn restarts(&self, node: usize, state: &State) -> Res<Vec<Outcome>> {
        let Mode::Stopped(pause) = state.nodes[node].mode else {
            return Ok(Vec::new());
        };
        if pause.window.is_some_and(|window| !window.is_open()) {
            return Ok(Vec::new());
        }
        let mut back = state.clone();
        back.nodes[node].activation = self.first_window(node)?;
        if !pause.fresh {
            back.nodes[node].mode = match pause.waiting {
                true => Mode::Waiting,
                false => Mode::Running,
            };
            return Ok(vec![Ok(back)]);
        }
        back.nodes[node].mode = Mode::Running;
        let mut outcomes = Vec::new();
        for fresh in self.first_vars(node, vec![back])? {
            match self.kind(node).start() {
                None => outcomes.push(Ok(fresh)),
                Some(start) => {
                    let scope = Scope::of(node);
                    outcomes.extend(self.run(node, start, &fresh, &scope)?);
                    outcomes.extend(self.crashes_in(node, start, &fresh, &scope, state)?);
                }
            }
        }
        Ok(outcomes)
    }

    /// Whether a fault item may affect a node. Its limit counts affected nodes, so a node may be affected repeatedly.
    fn may_fault(&self, place: usize, node: usize, state: &State) -> bool {
        let item = &self.fault_items[place];
        if item.kind.is_some_and(|kind| kind != self.kind_of[node]) {
            return false;
        }
        let faulted = |n: usize| state.nodes[n].faulted.contains(&place);
        let others = (0..self.size()).filter(|n| *n != node && faulted(*n));
        item.at_most
            .is_none_or(|most| (others.count() as i128) < most)
    }

    fn runtime_fault(&self, place: usize, node: usize, mode: Mode, state: &mut State) {
        let here = &mut state.nodes[node];
        here.deactivate(mode);
        here.outbox.clear();
        // Limits and claims depend on which nodes were affected.
        if self.ghosts || self.fault_items[place].at_most.is_some() {
            here.faulted.insert(place);
        }
    }
}

/// All sublists of the lists of messages, without duplicates. Empty lists of messages are ignored.
fn parts(all: Vec<Vec<(usize, Value)>>) -> Res<BTreeSet<Vec<(usize, Value)>>> {
    let mut found = BTreeSet::new();
    for sent in all.into_iter().filter(|sent| !sent.is_empty()) {
        if sent.len() > 12 {
            return refuse("a crash in a block that sends so many messages");
        }
        for mask in 0..1_u32 << sent.len() {
            let chosen = |(place, _): &(usize, &(usize, Value))| mask & (1 << place) != 0;
            let some = sent.iter().enumerate().filter(chosen);
            found.insert(some.map(|(_, pair)| pair.clone()).collect());
        }
    }
    Ok(found)
}
