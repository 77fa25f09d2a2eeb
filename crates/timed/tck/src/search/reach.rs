//! Breadth-first search of the zone graph for a state with given labels.

use crate::format::error::Error;
use crate::graph::evaluate::Stop;
use crate::graph::zone_graph::{Visited, ZoneGraph};
use crate::runs::path::Path;
use crate::search::states::{Inserted, States, Subsumption};
use crate::system::network::System;
use crate::system::query::Query;
use dbm::Zone;
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The stored states that are not covered by others.
    pub stored: usize,
    /// The states whose successors were computed.
    pub visited: usize,
    /// The transitions to successors.
    pub transitions: usize,
    /// The states whose successors were not computed yet; some of them may be covered.
    pub waiting: usize,
    /// The number of edges on the shortest paths to the states that are visited now.
    pub depth: usize,
    /// The memory of the stored states, in bytes.
    pub bytes: usize,
}

/// Receives the progress of a search, and decides whether the search continues.
pub type MayContinue<'a> = dyn FnMut(&Progress) -> bool + 'a;

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Whether a state with the labels is reachable.
    pub is_reachable: bool,
    /// The stored states that are not covered by others.
    pub stored: usize,
    /// The states whose successors were computed, and the state with the labels.
    pub visited: usize,
    /// The transitions to successors.
    pub transitions: usize,
    /// The path to the state with the labels.
    pub path: Option<Path>,
}

/// The reason why a search has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// An error of the model that occurs in a reachable state: a value or an index out of range, a division by zero, a
    /// negative value of a clock. The path, if it is known, leads to the state in which an edge has the error.
    Fault(Error, Option<Box<Path>>),
    /// A bound of clocks is out of range.
    Overflow,
    /// The budget is used up.
    Cancelled,
    /// There are more states than state numbers.
    TooManyStates,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Fault(error, _) => error.fmt(f),
            Unknown::Overflow => dbm::Overflow.fmt(f),
            Unknown::Cancelled => f.write_str("the search was cancelled"),
            Unknown::TooManyStates => f.write_str("there are more than 2^32 - 1 states"),
        }
    }
}

impl std::error::Error for Unknown {}

impl System {
    /// The reason of an interrupted search.
    pub(crate) fn reason(&self, stop: Stop) -> Unknown {
        match stop {
            Stop::Fault(mistake) => Unknown::Fault(self.locate(mistake), None),
            Stop::Overflow => Unknown::Overflow,
            Stop::Cancelled => Unknown::Cancelled,
            Stop::Full => Unknown::TooManyStates,
        }
    }
}

/// Searches for a state with the labels of the query. `may_continue` is called at least once per transition, with the
/// progress before the state whose successors are computed.
pub fn reach(
    system: &System,
    query: &Query,
    subsumption: Subsumption,
    may_continue: &mut MayContinue<'_>,
) -> Result<Reached, Unknown> {
    let mut fault = None;
    let result = search(system, query, subsumption, may_continue, &mut fault);
    result.map_err(|stop| match system.reason(stop) {
        Unknown::Fault(error, _) => Unknown::Fault(error, fault.map(Box::new)),
        other => other,
    })
}

/// The search. If an edge of a state has an error, `fault` becomes the path to this state.
fn search(
    system: &System,
    query: &Query,
    subsumption: Subsumption,
    may_continue: &mut MayContinue<'_>,
    fault: &mut Option<Path>,
) -> Result<Reached, Stop> {
    let mut graph = ZoneGraph::new(system)?;
    let width = system.processes.len() + system.ints.len();
    let processes = system.processes.len();
    let mut store = Store {
        states: States::new(width, system.clocks, subsumption),
        waiting: VecDeque::new(),
        origins: Vec::new(),
    };
    let (mut discrete, mut zone) = (Vec::new(), Zone::zero(0));
    let mut progress = Progress::default();
    let mut insert = |visited: Visited<'_>| store.insert(u32::MAX, visited);
    graph.initial(&mut insert, &mut || {
        cancellation::poll();
        may_continue(&progress)
    })?;
    let mut path = None;
    // The number of states up to the current depth.
    let mut level = store.states.len();
    while let Some(state) = store.waiting.pop_front() {
        if !store.states.copy(state, &mut discrete, &mut zone) {
            continue;
        }
        progress.visited += 1;
        if state as usize >= level {
            level = store.states.len();
            progress.depth += 1;
        }
        if !query.labels.is_empty() && system.have_labels(&discrete[..processes], query) {
            path = Some(store.path(system, state));
            break;
        }
        progress.stored = store.states.stored();
        progress.waiting = store.waiting.len();
        progress.bytes = store.bytes();
        let transitions = Cell::new(0);
        let mut insert = |visited: Visited<'_>| {
            transitions.set(transitions.get() + 1);
            store.insert(state, visited)
        };
        let mut poll = || {
            cancellation::poll();
            may_continue(&progress)
        };
        let done = graph.successors(&discrete, zone.view(), &mut insert, &mut poll);
        if let Err(Stop::Fault(_)) = done {
            *fault = Some(store.path(system, state));
        }
        done?;
        progress.transitions += transitions.get();
    }
    Ok(Reached {
        is_reachable: path.is_some(),
        stored: store.states.stored(),
        visited: progress.visited,
        transitions: progress.transitions,
        path,
    })
}

/// The stored states, and for each the transition by which it was found first.
struct Store {
    states: States,
    waiting: VecDeque<u32>,
    /// By state: its predecessor, or the largest number for an initial state, and the number of the global edge that
    /// leads to it.
    origins: Vec<(u32, u32)>,
}

impl Store {
    /// Stores a state unless it is covered, and appends a new one to the waiting list.
    fn insert(&mut self, before: u32, visited: Visited<'_>) -> Result<(), Stop> {
        let Visited {
            edge,
            discrete,
            zone,
            lu,
        } = visited;
        match self.states.insert(discrete, zone, lu) {
            Inserted::New(state) => {
                cancellation::claim_next(&self.origins);
                self.origins.push((before, edge));
                self.waiting.push_back(state);
            }
            Inserted::Covered(_) => {}
            Inserted::Full => return Err(Stop::Full),
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.states.bytes()
            + self.waiting.capacity() * size_of::<u32>()
            + self.origins.capacity() * size_of::<(u32, u32)>()
    }

    /// The path by which a state was found. States on the path may be covered by later ones; the path remains valid.
    fn path(&self, system: &System, mut state: u32) -> Path {
        let mut edges = Vec::new();
        loop {
            cancellation::poll();
            let (before, edge) = self.origins[state as usize];
            if before == u32::MAX {
                break;
            }
            let locations = &self.states.discrete(before)[..system.processes.len()];
            edges.push((locations.into(), edge));
            state = before;
        }
        edges.reverse();
        let start = &self.states.discrete(state)[..system.processes.len()];
        Path::new(system, start, edges, None)
    }
}
