//! Runs with the names of the file, for presentation.

use crate::runs::replay::{Replay, State};
use crate::runs::times::Times;
use crate::system::network::System;
use std::fmt;

/// A time, or the value of a clock: an exact rational number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    numerator: i64,
    denominator: i64,
}

impl Time {
    fn new(numerator: i64, denominator: i64) -> Time {
        let (mut a, mut b) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        // The denominator is positive, and so is its greatest common divisor with another number.
        let divisor = i64::try_from(a.max(1)).unwrap_or(1);
        Time {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// A named value, such as `("id", 1)`.
pub type Named<T> = (String, T);

/// The first or the last state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The processes with their locations.
    pub locations: Vec<Named<String>>,
    /// The integer variables with their values.
    pub ints: Vec<Named<i32>>,
    /// The clocks with their values.
    pub clocks: Vec<Named<Time>>,
}

/// The edge of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process.
    pub process: String,
    /// The event of the edge.
    pub event: String,
    /// The location before.
    pub source: String,
    /// The location after.
    pub target: String,
}

/// A global edge at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The time since the beginning.
    pub time: Time,
    /// The edges that are taken together.
    pub moves: Vec<Move>,
    /// The integer variables that change, with their values before and after.
    pub changes: Vec<Named<(i32, i32)>>,
    /// The clocks that are assigned, with their new values.
    pub assigned: Vec<Named<Time>>,
}

/// A run that was replayed on values of clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The initial state.
    pub start: Situation,
    /// The events, in order.
    pub events: Vec<Event>,
    /// The state at the end.
    pub end: Situation,
    /// The events from this index on can be repeated for ever.
    pub repeats_from: Option<usize>,
    /// How long the repeated events take in this run.
    pub period: Option<Time>,
}

impl Run {
    pub(crate) fn new(
        system: &System,
        replay: &Replay,
        times: &Times,
        repeats_from: Option<usize>,
    ) -> Run {
        let unit = times.denominator;
        let situation = |state: &State, ints: Vec<i32>| {
            let locations = system.processes.iter().zip(&state.locations);
            let locations = locations.map(|(process, location)| {
                let location = &system.locations[*location as usize];
                (process.name.clone(), location.name.clone())
            });
            let clocks = system.clock_names.iter().zip(&state.clocks);
            let clocks = clocks.map(|(name, value)| (name.clone(), Time::new(*value, unit)));
            Situation {
                locations: locations.collect(),
                ints: system.int_names.iter().cloned().zip(ints).collect(),
                clocks: clocks.collect(),
            }
        };
        let events = replay.events.iter().enumerate().map(|(number, effects)| {
            cancellation::poll();
            let moves = effects.edges.iter().map(|edge| {
                let edge = &system.edges[*edge];
                Move {
                    process: system.processes[edge.process].name.clone(),
                    event: system.events[edge.event].clone(),
                    source: system.locations[edge.source].name.clone(),
                    target: system.locations[edge.target].name.clone(),
                }
            });
            let changes = effects.changes.iter();
            let changes = changes
                .map(|(int, before, after)| (system.int_names[*int].clone(), (*before, *after)));
            let after = &replay.states[number + 1].clocks;
            let mut assigned: Vec<usize> = effects.assigned.iter().map(|a| a.clock).collect();
            assigned.sort_unstable();
            assigned.dedup();
            let assigned = assigned.iter().map(|clock| {
                let value = Time::new(after[*clock - 1], unit);
                (system.clock_names[*clock - 1].clone(), value)
            });
            Event {
                time: Time::new(times.numerators[number + 1], unit),
                moves: moves.collect(),
                changes: changes.collect(),
                assigned: assigned.collect(),
            }
        });
        let first = system.ints.iter().map(|int| int.initial as i32).collect();
        let last = replay.states.len() - 1;
        let period = repeats_from.map(|from| {
            let passed = times.numerators[last] - times.numerators[from];
            Time::new(passed, unit)
        });
        Run {
            start: situation(&replay.states[0], first),
            events: events.collect(),
            end: situation(&replay.states[last], replay.ints.clone()),
            repeats_from,
            period,
        }
    }
}
