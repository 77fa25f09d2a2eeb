//! Cycles of the zone graph whose states have given labels.
//!
//! States are compared for equality: with subsumption, a path back to a state that only covers another one would be taken
//! for a cycle. Cycles in which time does not diverge are not excluded.

use crate::defects::{Defect, broken};
use crate::graph::evaluate::Stop;
use crate::graph::zone_graph::ZoneGraph;
use crate::search::reach::{Query, Unknown};
use crate::search::states::{Inserted, States, Subsumption};
use crate::system::network::System;
use dbm::{LuBounds, Zone, ZoneRef};

/// Which cycles are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// One state of the cycle has all of the labels (`ndfs`).
    OneState,
    /// Each label is one of a state of the cycle (`couvscc`).
    EachLabel,
}

/// What a search for a cycle has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Whether there is a reachable accepted cycle.
    pub exists: bool,
    /// The reachable states.
    pub stored: usize,
    /// The transitions between them.
    pub transitions: usize,
}

/// Computes all reachable states and their strongly connected components, and searches these for an accepted cycle.
/// `may_continue` is called at least once per transition, and gets the number of stored states.
pub fn cycle(
    system: &System,
    query: &Query,
    acceptance: Acceptance,
    may_continue: &mut dyn FnMut(usize) -> bool,
) -> Result<Cycle, Unknown> {
    let result = search(system, query, acceptance, may_continue);
    result.map_err(|stop| system.reason(stop))
}

fn search(
    system: &System,
    query: &Query,
    acceptance: Acceptance,
    may_continue: &mut dyn FnMut(usize) -> bool,
) -> Result<Cycle, Stop> {
    let mut graph = ZoneGraph::new(system)?;
    let width = system.processes.len() + system.ints.len();
    let mut states = States::new(width, system.clocks, Subsumption::Equality);
    // By state: the first of its targets in `targets`.
    let mut first = Vec::new();
    let mut targets: Vec<u32> = Vec::new();
    let (mut discrete, mut zone) = (Vec::new(), Zone::zero(0));
    let mut insert = |discrete: &[i32], zone: ZoneRef<'_>, lu: &LuBounds| match states
        .insert(discrete, zone, lu)
    {
        Inserted::Full => Err(Stop::Full),
        _ => Ok(()),
    };
    graph.initial(&mut insert, &mut || may_continue(0))?;
    let mut next = 0;
    while states.len() > next as usize {
        first.push(targets.len());
        states.copy(next, &mut discrete, &mut zone);
        let mut insert = |discrete: &[i32], zone: ZoneRef<'_>, lu: &LuBounds| {
            match states.insert(discrete, zone, lu) {
                Inserted::New(state) | Inserted::Covered(state) => targets.push(state),
                Inserted::Full => return Err(Stop::Full),
            }
            Ok(())
        };
        let stored = next as usize;
        let mut poll = || may_continue(stored);
        graph.successors(&discrete, zone.view(), &mut insert, &mut poll)?;
        next += 1;
    }
    first.push(targets.len());
    let successors = |state: u32| &targets[first[state as usize]..first[state as usize + 1]];
    let mut exists = false;
    components(next, successors, |component| {
        let is_cycle = match component {
            [one] => successors(*one).contains(one) && !broken(Defect::SelfLoopsIgnored),
            _ => true,
        };
        let has = |state: &u32, labels: &[usize]| graph.has_labels(states.discrete(*state), labels);
        exists |= is_cycle
            && match acceptance {
                Acceptance::OneState => component.iter().any(|s| has(s, &query.labels)),
                Acceptance::EachLabel => query
                    .labels
                    .iter()
                    .all(|label| component.iter().any(|s| has(s, &[*label]))),
            };
    });
    Ok(Cycle {
        exists,
        stored: states.len(),
        transitions: targets.len(),
    })
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
