//! Paths of the zone graph, and the run of a path.
//!
//! The zones of a search are abstractions, so a path is a candidate. Its events get the earliest times that satisfy all
//! tests of clocks ([`times`](crate::runs::times)), and the run is replayed on clock values without zones
//! ([`replay`](crate::runs::replay)). A run that does not replay is not returned.

use crate::defects::{Defect, broken};
use crate::graph::product::{GlobalEdge, global_edge};
use crate::runs::repetition::is_repeated;
use crate::runs::replay::{Rejected, Replay};
use crate::runs::run::Run;
use crate::runs::times::{Times, earliest};
use crate::system::network::System;
use crate::system::query::Query;

/// The largest number of iterations of a cycle for which times are computed.
const MOST_ROUNDS: usize = 256;

/// The largest number of events of a run with several iterations of a cycle.
const MOST_EVENTS: usize = 50_000;

/// The events of a path of the zone graph, without times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The locations of the initial state.
    start: Vec<i32>,
    edges: Vec<GlobalEdge>,
    /// The number of events before the cycle; the remaining events are the cycle. `None` if the path has no cycle.
    before_cycle: Option<usize>,
}

/// The reason why a path has no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRun {
    /// No times satisfy all tests of clocks. This contradicts the search.
    NoTimes,
    /// The replay refuses the run. This contradicts the search.
    Rejected(Rejected),
    /// A time is out of range.
    Overflow,
    /// Times were found for many iterations of the cycle, but no part of the run can be repeated for ever.
    NoRepetition,
}

impl std::fmt::Display for NoRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoRun::NoTimes => f.write_str("a path was found for which there are no times"),
            NoRun::Rejected(why) => write!(f, "a run was found that does not replay: {why}"),
            NoRun::Overflow => f.write_str("a path was found, but a time is out of range"),
            NoRun::NoRepetition => f.write_str(
                "a cycle was found, but no run of it whose clocks show that it goes on for ever",
            ),
        }
    }
}

impl std::error::Error for NoRun {}

impl From<Rejected> for NoRun {
    fn from(why: Rejected) -> NoRun {
        NoRun::Rejected(why)
    }
}

impl Path {
    /// The path from an initial state with these locations. Each event is given by the locations before it and the number
    /// of its global edge.
    pub(crate) fn new(
        system: &System,
        start: &[i32],
        events: Vec<(Box<[i32]>, u32)>,
        before_cycle: Option<usize>,
    ) -> Path {
        let number = events.len() - usize::from(broken(Defect::PathTooShort) && !events.is_empty());
        let edges = events[..number].iter();
        let edges = edges.filter_map(|(locations, edge)| global_edge(system, locations, *edge));
        Path {
            start: start.to_vec(),
            edges: edges.collect(),
            before_cycle,
        }
    }

    /// A run along the path, with the earliest times, whose last state has the labels of all queries. For a path with a
    /// cycle, a run whose repeated part has for each query a state with its labels.
    pub fn run(&self, system: &System, queries: &[Query]) -> Result<Run, NoRun> {
        let Some(before_cycle) = self.before_cycle else {
            let (times, replay) = self.timed(system, &self.edges)?;
            let end = replay.states.len() - 1;
            replay.check_labels(system, queries, end..end + 1)?;
            return Ok(Run::new(system, &replay, &times, None));
        };
        let round = &self.edges[before_cycle..];
        let mut edges = self.edges.clone();
        let mut rounds = 1;
        loop {
            let (times, mut replay) = self.timed(system, &edges)?;
            // The number of the state after this number of iterations. The end of the repeated part is as early as
            // possible.
            let boundary = |number: usize| before_cycle + number * round.len();
            for last in 1..=rounds {
                let to = boundary(last);
                let repeated = (0..last).rev().map(boundary);
                let found = { repeated }.find(|from| is_repeated(&replay, &times, *from, to));
                if let Some(from) = found {
                    replay.check_labels(system, queries, from..to)?;
                    replay.truncate(to);
                    return Ok(Run::new(system, &replay, &times, Some(from)));
                }
            }
            if rounds == MOST_ROUNDS || edges.len() + rounds * round.len() > MOST_EVENTS {
                return Err(NoRun::NoRepetition);
            }
            for _ in 0..rounds {
                edges.extend_from_slice(round);
            }
            rounds *= 2;
        }
    }

    fn timed(&self, system: &System, edges: &[GlobalEdge]) -> Result<(Times, Replay), NoRun> {
        let times = earliest(system, &self.start, edges)?;
        let replay = Replay::new(system, &self.start, edges, &times);
        Ok((times, replay?))
    }
}
