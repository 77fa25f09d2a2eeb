//! How long a condition can be false: the greatest count of activations at which it is, by one look at all states.
//!
//! *What.* In rounds, where c is the least number of activations that a node has made, or the greatest: the largest c
//! of any run at a moment at which the condition is false, and a run to there; or that there is no largest.
//!
//! *How.* States know who is ahead by how much, and not the counts themselves, so there are finitely many. A
//! transition says how much the least count grows by it. From each state the longest way to a state in which
//! the condition is false, by that measure, follows from those of its successors; the strongly connected parts come in
//! such an order that these are known. A part in which the least count grows, and from which a false state is reached,
//! can be gone around as often as one likes: there is no largest. So it is exact, once all states are known.
//!
//! *When.* Every node has rounds, none halts or fails, and nothing is an error; otherwise nothing is said.

use crate::abstraction::lazy_initial_values::Deferred;
use crate::graph::state_graph::{ERROR, Graph};
use crate::graph::witness;
use crate::program::condition::Condition;
use crate::search::breadth_first::{Less, NotFound, Search, Stop, search_for};
use crate::search::counter_bounds::with_room;
use machine::{BlockId, Expr, Frozen, Machine, PropertyKind, Scope, StmtKind, Timing, Trigger};
use std::cell::RefCell;
use std::collections::VecDeque;
use verdict::{Budget, Ending, Question, Refusal, Report, Run};

/// Which count of activations is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// That of the node with the fewest.
    Least,
    /// That of the node with the most.
    Greatest,
}

/// How long a condition can be false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// It never is.
    Never,
    /// Up to this count, and a run to there.
    At(i64, Box<Run>),
    /// For ever, and a run to a state in which it is.
    ForEver(Box<Run>),
}

/// What is looked for, and what is known of it.
pub(crate) struct Sought {
    condition: Condition,
    count: Count,
    pub(crate) last: Last,
    /// Counts grow without end in every instance that was looked at.
    pub(crate) goes_on: bool,
}

/// No way to a state in which the condition is false.
const NONE: i64 = i64::MIN;

/// Not visited yet.
const NEW: u32 = u32::MAX;

impl Sought {
    pub(crate) fn new(
        machine: &Machine,
        scope: &Scope,
        condition: &Expr,
        count: Count,
    ) -> Result<Sought, String> {
        Ok(Sought {
            condition: Condition::new(machine, scope, condition)?,
            count,
            last: Last::Never,
            goes_on: true,
        })
    }
}

/// Whether such a question fits the Machine.
fn can_tell(machine: &Machine) -> bool {
    let rounds = |kind| matches!(machine.timing(kind), Some(Timing::Round(_)));
    let mut halts = false;
    for statement in machine.blocks.iter().flat_map(|block| &block.body) {
        statement.walk(&mut |s| halts |= s.kind == StmtKind::Halt);
    }
    !halts
        && machine.nodes().all(|node| rounds(machine.kind_of(node)))
        && machine.runtime_faults.is_empty()
        && machine.node_faults.is_empty()
}

/// How long, by a count of activations in rounds, the condition of the Machine's one property, an invariant, can be false; and
/// what was visited. Nothing is said if that cannot be told, or a limit is reached.
pub fn last(
    question: &Question<'_>,
    count: Count,
    budget: &dyn Budget,
) -> Result<Option<(Last, Report)>, Refusal> {
    let whole = question.machine;
    let condition = whole.properties.first().and_then(|p| match &p.kind {
        PropertyKind::Claim(claim) => Some((&p.scope, claim.invariant()?)),
        PropertyKind::Possible(_) => None,
    });
    let Some((scope, condition)) = condition.filter(|_| can_tell(whole)) else {
        return Ok(None);
    };
    // That the condition is false once decides nothing, so the search does not know of it.
    let bare = Machine {
        properties: Vec::new(),
        ..whole.clone()
    };
    let asked = Question {
        machine: &bare,
        ..*question
    };
    let less = Less {
        like: Some(whole),
        ..Less::default()
    };
    let last = RefCell::new(None);
    let report = with_room(&asked, &|question, widest| {
        let sought = Sought::new(question.machine, scope, &condition, count);
        let mut sought = sought.map_err(|why| NotFound::Refused(Refusal::Unsupported(why)))?;
        let deferred = Deferred::nothing(question.machine);
        let looked = Some(&mut sought);
        let report = search_for(question, deferred, None, less, looked, budget, widest)?;
        let told = report.findings.complete && sought.goes_on;
        *last.borrow_mut() = told.then_some(sought.last);
        Ok(report)
    })?;
    Ok(last.into_inner().map(|last| (last, report)))
}

/// The states of one instance, by what matters here.
struct Ways {
    /// By state: whether the condition is false.
    bad: Vec<bool>,
    /// By state: by how much all nodes together are ahead of the slowest, and the fastest is.
    ahead: Vec<(u32, u32)>,
    /// By label: whether it is an activation.
    activates: Vec<bool>,
    nodes: u32,
    /// By state: its strongly connected part; and by how much the count grows on the longest way from it.
    part: Vec<u32>,
    longest: Vec<i64>,
    /// A part in which the count grows can be reached; and from one a state in which the condition is false.
    goes_on: bool,
    endless: bool,
}

