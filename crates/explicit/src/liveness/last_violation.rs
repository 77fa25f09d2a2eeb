//! The last violation: the greatest number of activations after which a condition can be false.
//!
//! *Question.* For timing in rounds. Let c be the number of activations of the node with the fewest (or of that with
//! the most) activations. What is the greatest c in any state of any run in which the condition is false? The answer is
//! this c with a run, or that c is unbounded.
//!
//! *Method.* A state contains the leads of nodes over the slowest node and not the activation counts, so there are
//! finitely many states. Each transition has an increment of the least count. The longest path, by the sum of
//! increments, from a state to a violation is computed from those of its successors: strongly connected components are
//! processed after those to which they lead. If the count grows within a component and a violation is reachable from
//! it, then c is unbounded. The result is exact for a complete graph.
//!
//! *Conditions.* Every node has rounds, none halts or fails, and no event is an error; otherwise there is no result.

use crate::graph::state_graph::{ERROR, Graph};
use crate::graph::witness;
use crate::program::condition::Condition;
use ltl::scc::{Table, components};
use machine::{BlockId, Expr, Frozen, Machine, Scope, Trigger};
use std::collections::VecDeque;
use verdict::{Ending, Run};

/// Which number of activations is the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// That of the node with the fewest activations.
    Least,
    /// That of the node with the most activations.
    Greatest,
}

/// The greatest count at which a condition can be false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// The condition is never false.
    Never,
    /// The greatest count at which the condition is false, with a run to such a state.
    At(i64, Box<Run>),
    /// The count is unbounded; with a run to a state in which the condition is false.
    ForEver(Box<Run>),
}

/// The question, and the result so far.
pub(crate) struct LastViolation {
    condition: Condition,
    count: Count,
    pub(crate) last: Last,
    /// Whether every instance so far has a result, and a cycle along which the least count grows.
    pub(crate) goes_on: bool,
}

/// The value, instead of a path length, of a state from which no violation is reachable.
const NONE: i64 = i64::MIN;

/// The value, instead of a component number, of a state that is not processed yet.
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

/// The longest paths to violations in the graph of one instance.
struct ViolationPaths {
    /// By state: whether the condition is false.
    bad: Vec<bool>,
    /// By state: the sum and the maximum of the leads of nodes over the slowest node.
    ahead: Vec<(u32, u32)>,
    /// By label: whether it is an activation of a node.
    activates: Vec<bool>,
    nodes: u32,
    /// By state: the number of its strongly connected component.
    part: Vec<u32>,
    /// By state: the increment of the count on the longest path from it to a violation, or [`NONE`].
    longest: Vec<i64>,
    /// Whether the count grows in some component.
    goes_on: bool,
    /// Whether a violation is reachable from a component in which the count grows.
    endless: bool,
}

impl LastViolation {
    /// Takes the complete graph of an instance into account. `ask` is called from time to time and returns an error to
    /// stop.
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

    /// Evaluates the condition in all states; `None` if it has no value in one of them.
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
    /// The increment of the least count by a transition: (leads before + 1 - leads after) / nodes for an activation,
    /// otherwise 0.
    fn grows(&self, graph: &Graph<'_>, from: u32, transition: usize) -> i64 {
        if !self.activates[graph.transitions.labels[transition] as usize] {
            return 0;
        }
        let to = graph.transitions.targets[transition];
        let (before, after) = (self.ahead[from as usize].0, self.ahead[to as usize].0);
        i64::from((before + 1 - after) / self.nodes)
    }

    /// Computes the longest paths, one strongly connected component after those to which it leads.
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

    /// Computes the longest paths from the states of a component. Its successors in other components have been
    /// processed.
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

    /// What a violation in this state adds to the least count: 0, or the lead of the fastest node.
    fn here(&self, count: Count, state: u32) -> i64 {
        match count {
            Count::Least => 0,
            Count::Greatest => i64::from(self.ahead[state as usize].1),
        }
    }

    /// The states of a longest path from a state to a violation.
    fn longest_path(&self, graph: &Graph<'_>, count: Count, from: u32) -> Vec<u32> {
        let mut longest_path = vec![from];
        loop {
            let at = *longest_path.last().expect("it has begun");
            // Within the component, finds a shortest path to a state at which the longest path leaves the component or
            // ends.
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
