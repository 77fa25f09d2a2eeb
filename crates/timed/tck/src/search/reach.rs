//! Breadth-first search of the zone graph for a state with given labels.

use crate::format::error::Error;
use crate::graph::evaluate::Stop;
use crate::graph::zone_graph::ZoneGraph;
use crate::search::states::{Inserted, States, Subsumption};
use crate::system::network::System;
use dbm::{LuBounds, Zone, ZoneRef};
use std::collections::VecDeque;
use std::fmt;

/// Labels that one state must have, or a cycle.
#[derive(Clone, Debug)]
pub struct Query {
    pub(crate) labels: Vec<usize>,
}

impl System {
    /// The query for a state whose locations together have all of these labels; for no state, if there are none. The error
    /// is a label that no location has.
    pub fn query<'l>(&self, labels: &[&'l str]) -> Result<Query, &'l str> {
        let number = |label: &&'l str| {
            let found = self.labels.iter().position(|known| known == label);
            found.ok_or(*label)
        };
        let labels: Result<Vec<usize>, &str> = labels.iter().map(number).collect();
        Ok(Query { labels: labels? })
    }
}

/// What a search has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Whether a state with the labels is reachable.
    pub is_reachable: bool,
    /// The stored states that are not covered by others.
    pub stored: usize,
    /// The states whose successors were computed, and the state with the labels.
    pub visited: usize,
    /// The transitions to successors.
    pub transitions: usize,
}

/// The reason why a search has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// An error of the model that occurs in a reachable state: a value or an index out of range, a division by zero, a
    /// negative value of a clock.
    Fault(Error),
    /// A bound of clocks is out of range.
    Overflow,
    /// The budget is used up.
    Cancelled,
    /// There are more states than numbers.
    TooManyStates,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Fault(error) => error.fmt(f),
            Unknown::Overflow => dbm::Overflow.fmt(f),
            Unknown::Cancelled => f.write_str("the search was cancelled"),
            Unknown::TooManyStates => f.write_str("there are more than 2^32 states"),
        }
    }
}

impl std::error::Error for Unknown {}

impl System {
    /// The reason of an interrupted search.
    pub(crate) fn reason(&self, stop: Stop) -> Unknown {
        match stop {
            Stop::Fault(mistake) => Unknown::Fault(self.locate(mistake)),
            Stop::Overflow => Unknown::Overflow,
            Stop::Cancelled => Unknown::Cancelled,
            Stop::Full => Unknown::TooManyStates,
        }
    }
}

/// Searches for a state with the labels of the query. `may_continue` is called at least once per transition, and gets the
/// number of stored states.
pub fn reach(
    system: &System,
    query: &Query,
    subsumption: Subsumption,
    may_continue: &mut dyn FnMut(usize) -> bool,
) -> Result<Reached, Unknown> {
    let result = search(system, query, subsumption, may_continue);
    result.map_err(|stop| system.reason(stop))
}

fn search(
    system: &System,
    query: &Query,
    subsumption: Subsumption,
    may_continue: &mut dyn FnMut(usize) -> bool,
) -> Result<Reached, Stop> {
    let mut graph = ZoneGraph::new(system)?;
    let width = system.processes.len() + system.ints.len();
    let mut states = States::new(width, system.clocks, subsumption);
    let mut waiting = VecDeque::new();
    let (mut discrete, mut zone) = (Vec::new(), Zone::zero(0));
    let mut visited = 0;
    let mut transitions = 0;
    let mut is_reachable = false;
    let mut insert = |discrete: &[i32], zone: ZoneRef<'_>, lu: &LuBounds| {
        store(&mut states, &mut waiting, (discrete, zone, lu))
    };
    graph.initial(&mut insert, &mut || may_continue(0))?;
    while let Some(state) = waiting.pop_front() {
        if !states.copy(state, &mut discrete, &mut zone) {
            continue;
        }
        visited += 1;
        if !query.labels.is_empty() && graph.has_labels(&discrete, &query.labels) {
            is_reachable = true;
            break;
        }
        let stored = states.stored();
        let mut insert = |discrete: &[i32], zone: ZoneRef<'_>, lu: &LuBounds| {
            transitions += 1;
            store(&mut states, &mut waiting, (discrete, zone, lu))
        };
        let mut poll = || may_continue(stored);
        graph.successors(&discrete, zone.view(), &mut insert, &mut poll)?;
    }
    Ok(Reached {
        is_reachable,
        stored: states.stored(),
        visited,
        transitions,
    })
}

/// Stores a state unless it is covered, and appends a new one to the waiting list.
fn store(
    states: &mut States,
    waiting: &mut VecDeque<u32>,
    (discrete, zone, lu): (&[i32], ZoneRef<'_>, &LuBounds),
) -> Result<(), Stop> {
    match states.insert(discrete, zone, lu) {
        Inserted::New(state) => waiting.push_back(state),
        Inserted::Covered(_) => {}
        Inserted::Full => return Err(Stop::Full),
    }
    Ok(())
}