impl Search<'_> {
    /// Looks at the finished graph of an instance.
    pub(crate) fn note_last(
        &mut self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        sought: &mut Sought,
    ) -> Result<(), Stop> {
        if self.findings.error.is_some() {
            sought.goes_on = false; // runs end there
            return Ok(());
        }
        let Some(mut ways) = self.ways(graph, sought)? else {
            sought.goes_on = false;
            return Ok(());
        };
        self.measure(graph, sought.count, &mut ways)?;
        sought.goes_on &= ways.goes_on;
        if let Last::ForEver(_) = sought.last {
            return Ok(());
        }
        let initial = 0..graph.lineage.initial();
        let Some(best) = initial.max_by_key(|s| (ways.longest[*s as usize], u32::MAX - s)) else {
            return Ok(());
        };
        let longest = ways.longest[best as usize];
        let known = match &sought.last {
            Last::At(count, _) => *count,
            _ => NONE,
        };
        if ways.endless {
            let bad = ways.bad.iter().position(|bad| *bad).expect("one is") as u32;
            let run = witness::to_state(graph, frozen, bad, &[], Ending::Open);
            sought.last = Last::ForEver(Box::new(run));
        } else if longest > known {
            let way = ways.way(graph, sought.count, best);
            let run = witness::along(graph, frozen, &way, &[], Ending::Open);
            sought.last = Last::At(longest, Box::new(run));
        }
        Ok(())
    }

    /// What each state says; nothing if the condition has no value in one.
    fn ways(&self, graph: &mut Graph<'_>, sought: &Sought) -> Result<Option<Ways>, Stop> {
        let machine = self.question.machine;
        let (mut bad, mut ahead) = (Vec::new(), Vec::new());
        for state in 0..graph.store.len() {
            if state.is_multiple_of(65_536) {
                self.ask_before()?;
            }
            graph.open(state);
            let context = graph.context();
            let Some(holds) = sought.condition.holds(&context, &[]) else {
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
        Ok(Some(Ways {
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

    /// Finds the strongly connected parts (Tarjan's algorithm, without recursion), the last ones first, and measures each.
    fn measure(&self, graph: &Graph<'_>, count: Count, ways: &mut Ways) -> Result<(), Stop> {
        let states = graph.store.len();
        let mut index = vec![NEW; states as usize];
        let mut low = vec![NEW; states as usize];
        let (mut next, mut parts) = (0, 0);
        let mut stack: Vec<u32> = Vec::new();
        let mut calls: Vec<(u32, usize)> = Vec::new();
        for root in 0..states {
            if root.is_multiple_of(65_536) {
                self.ask_before()?;
            }
            if index[root as usize] == NEW {
                calls.push((root, graph.transitions_of(root).start));
            }
            while let Some((state, at)) = calls.last_mut() {
                let (s, range) = (*state as usize, graph.transitions_of(*state));
                if index[s] == NEW {
                    (index[s], low[s]) = (next, next);
                    next += 1;
                    stack.push(*state);
                }
                if *at < range.end {
                    let target = graph.transitions.targets[*at] as usize;
                    if index[target] == NEW {
                        calls.push((target as u32, graph.transitions_of(target as u32).start));
                        continue; // and the same transition again
                    }
                    *at += 1;
                    if ways.part[target] == NEW {
                        low[s] = low[s].min(low[target]);
                    }
                    continue;
                }
                if low[s] == index[s] {
                    let begin = stack
                        .iter()
                        .rposition(|m| *m as usize == s)
                        .expect("it is there");
                    let members = stack.split_off(begin);
                    ways.settle(graph, count, &members, parts);
                    parts += 1;
                }
                calls.pop();
            }
        }
        Ok(())
    }
}

impl Ways {
    /// By how much the least count grows by a transition.
    fn grows(&self, graph: &Graph<'_>, from: u32, transition: usize) -> i64 {
        if !self.activates[graph.transitions.labels[transition] as usize] {
            return 0;
        }
        let to = graph.transitions.targets[transition];
        let (before, after) = (self.ahead[from as usize].0, self.ahead[to as usize].0);
        i64::from((before + 1 - after) / self.nodes)
    }

    /// Measures the states of a part, all of whose successors elsewhere are known.
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

    /// What a state in which the condition is false adds to the least count.
    fn here(&self, count: Count, state: u32) -> i64 {
        match count {
            Count::Least => 0,
            Count::Greatest => i64::from(self.ahead[state as usize].1),
        }
    }

    /// The longest way from a state.
    fn way(&self, graph: &Graph<'_>, count: Count, from: u32) -> Vec<u32> {
        let mut way = vec![from];
        loop {
            let at = *way.last().expect("it has begun");
            // To where the way leaves the part, or ends.
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
            way.extend(inside.into_iter().rev());
            match next {
                Some(next) => way.push(next),
                None => return way,
            }
        }
    }
}
