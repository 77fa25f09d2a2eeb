//! The replay of a run on values of clocks: the definition of the semantics, without zones and without a search.
//!
//! The replay shares with the search the resolved system and the evaluation of terms and statements on integers. It
//! checks everything else: which edges are taken together, committed and urgent locations, delays, guards, invariants,
//! clocks.

use crate::graph::evaluate::{Assigned, Stop, Values};
use crate::graph::product::GlobalEdge;
use crate::runs::times::Times;
use crate::system::network::{Guard, Relation, System};
use crate::system::query::Query;
use std::fmt;
use std::ops::Range;

/// The rule that a run violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub(crate) String);

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A state of a run: the locations, and the values of the clocks in units of the times, beginning with clock 1.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) locations: Vec<i32>,
    pub(crate) clocks: Vec<i64>,
}

/// What an event does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub(crate) edges: GlobalEdge,
    /// The integer variables that change, with their values before and after.
    pub(crate) changes: Vec<(usize, i32, i32)>,
    pub(crate) assigned: Vec<Assigned>,
    /// The clocks that are tested by the event and between the state before it and the state after it, with the
    /// constants.
    pub(crate) tests: Vec<(usize, i64)>,
}

/// A run that was executed.
#[derive(Debug)]
pub(crate) struct Replay {
    /// The initial state, and the state after each event.
    pub(crate) states: Vec<State>,
    pub(crate) events: Vec<Effects>,
    /// The values of the integer variables at the end.
    pub(crate) ints: Vec<i32>,
    /// The tests of the initial state.
    tests: Vec<(usize, i64)>,
    denominator: i64,
}

fn reject<T>(why: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected(why.into()))
}

impl Replay {
    /// Executes the events of a run at their times.
    pub(crate) fn new(
        system: &System,
        start: &[i32],
        edges: &[GlobalEdge],
        times: &Times,
    ) -> Result<Replay, Rejected> {
        let state = size_of_val(start) + system.clocks * size_of::<i64>();
        cancellation::claim(state.saturating_mul(edges.len() + 1));
        let mut replay = Replay {
            states: vec![State {
                locations: start.to_vec(),
                clocks: vec![0; system.clocks],
            }],
            events: Vec::new(),
            ints: system.ints.iter().map(|int| int.initial as i32).collect(),
            tests: Vec::new(),
            denominator: times.denominator,
        };
        replay.check_start(system)?;
        for (edges, times) in edges.iter().zip(times.numerators.windows(2)) {
            cancellation::poll();
            let delay = times[1].checked_sub(times[0]);
            replay.step(system, edges, delay.unwrap_or(-1))?;
        }
        Ok(replay)
    }

    fn check_start(&mut self, system: &System) -> Result<(), Rejected> {
        let start = self.states[0].clone();
        if start.locations.len() != system.processes.len() {
            return reject("a process has no location");
        }
        for (process, location) in system.processes.iter().zip(&start.locations) {
            if !process.initial.contains(&(*location as usize)) {
                return reject(format!("{} does not begin there", process.name));
            }
        }
        let mut tests = Vec::new();
        self.check_invariants(system, &start, &mut tests)?;
        self.tests = tests;
        Ok(())
    }

    /// Executes an event after a delay.
    fn step(&mut self, system: &System, edges: &GlobalEdge, delay: i64) -> Result<(), Rejected> {
        let Some(mut state) = self.states.last().cloned() else {
            return reject("there is no state");
        };
        let mut effects = Effects {
            edges: edges.clone(),
            ..Effects::default()
        };
        let locations = state.locations.iter();
        let locations = locations.map(|location| &system.locations[*location as usize]);
        let mut stands = locations.map(|location| location.is_committed || location.is_urgent);
        if delay < 0 || (delay > 0 && stands.any(|stands| stands)) {
            return reject("time passes in a committed or urgent location, or backwards");
        }
        for clock in &mut state.clocks {
            match clock.checked_add(delay) {
                Some(value) => *clock = value,
                None => return reject("the value of a clock is out of range"),
            }
        }
        self.check_invariants(system, &state, &mut effects.tests)?;
        check_together(system, &state.locations, edges)?;
        for edge in edges {
            let guard = &system.edges[*edge].guard;
            self.check(
                guard,
                &state,
                &mut effects.tests,
                "a guard is not satisfied",
            )?;
        }
        let before = self.ints.clone();
        for edge in edges {
            let edge = &system.edges[*edge];
            let mut locals = vec![0; edge.locals];
            let mut values = Values {
                ints: &mut self.ints,
                locals: &mut locals,
            };
            let mut poll = || {
                cancellation::poll();
                true
            };
            let done = values.execute(
                &edge.statements,
                &system.ints,
                &mut effects.assigned,
                &mut poll,
            );
            match done {
                Ok(()) => state.locations[edge.process] = edge.target as i32,
                Err(Stop::Fault(mistake)) => return reject(mistake.message),
                Err(_) => return reject("a statement cannot be executed"),
            }
        }
        for assigned in &effects.assigned {
            let source = match assigned.source.checked_sub(1) {
                None => 0,
                Some(source) => state.clocks[source],
            };
            let offset = assigned.offset.checked_mul(self.denominator);
            match offset.and_then(|offset| source.checked_add(offset)) {
                Some(value) if assigned.offset >= 0 => state.clocks[assigned.clock - 1] = value,
                _ => return reject("the value of a clock is out of range"),
            }
        }
        let both = before.iter().zip(&self.ints).enumerate();
        let changed = both.filter(|(_, (before, after))| before != after);
        effects.changes = changed.map(|(i, (b, a))| (i, *b, *a)).collect();
        self.check_invariants(system, &state, &mut effects.tests)?;
        self.states.push(state);
        self.events.push(effects);
        Ok(())
    }

