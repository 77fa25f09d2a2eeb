//! Cycles of the zone graph whose states have given labels.
//!
//! States are compared for equality. With subsumption, a path whose last state is only covered by its first one would be
//! taken for a cycle. Cycles in which time does not diverge are not excluded.

use crate::defects::{Defect, broken};
use crate::graph::evaluate::Stop;
use crate::graph::zone_graph::{Visited, ZoneGraph};
use crate::runs::path::Path;
use crate::search::reach::{MayContinue, Progress, Unknown};
use crate::search::states::{Inserted, States, Subsumption};
use crate::system::network::System;
use crate::system::query::Query;
use dbm::Zone;
use std::collections::{HashMap, HashSet, VecDeque};

/// What a search for a cycle has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Whether there is a reachable accepted cycle.
    pub exists: bool,
    /// The reachable states.
    pub stored: usize,
    /// The transitions between them.
    pub transitions: usize,
    /// The path to the cycle and around it.
    pub path: Option<Path>,
}

/// Computes all reachable states and their strongly connected components, and searches these for a cycle that has for
/// each query a state with its labels. One query with all labels has the acceptance condition of
/// `tck-liveness -a ndfs`; one query per label has that of `couvscc`. `may_continue` is called at least once per transition, with the
/// progress before the state whose successors are computed.
pub fn cycle(
    system: &System,
    queries: &[Query],
    may_continue: &mut MayContinue<'_>,
) -> Result<Cycle, Unknown> {
    let result = search(system, queries, may_continue);
    result.map_err(|stop| system.reason(stop))
}

fn search(
    system: &System,
    queries: &[Query],
    may_continue: &mut MayContinue<'_>,
) -> Result<Cycle, Stop> {
    let mut graph = ZoneGraph::new(system)?;
    let processes = system.processes.len();
    let width = processes + system.ints.len();
    let mut states = States::new(width, system.clocks, Subsumption::Equality);
    // By state: the first of its targets in `targets`.
    let mut first = Vec::new();
    let mut targets: Vec<u32> = Vec::new();
    let (mut discrete, mut zone) = (Vec::new(), Zone::zero(0));
    let mut progress = Progress::default();
    let mut insert =
        |visited: Visited<'_>| match states.insert(visited.discrete, visited.zone, visited.lu) {
            Inserted::Full => Err(Stop::Full),
            _ => Ok(()),
        };
    graph.initial(&mut insert, &mut || {
        cancellation::poll();
        may_continue(&progress)
    })?;
    let initial = states.len() as u32;
    // The number of states up to the current depth.
    let mut level = states.len();
    let mut next = 0;
    while states.len() > next as usize {
        cancellation::claim_next(&first);
        first.push(targets.len());
        states.copy(next, &mut discrete, &mut zone);
        let deeper = next as usize >= level;
        if deeper {
            level = states.len();
        }
        progress = Progress {
            depth: progress.depth + usize::from(deeper),
            stored: states.len(),
            visited: next as usize,
            transitions: targets.len(),
            waiting: states.len() - next as usize,
            bytes: states.bytes()
                + first.capacity() * size_of::<usize>()
                + targets.capacity() * size_of::<u32>(),
        };
        let mut insert = |visited: Visited<'_>| {
            match states.insert(visited.discrete, visited.zone, visited.lu) {
                Inserted::New(state) | Inserted::Covered(state) => {
                    cancellation::claim_next(&targets);
                    targets.push(state);
                }
                Inserted::Full => return Err(Stop::Full),
            }
            Ok(())
        };
        let mut poll = || {
            cancellation::poll();
            may_continue(&progress)
        };
        graph.successors(&discrete, zone.view(), &mut insert, &mut poll)?;
        next += 1;
    }
    first.push(targets.len());
    let successors = |state: u32| &targets[first[state as usize]..first[state as usize + 1]];
    let mut found: Option<Vec<u32>> = None;
    components(next, successors, |component| {
        let is_cycle = match component {
            [one] => successors(*one).contains(one) && !broken(Defect::SelfLoopsIgnored),
            _ => true,
        };
        let has = |state: &u32, query: &Query| {
            system.have_labels(&states.discrete(*state)[..processes], query)
        };
        let is_accepted = |query: &Query| component.iter().any(|state| has(state, query));
        if found.is_none() && is_cycle && queries.iter().all(is_accepted) {
            found = Some(component.to_vec());
        }
    });
    let (stored, transitions) = (states.len(), targets.len());
    let path = match &found {
        None => None,
        Some(component) => {
            let lasso = Lasso {
                system,
                queries,
                states: &states,
                successors: &successors,
                component: component.iter().copied().collect(),
            };
            Some(lasso.path(&mut graph, initial)?)
        }
    };
    Ok(Cycle {
        exists: path.is_some(),
        stored,
        transitions,
        path,
    })
}

/// The search for a path to a component and for a cycle in it.
struct Lasso<'a, 'g> {
    system: &'a System,
    queries: &'a [Query],
    states: &'a States,
    successors: &'a dyn Fn(u32) -> &'g [u32],
    component: HashSet<u32, foldhash::fast::FixedState>,
}

