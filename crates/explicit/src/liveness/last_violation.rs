//! The last violation: the greatest count of activations at which a condition can be false.
//!
//! *What.* In rounds, where c is the least (or the greatest) number of activations of any node: the largest c of any
//! run at a moment at which the condition is false, and a run to that moment; or that there is no largest one.
//!
//! *How.* States contain the leads between nodes and not the counts themselves, so there are finitely many. Each
//! transition has an increment of the least count. The longest path, by this measure, from a state to a violation
//! follows from those of its successors; strongly connected components are processed after those to which they lead. A
//! component in which the count grows and from which a violation is reachable can be repeated without limit: there is
//! no largest count. So the result is exact, once all states are known.
//!
//! *When.* Every node has rounds, none halts or fails, and no event is an error; otherwise there is no result.

use crate::graph::state_graph::{ERROR, Graph};
use crate::graph::witness;
use crate::program::condition::Condition;
use ltl::scc::{Table, components};
use machine::{BlockId, Expr, Frozen, Machine, Scope, Trigger};
use std::collections::VecDeque;
use verdict::{Ending, Run};

/// Which count of activations is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// That of the node with the fewest activations.
    Least,
    /// That of the node with the most activations.
    Greatest,
}

/// How long a condition can be false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// It is never false.
    Never,
    /// Up to this count, with a run to a state in which it is false.
    At(i64, Box<Run>),
    /// Without limit, with a run to a state in which it is false.
    ForEver(Box<Run>),
}

/// The question, and the result so far.
pub(crate) struct LastViolation {
    condition: Condition,
    count: Count,
    pub(crate) last: Last,
    /// Counts grow without limit in every instance so far.
    pub(crate) goes_on: bool,
}

/// No path to a violation.
const NONE: i64 = i64::MIN;

/// Not processed yet.
const NEW: u32 = u32::MAX;

impl LastViolation {
    pub(crate) fn new(
        machine: &Machine,
        scope: &Scope,
        condition: &Expr,
        count: Count,
    ) -> Result<LastViolation, String> {
        Ok(LastViolation {
            condition: Condition::new(machine, scope, condition)?,
            count,
            last: Last::Never,
            goes_on: true,
        })
    }
}

/// The states of one instance.
struct ViolationPaths {
    /// By state: whether the condition is false.
    bad: Vec<bool>,
    /// By state: the sum and the maximum of the leads over the slowest node.
    ahead: Vec<(u32, u32)>,
    /// By label: whether it is an activation.
    activates: Vec<bool>,
    nodes: u32,
    /// By state: its strongly connected component; and the increment of the count on the longest path from it.
    part: Vec<u32>,
    longest: Vec<i64>,
    /// A component in which the count grows is reachable; and a violation is reachable from one.
    goes_on: bool,
    endless: bool,
}

impl LastViolation {
    /// Measures the finished graph of an instance; `ask` says now and then whether to continue.
    pub(crate) fn note_last<E>(
        &mut self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        ask: &dyn Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let last_violation = self;
        let Some(mut violation_paths) = last_violation.violation_paths(graph, ask)? else {
            last_violation.goes_on = false;
            return Ok(());
        };
        violation_paths.measure(graph, last_violation.count, ask)?;
        last_violation.goes_on &= violation_paths.goes_on;
        if let Last::ForEver(_) = last_violation.last {
            return Ok(());
        }
        let initial = 0..graph.predecessors.initial();
        let Some(best) =
            initial.max_by_key(|s| (violation_paths.longest[*s as usize], u32::MAX - s))
        else {
            return Ok(());
        };
        let longest = violation_paths.longest[best as usize];
        let known = match &last_violation.last {
            Last::At(count, _) => *count,
            _ => NONE,
        };
        if violation_paths.endless {
            let bad = violation_paths
                .bad
                .iter()
                .position(|bad| *bad)
                .expect("one is") as u32;
            let run = witness::to_state(graph, frozen, bad, &[], Ending::Open);
            last_violation.last = Last::ForEver(Box::new(run));
        } else if longest > known {
            let longest_path = violation_paths.longest_path(graph, last_violation.count, best);
            let run = witness::along(graph, frozen, &longest_path, &[], Ending::Open);
            last_violation.last = Last::At(longest, Box::new(run));
        }
        Ok(())
    }