    fn check_invariants(
        &mut self,
        system: &System,
        state: &State,
        tests: &mut Vec<(usize, i64)>,
    ) -> Result<(), Rejected> {
        for location in &state.locations {
            let invariant = &system.locations[*location as usize].invariant;
            self.check(invariant, state, tests, "an invariant is violated")?;
        }
        Ok(())
    }

    /// Checks a guard or an invariant, and records its tests of clocks.
    fn check(
        &mut self,
        guard: &Guard,
        state: &State,
        tests: &mut Vec<(usize, i64)>,
        otherwise: &str,
    ) -> Result<(), Rejected> {
        let values = Values {
            ints: &mut self.ints,
            locals: &mut [],
        };
        let mut holds = values.all_hold(&guard.conditions).unwrap_or(false);
        for test in &guard.tests {
            let (Ok(clock), Ok(constant)) = (values.place(&test.clock), values.term(&test.term))
            else {
                return reject("a test of a clock has no value");
            };
            tests.push((clock, constant));
            let value = i128::from(state.clocks[clock - 1]);
            let constant = i128::from(constant) * i128::from(self.denominator);
            holds &= match test.relation {
                Relation::Equal => value == constant,
                Relation::Unequal => value != constant,
                Relation::Less => value < constant,
                Relation::AtMost => value <= constant,
                Relation::Greater => value > constant,
                Relation::AtLeast => value >= constant,
            };
        }
        match holds {
            true => Ok(()),
            false => reject(otherwise),
        }
    }

    /// Checks that for each query one of the given states has its labels.
    pub(crate) fn check_labels(
        &self,
        system: &System,
        queries: &[Query],
        states: Range<usize>,
    ) -> Result<(), Rejected> {
        let has = |query: &Query| {
            let mut states = self.states[states.clone()].iter();
            states.any(|state| system.have_labels(&state.locations, query))
        };
        match queries.iter().all(has) {
            true => Ok(()),
            false => reject("no state of the run has the labels"),
        }
    }

    /// Drops all events after the state with this number, and restores the values of the integer variables in this
    /// state.
    pub(crate) fn truncate(&mut self, state: usize) {
        for effects in self.events.drain(state..).rev() {
            for (int, before, _) in effects.changes {
                self.ints[int] = before;
            }
        }
        self.states.truncate(state + 1);
    }
}

/// Checks that edges may be taken together: one edge of an asynchronous event, or, in the order of a synchronisation,
/// an edge of every strong participant and of every weak participant whose location has an edge with its event.
fn check_together(system: &System, locations: &[i32], edges: &[usize]) -> Result<(), Rejected> {
    for edge in edges {
        let edge = &system.edges[*edge];
        if locations[edge.process] != edge.source as i32 {
            return reject("an edge does not leave the location of its process");
        }
    }
    let is_in_sync = |process: usize, event: usize| {
        let several = system
            .syncs
            .iter()
            .filter(|sync| sync.participants.len() > 1);
        let mut participants = several.flat_map(|sync| &sync.participants);
        participants.any(|p| (p.process, p.event) == (process, event))
    };
    let pair = |edge: &usize| (system.edges[*edge].process, system.edges[*edge].event);
    let is_alone = match edges {
        [edge] => !is_in_sync(pair(edge).0, pair(edge).1),
        _ => false,
    };
    let is_sync = !edges.is_empty()
        && system.syncs.iter().any(|sync| {
            let mut left = edges.iter().peekable();
            let fits = sync.participants.iter().all(|participant| {
                let expected = (participant.process, participant.event);
                if left.peek().is_some_and(|edge| pair(edge) == expected) {
                    left.next();
                    return true;
                }
                let leaves = |edge: &&crate::system::network::Edge| {
                    (edge.process, edge.event) == expected
                        && locations[edge.process] == edge.source as i32
                };
                participant.is_weak && !system.edges.iter().any(|edge| leaves(&edge))
            });
            fits && left.next().is_none()
        });
    if !is_alone && !is_sync {
        return reject("edges leave together that are no synchronisation");
    }
    let is_committed = |process: usize| system.locations[locations[process] as usize].is_committed;
    let someone = (0..locations.len()).any(is_committed);
    if someone && !edges.iter().any(|edge| is_committed(pair(edge).0)) {
        return reject("another process is in a committed location");
    }
    Ok(())
}
