//! The values of conditions at the times of a symbolic state.
//!
//! A condition compares `now` with constants, and asks whether responses are overdue. The zone is split into parts in
//! which each of these comparisons has one value; the reference interpreter evaluates the condition once per part.

use crate::clocks::{ClockOf, Clocks, Op, Since, Test, TooFar};
use crate::defects::{Defect, broken};
use crate::graph::Discrete;
use dbm::{Overflow, Zone};
use machine::{Expr, Instance, ResponseId, RunError, State};
use rational::Rational;
use std::collections::HashMap;

/// A condition whose value is sought in the reachable states.
pub(crate) struct Condition {
    expr: Expr,
    /// The value that is sought.
    wanted: bool,
    /// The constants with which it compares `now`, ascending.
    times: Vec<i64>,
    /// The responses of which the condition asks whether they are overdue.
    responses: Vec<ResponseId>,
    /// The values by discrete part and by the values of the comparisons.
    known: HashMap<(u32, Vec<u32>), Result<bool, RunError>>,
}

/// Times at which a condition has the wanted value, or no value.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// The tests that the zone and these times satisfy.
    pub(crate) tests: Vec<Test>,
    /// The error of the evaluation, if the condition has no value.
    pub(crate) error: Option<RunError>,
}

/// A part of a zone.
struct Cell {
    zone: Zone,
    tests: Vec<Test>,
    /// The time since the start, for the evaluation.
    now: Rational,
    /// The responses that are overdue.
    overdue: Vec<ResponseId>,
    /// The indices of the alternatives that define the cell.
    key: Vec<u32>,
}

impl Condition {
    pub(crate) fn new(expr: Expr, wanted: bool, clocks: &Clocks<'_>) -> Result<Condition, TooFar> {
        let (mut times, mut responses) = (Vec::new(), Vec::new());
        expr.walk(&mut |e| match e {
            Expr::Now(_, time) => times.push(time.clone()),
            Expr::Overdue(response) => responses.push(*response),
            _ => {}
        });
        let times: Result<Vec<i64>, TooFar> = times.iter().map(|time| clocks.units(time)).collect();
        let mut times = times?;
        times.sort();
        times.dedup();
        responses.sort();
        responses.dedup();
        Ok(Condition {
            expr,
            wanted,
            times,
            responses,
            known: HashMap::new(),
        })
    }

    /// Forgets the values in the discrete parts of an instance.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// The first part of a zone in which the condition has the wanted value, and the first in which it has no value.
    pub(crate) fn look(
        &mut self,
        instance: Instance<'_>,
        clocks: &Clocks<'_>,
        number: u32,
        part: &Discrete,
        zone: &Zone,
    ) -> Result<(Option<Hit>, Option<Hit>), Overflow> {
        let (mut found, mut error) = (None, None);
        for cell in self.cells(&part.clocks, zone)? {
            let expr = &self.expr;
            let value = self.known.entry((number, cell.key)).or_insert_with(|| {
                let state = at(clocks, &part.state, &cell.now, &cell.overdue);
                instance.holds(&state, expr, &[])
            });
            let hit = |error| Hit {
                tests: cell.tests.clone(),
                error,
            };
            match value {
                Ok(value) if *value == self.wanted => found = found.or_else(|| Some(hit(None))),
                Ok(_) => {}
                Err(wrong) => error = error.or_else(|| Some(hit(Some(wrong.clone())))),
            }
        }
        Ok((found, error))
    }

    /// The parts of a zone in which each comparison has one value.
    fn cells(&self, clocks: &[ClockOf], zone: &Zone) -> Result<Vec<Cell>, Overflow> {
        let mut cells = vec![Cell {
            zone: zone.clone(),
            tests: Vec::new(),
            now: Rational::ZERO,
            overdue: Vec::new(),
            key: Vec::new(),
        }];
        let place = |since: Since| {
            let place = clocks.iter().position(|clock| clock.since == since);
            place.map(|place| place + 1)
        };
        if let Some(now) = place(Since::Start)
            && !self.times.is_empty()
        {
            let alternatives = self.moments(now);
            cells = split(cells, &alternatives, |cell, n| {
                cell.now = self.moment(n);
            })?;
        }
        for response in &self.responses {
            let Some(owed) = place(Since::Owed(*response)) else {
                continue;
            };
            let within = clocks[owed - 1].asked.unwrap_or(0);
            let alternatives = [
                vec![Test::new(owed, Op::AtMost, within)],
                vec![Test::new(owed, Op::MoreThan, within)],
            ];
            cells = split(cells, &alternatives, |cell, n| {
                if n == 1 {
                    cell.overdue.push(*response);
                }
            })?;
        }
        Ok(cells)
    }

    /// The intervals of `now` in which each comparison has one value. For each constant: the times before it and after
    /// the previous constant, then the constant itself. The last interval contains the times after all constants.
    fn moments(&self, now: usize) -> Vec<Vec<Test>> {
        let mut found = Vec::new();
        let mut after = Vec::new();
        for time in &self.times {
            let mut before = std::mem::take(&mut after);
            before.push(Test::new(now, Op::LessThan, *time));
            found.push(before);
            let here = [Op::AtLeast, Op::AtMost].map(|op| Test::new(now, op, *time));
            found.push(here.to_vec());
            after = vec![Test::new(now, Op::MoreThan, *time)];
        }
        found.push(after);
        found
    }

    /// A time, in units, in the interval of `moments` with this number.
    fn moment(&self, number: usize) -> Rational {
        let time = |n: usize| Rational::from(self.times[n]);
        let half = Rational::new(1, 2);
        match (number % 2, number / 2) {
            (1, n) => time(n),
            (_, 0) => time(0) - half,
            (_, n) => time(n - 1) + half,
        }
    }
}

/// Splits each cell by alternatives. Empty cells are dropped.
fn split(
    cells: Vec<Cell>,
    alternatives: &[Vec<Test>],
    mut note: impl FnMut(&mut Cell, usize),
) -> Result<Vec<Cell>, Overflow> {
    let mut found = Vec::new();
    for cell in cells {
        for (n, tests) in alternatives.iter().enumerate() {
            let mut zone = cell.zone.clone();
            if !crate::clocks::restrict(&mut zone, tests)? {
                continue;
            }
            let mut part = Cell {
                zone,
                tests: [&cell.tests[..], tests].concat(),
                now: cell.now.clone(),
                overdue: cell.overdue.clone(),
                key: cell.key.clone(),
            };
            part.key.push(n as u32);
            note(&mut part, n);
            found.push(part);
        }
    }
    Ok(found)
}

/// A state with a discrete part and a time, for the evaluation of a condition.
fn at(clocks: &Clocks<'_>, part: &State, now: &Rational, overdue: &[ResponseId]) -> State {
    let mut state = part.clone();
    if let Some(clock) = &mut state.clock {
        clock.now = clocks.time(now);
        for (r, pending) in clock.pending.iter_mut().enumerate() {
            if pending.is_none() {
                continue;
            }
            let response = ResponseId(r as u32);
            let late = match overdue.contains(&response) {
                true => Rational::from(clocks.within(response)) + Rational::ONE,
                false => Rational::ZERO,
            };
            *pending = Some(&clock.now - clocks.time(&late));
        }
    }
    state
}

/// For a seeded defect: whether properties are evaluated only at the moments of events.
pub(crate) fn only_at_events() -> bool {
    broken(Defect::OnlyAtEvents)
}