impl Lasso<'_, '_> {
    /// A shortest path to the component, and a short cycle in it that has for each query a state with its labels.
    fn path(&self, graph: &mut ZoneGraph<'_>, initial: u32) -> Result<Path, Stop> {
        let is_inside = |state: u32| self.component.contains(&state);
        let (start, stem) = match (0..initial).find(|state| is_inside(*state)) {
            Some(state) => (state, Vec::new()),
            None => self.shortest(0..initial, |_| true, is_inside),
        };
        let entry = stem.last().copied().unwrap_or(start);
        let mut cycle: Vec<u32> = Vec::new();
        let mut at = entry;
        for query in self.queries {
            let has = |state: u32| {
                let locations = &self.states.discrete(state)[..self.system.processes.len()];
                self.system.have_labels(locations, query)
            };
            if !has(entry) && !cycle.iter().any(|state| has(*state)) {
                cycle.extend(
                    self.shortest([at], is_inside, |state| is_inside(state) && has(state))
                        .1,
                );
                at = cycle.last().copied().unwrap_or(at);
            }
        }
        if at != entry || cycle.is_empty() {
            cycle.extend(self.shortest([at], is_inside, |state| state == entry).1);
        }
        let mut events = Vec::new();
        let mut before = start;
        let before_cycle = stem.len();
        for state in stem.into_iter().chain(cycle) {
            let edge = self.edge(graph, before, state)?;
            let locations = &self.states.discrete(before)[..self.system.processes.len()];
            events.push((locations.into(), edge));
            before = state;
        }
        let start = &self.states.discrete(start)[..self.system.processes.len()];
        Ok(Path::new(self.system, start, events, Some(before_cycle)))
    }

    /// A shortest non-empty path from one of the states to a target: its first state, and the states after it.
    fn shortest(
        &self,
        from: impl IntoIterator<Item = u32>,
        is_allowed: impl Fn(u32) -> bool,
        is_target: impl Fn(u32) -> bool,
    ) -> (u32, Vec<u32>) {
        // By state: the state before it on the path; a first state has itself.
        let mut before: HashMap<u32, u32, foldhash::fast::FixedState> = HashMap::default();
        let mut waiting: VecDeque<u32> = from.into_iter().collect();
        before.extend(waiting.iter().map(|state| (*state, *state)));
        while let Some(state) = waiting.pop_front() {
            cancellation::poll();
            for target in (self.successors)(state) {
                if is_target(*target) {
                    let mut path = vec![*target];
                    let mut at = state;
                    while before[&at] != at {
                        path.push(at);
                        at = before[&at];
                    }
                    path.reverse();
                    return (at, path);
                }
                if is_allowed(*target) && !before.contains_key(target) {
                    before.insert(*target, state);
                    waiting.push_back(*target);
                }
            }
        }
        (0, Vec::new())
    }

    /// The number of a global edge from one state to another.
    fn edge(&self, graph: &mut ZoneGraph<'_>, from: u32, to: u32) -> Result<u32, Stop> {
        let (mut discrete, mut zone) = (Vec::new(), Zone::zero(0));
        self.states.copy(from, &mut discrete, &mut zone);
        let mut found = None;
        let mut compare = |visited: Visited<'_>| {
            let is_equal = self.states.discrete(to) == visited.discrete
                && self.states.zone(to) == Some(visited.zone);
            found = found.or(is_equal.then_some(visited.edge));
            Ok(())
        };
        let mut poll = || {
            cancellation::poll();
            true
        };
        graph.successors(&discrete, zone.view(), &mut compare, &mut poll)?;
        Ok(found.unwrap_or(u32::MAX))
    }
}

/// The strongly connected components of a graph (Tarjan, *Depth-first search and linear graph algorithms*, 1972), without
/// recursion.
fn components<'g>(
    number: u32,
    successors: impl Fn(u32) -> &'g [u32],
    mut visit: impl FnMut(&[u32]),
) {
    const UNSEEN: u32 = u32::MAX;
    let mut index = vec![UNSEEN; number as usize];
    let mut low = vec![0; number as usize];
    let mut is_open = vec![false; number as usize];
    let mut open: Vec<u32> = Vec::new();
    let mut seen = 0;
    for root in 0..number {
        if index[root as usize] != UNSEEN {
            continue;
        }
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some((state, edge)) = path.last_mut() {
            cancellation::poll();
            let s = *state as usize;
            if *edge == 0 && index[s] == UNSEEN {
                (index[s], low[s], is_open[s]) = (seen, seen, true);
                seen += 1;
                open.push(*state);
            }
            if let Some(target) = successors(*state).get(*edge) {
                *edge += 1;
                let t = *target as usize;
                if index[t] == UNSEEN {
                    path.push((*target, 0));
                } else if is_open[t] {
                    low[s] = low[s].min(index[t]);
                }
                continue;
            }
            if low[s] == index[s] {
                let start = open.iter().rposition(|o| *o as usize == s).unwrap_or(0);
                for member in &open[start..] {
                    is_open[*member as usize] = false;
                }
                visit(&open[start..]);
                open.truncate(start);
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                let before = *before as usize;
                low[before] = low[before].min(low[s]);
            }
        }
    }
}
