//! The earliest times of the events of a path.
//!
//! The value of a clock at an event is the time since the event that assigned it last, plus a constant. So every test
//! of a clock bounds the difference of the times of two events, and the earliest times are longest paths in the graph
//! of these bounds (Bellman and Ford). A time is `c + k·ε`, where `k` counts the strict bounds on the path, and pairs
//! `(c, k)` are compared lexicographically. Such times satisfy all bounds for a small `ε`: if the constants do not
//! satisfy a bound with equality, they exceed it by at least 1. The largest such `ε` of the form `1/m` is taken, so
//! that times are whole numbers where possible.

use crate::defects::{Defect, broken};
use crate::graph::evaluate::{Assigned, Stop, Values};
use crate::graph::product::GlobalEdge;
use crate::runs::path::NoRun;
use crate::runs::replay::Rejected;
use crate::system::network::{Guard, Relation, System};
use dbm::Overflow;

/// The times of the initial state, 0, and of the events, in units of `1/denominator`.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    pub(crate) numerators: Vec<i64>,
    pub(crate) denominator: i64,
}

/// `time(after) >= time(before) + least`. The second part of a weight counts strict bounds.
struct AtLeast {
    after: usize,
    before: usize,
    least: (i64, i64),
}

/// The event that has assigned a clock last, and the value at this event.
type Since = (usize, i64);

/// The earliest times of the events.
pub(crate) fn earliest(
    system: &System,
    start: &[i32],
    edges: &[GlobalEdge],
) -> Result<Times, NoRun> {
    let mut bounds = Bounds {
        system,
        all: Vec::new(),
        since: vec![(0, 0); system.clocks + 1],
        ints: system.ints.iter().map(|int| int.initial as i32).collect(),
        locations: start.to_vec(),
    };
    let collected = bounds.collect(edges);
    collected.map_err(|stop| match stop {
        Stop::Fault(mistake) => NoRun::Rejected(Rejected(mistake.message)),
        _ => NoRun::Overflow,
    })?;
    let times = longest_paths(&bounds.all, edges.len() + 1)?;
    let denominator = bounds.all.iter().map(|bound| {
        let (after, before) = (times[bound.after], times[bound.before]);
        let gap = after.0 - before.0 - bound.least.0;
        let missing = bound.least.1 + before.1 - after.1;
        // If the constants exceed the bound, they exceed it by at least 1. If not, the counts of strict bounds satisfy
        // it.
        match gap > 0 && missing > 0 {
            true => (missing + gap - 1) / gap,
            false => 1,
        }
    });
    let denominator = denominator.max().unwrap_or(1);
    let scaled = times.iter().map(|(constant, strict)| {
        let product = constant.checked_mul(denominator)?;
        product.checked_add(*strict)
    });
    let numerators: Option<Vec<i64>> = scaled.collect();
    Ok(Times {
        numerators: numerators.ok_or(NoRun::Overflow)?,
        denominator,
    })
}

/// The least times that satisfy all bounds, where the time of the initial state is 0.
fn longest_paths(bounds: &[AtLeast], number: usize) -> Result<Vec<(i64, i64)>, NoRun> {
    let mut times = vec![(0, 0); number];
    let mut raise = |bound: &AtLeast| {
        let before: (i64, i64) = times[bound.before];
        let constant = before.0.checked_add(bound.least.0);
        let strict = before.1.checked_add(bound.least.1);
        let least = constant.zip(strict).ok_or(NoRun::Overflow)?;
        let is_less = times[bound.after] < least;
        if is_less && (bound.after == bound.before || bound.after == 0) {
            return Err(NoRun::NoTimes);
        }
        times[bound.after] = least.max(times[bound.after]);
        Ok(is_less)
    };
    // Lower bounds lead forward, upper bounds backward. If a time still rises after more sweeps than there are times,
    // it is on a cycle of positive weight.
    for _ in 0..=number {
        let mut changed = false;
        for bound in bounds.iter().chain(bounds.iter().rev()) {
            cancellation::poll();
            changed |= raise(bound)?;
        }
        if !changed {
            return Ok(times);
        }
    }
    Err(NoRun::NoTimes)
}

/// The bounds of the events of a path.
struct Bounds<'s> {
    system: &'s System,
    all: Vec<AtLeast>,
    since: Vec<Since>,
    ints: Vec<i32>,
    locations: Vec<i32>,
}

impl Bounds<'_> {
    fn collect(&mut self, edges: &[GlobalEdge]) -> Result<(), Stop> {
        self.satisfy_invariants(0)?;
        for (before, edges) in edges.iter().enumerate() {
            cancellation::poll();
            self.fire(before, edges)?;
        }
        Ok(())
    }

    /// The next event, after the event `before`.
    fn fire(&mut self, before: usize, edges: &GlobalEdge) -> Result<(), Stop> {
        let system = self.system;
        let event = before + 1;
        self.add(event, before, 0, false);
        let mut locations = self.locations.iter();
        let is_urgent = locations.any(|location| {
            let location = &system.locations[*location as usize];
            location.is_committed || location.is_urgent
        });
        if is_urgent && !broken(Defect::UrgentTimesIgnored) {
            self.add(before, event, 0, false);
        }
        self.satisfy_invariants(event)?;
        for edge in edges {
            self.satisfy(event, &system.edges[*edge].guard)?;
        }
        let mut assigned: Vec<Assigned> = Vec::new();
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
            values.execute(&edge.statements, &system.ints, &mut assigned, &mut poll)?;
            self.locations[edge.process] = edge.target as i32;
        }
        for Assigned {
            clock,
            source,
            offset,
        } in assigned
        {
            let (since, value) = match source {
                0 => (event, 0),
                _ => self.since[source],
            };
            let value = value.checked_add(offset).ok_or(Overflow)?;
            self.since[clock] = (since, value);
        }
        self.satisfy_invariants(event)
    }

    fn satisfy_invariants(&mut self, event: usize) -> Result<(), Stop> {
        let system = self.system;
        if broken(Defect::InvariantTimesIgnored) {
            return Ok(());
        }
        for place in 0..self.locations.len() {
            let location = self.locations[place] as usize;
            self.satisfy(event, &system.locations[location].invariant)?;
        }
        Ok(())
    }

    /// Adds the tests of a guard at the time of an event.
    fn satisfy(&mut self, event: usize, guard: &Guard) -> Result<(), Stop> {
        for test in &guard.tests {
            let values = Values {
                ints: &mut self.ints,
                locals: &mut [],
            };
            let clock = values.place(&test.clock)?;
            let constant = values.term(&test.term)?;
            let (since, value) = self.since[clock];
            let passed = constant.checked_sub(value).ok_or(Overflow)?;
            let strict = matches!(test.relation, Relation::Less | Relation::Greater)
                && !broken(Defect::StrictTimesIgnored);
            if !matches!(test.relation, Relation::Greater | Relation::AtLeast) {
                self.add(since, event, -passed, strict);
            }
            if !matches!(test.relation, Relation::Less | Relation::AtMost) {
                self.add(event, since, passed, strict);
            }
        }
        Ok(())
    }

    fn add(&mut self, after: usize, before: usize, least: i64, strict: bool) {
        cancellation::claim_next(&self.all);
        self.all.push(AtLeast {
            after,
            before,
            least: (least, i64::from(strict)),
        });
    }
}