    /// Evaluates all states; none if the condition has no value in one.
    fn violation_paths<E>(
        &self,
        graph: &mut Graph<'_>,
        ask: &dyn Fn() -> Result<(), E>,
    ) -> Result<Option<ViolationPaths>, E> {
        let machine = graph.compiled.machine;
        let (mut bad, mut ahead) = (Vec::new(), Vec::new());
        for state in 0..graph.store.len() {
            if state.is_multiple_of(65_536) {
                ask()?;
            }
            graph.open(state);
            let context = graph.context();
            let Some(holds) = self.condition.holds(&context, &[]) else {
                return Ok(None);
            };
            bad.push(!holds);
            let leads = context.slots[context.layout.pace()].iter();
            let sum: i64 = leads.clone().sum();
            ahead.push((sum as u32, leads.max().copied().unwrap_or(0) as u32));
        }
        let mut units = Vec::new();
        for node in machine.nodes() {
            for (b, block) in machine.blocks.iter().enumerate() {
                if block.kind == machine.kind_of(node) && matches!(block.trigger, Trigger::Every(_))
                {
                    units.push(graph.labels.block_unit(node, BlockId(b as u32)));
                }
            }
        }
        let labels = graph.labels.table.iter();
        let activates = labels.map(|label| label.units.iter().any(|unit| units.contains(unit)));
        Ok(Some(ViolationPaths {
            activates: activates.collect(),
            nodes: machine.node_count(),
            part: vec![NEW; bad.len()],
            longest: vec![NONE; bad.len()],
            goes_on: false,
            endless: false,
            bad,
            ahead,
        }))
    }
}

impl ViolationPaths {
    /// The increment of the least count by a transition.
    fn grows(&self, graph: &Graph<'_>, from: u32, transition: usize) -> i64 {
        if !self.activates[graph.transitions.labels[transition] as usize] {
            return 0;
        }
        let to = graph.transitions.targets[transition];
        let (before, after) = (self.ahead[from as usize].0, self.ahead[to as usize].0);
        i64::from((before + 1 - after) / self.nodes)
    }

    /// Measures the strongly connected components of the graph, each one after those to which it leads.
    fn measure<E>(
        &mut self,
        graph: &Graph<'_>,
        count: Count,
        ask: &dyn Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let states = graph.store.len() as usize;
        let (mut visited, mut number) = (0u32, 0);
        components(
            Table::dense(states),
            0..states,
            |state, ahead| {
                let targets = graph.transitions_of(state as u32);
                let targets = targets.map(|t| graph.transitions.targets[t]);
                ahead.extend(targets.filter(|t| *t != ERROR).map(|t| t as usize));
                visited += 1;
                match visited % 65_536 == 1 {
                    true => ask(),
                    false => Ok(()),
                }
            },
            |component| {
                let members: Vec<u32> = component.nodes.iter().map(|s| *s as u32).collect();
                self.settle(graph, count, &members, number);
                number += 1;
                Ok(())
            },
        )
    }

    /// Measures the states of a component whose successors elsewhere are measured.
    fn settle(&mut self, graph: &Graph<'_>, count: Count, members: &[u32], part: u32) {
        members.iter().for_each(|m| self.part[*m as usize] = part);
        let (mut longest, mut grows) = (NONE, false);
        for m in members {
            if self.bad[*m as usize] {
                longest = longest.max(self.here(count, *m));
            }
            for t in graph.transitions_of(*m) {
                let target = graph.transitions.targets[t];
                if target == ERROR {
                    continue;
                }
                let more = self.grows(graph, *m, t);
                if self.part[target as usize] == part {
                    grows |= more > 0;
                } else if self.longest[target as usize] != NONE {
                    longest = longest.max(more + self.longest[target as usize]);
                }
            }
        }
        self.goes_on |= grows;
        self.endless |= grows && longest != NONE;
        members
            .iter()
            .for_each(|m| self.longest[*m as usize] = longest);
    }

    /// The contribution of a violation to the least count.
    fn here(&self, count: Count, state: u32) -> i64 {
        match count {
            Count::Least => 0,
            Count::Greatest => i64::from(self.ahead[state as usize].1),
        }
    }

    /// The longest path from a state.
    fn longest_path(&self, graph: &Graph<'_>, count: Count, from: u32) -> Vec<u32> {
        let mut longest_path = vec![from];
        loop {
            let at = *longest_path.last().expect("it has begun");
            // A path to where the longest path leaves the component, or ends.
            let mut before = std::collections::HashMap::from([(at, at)]);
            let mut queue = VecDeque::from([at]);
            let (end, next) = loop {
                let state = queue.pop_front().expect("the way goes on in the part");
                let wanted = self.longest[state as usize];
                if self.bad[state as usize] && self.here(count, state) == wanted {
                    break (state, None);
                }
                let leaves = graph.transitions_of(state).find(|t| {
                    let target = graph.transitions.targets[*t] as usize;
                    self.part[target] != self.part[state as usize]
                        && self.longest[target] != NONE
                        && self.grows(graph, state, *t) + self.longest[target] == wanted
                });
                if let Some(t) = leaves {
                    break (state, Some(graph.transitions.targets[t]));
                }
                for t in graph.transitions_of(state) {
                    let target = graph.transitions.targets[t];
                    if self.part[target as usize] == self.part[state as usize]
                        && !before.contains_key(&target)
                    {
                        before.insert(target, state);
                        queue.push_back(target);
                    }
                }
            };
            let mut inside = vec![end];
            while let Some(last) = inside.last().copied().filter(|last| *last != at) {
                inside.push(before[&last]);
            }
            inside.pop();
            longest_path.extend(inside.into_iter().rev());
            match next {
                Some(next) => longest_path.push(next),
                None => return longest_path,
            }
        }
    }
}
