//! Finds real times for a run whose order of events is given, or the constraints that exclude them.
//!
//! The times of the events and the fixed periods of the nodes are the unknowns of a linear program. Its constraints:
//! the events are in their order; starts are at time 0; first activations and gaps are as declared; no node misses an
//! activation before the run ends; a message with a delay is delivered within its interval (`delays.rs`). A loop takes
//! a time Λ > 0, and its next iteration is shifted by Λ. So each constraint on consecutive events also holds between
//! the last events of the loop and its first events Λ later, and every running node is activated in the loop. The
//! resulting run contains the loop twice, first as part of the stem, so that the state where it closes has the times of
//! a complete iteration behind it.

use crate::concretise::delays;
use crate::rejected::{Rejected, reject};
use crate::replay::replayed::Replayed;
use lp::{Answer, Linear, Multipliers, Preference, Problem, Row, Slack, Unknown};
use machine::{
    Abstraction, Delay, Event, First, Instance, Jitter, Machine, Mode, NodeId, Periodic, Timing,
    Trigger,
};
use rational::Rational;
use verdict::{Ending, Run};

/// Whether a run has real times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Concretised {
    /// The run with times for the same events.
    Run(Box<Run>),
    /// No times exist, because these constraints are jointly infeasible.
    Never(Vec<Constraint>),
}

/// A constraint on the times of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// The event with this index is not before its predecessor; the event with index 0 is not before time 0.
    Order(usize),
    /// The start of a node is at time 0.
    Start(NodeId),
    /// The n-th activation of a node, counted from 1, is not too early after the previous one or, for n = 1, after time
    /// 0.
    NotEarly(NodeId, u32),
    /// The n-th activation of a node, counted from 1, is not too late.
    NotLate(NodeId, u32),
    /// The fixed period of a node is within its declared bounds.
    Period(NodeId),
    /// A loop takes at least the shortest gap of a node.
    Loop,
    /// A running node is activated again.
    Activated(NodeId),
    /// A message arrives within its delay. The index is that of the event that sends it.
    Travel(usize),
}

/// Looks for real times for a run of an abstraction. `exact` is the Machine with dense time, `replayed` the replay of
/// the run on the abstraction. The times are simple multiples of `unit` if possible.
pub fn concretise(
    exact: &Machine,
    run: &Run,
    replayed: &Replayed,
    unit: &Rational,
) -> Result<Concretised, Rejected> {
    debug_assert_eq!(exact.abstraction, Abstraction::Exact);
    if !exact.has_time() {
        return reject("a machine without real times");
    }
    if matches!(exact.delay, Delay::Within(..)) && delays::transits(run, replayed).is_none() {
        return reject(
            "messages of one round of the loop are handed over in another than the next",
        );
    }
    let system = match System::of(exact, run, replayed) {
        Ok(system) => system,
        Err(starved) => return Ok(Concretised::Never(vec![Constraint::Activated(starved)])),
    };
    match system.solve(unit) {
        Answer::Point(point) => Ok(Concretised::Run(Box::new(system.timed(run, &point)))),
        Answer::Infeasible(multipliers) => {
            lp::check_infeasible(&system.problem, &multipliers)
                .map_err(|mistake| Rejected(format!("a wrong reason for no times: {mistake:?}")))?;
            Ok(Concretised::Never(system.constraints_of(&multipliers)))
        }
    }
}

/// The linear program for the times of a run.
pub(crate) struct System<'a> {
    machine: &'a Machine,
    problem: Problem,
    /// By row: the constraint from which it comes.
    constraints: Vec<Constraint>,
    /// By event: the unknown of its time.
    times: Vec<Unknown>,
    /// By node: the unknown of its period; `None` if the period is not fixed for a run.
    periods: Vec<Option<Unknown>>,
    /// The index of the first event of the loop, and the unknown of the duration of the loop.
    lap: Option<(usize, Unknown)>,
    /// Rows that should hold strictly if possible, so that events are not at the same time.
    soft_rows: Vec<Row>,
}

/// The activations of a node in a run.
struct Activations {
    /// The indices of the events, in order.
    events: Vec<usize>,
    /// Whether the node still runs at the end of the run.
    runs: bool,
    /// The event at which the node stops, or the last event of the run. No activation that is due before the time of
    /// this event is missing. `None` if the run has no event.
    until: Option<usize>,
}

impl<'a> System<'a> {
    /// The linear program for a run. The error is a node that runs but is never activated again.
    pub(crate) fn of(
        machine: &'a Machine,
        run: &Run,
        replayed: &Replayed,
    ) -> Result<System<'a>, NodeId> {
        let mut problem = Problem::new();
        let times = run.choices.iter().map(|_| problem.unknown()).collect();
        let mut system = System {
            machine,
            problem,
            constraints: Vec::new(),
            times,
            periods: Vec::new(),
            lap: None,
            soft_rows: Vec::new(),
        };
        let lap = match run.ending {
            Ending::Loops(from) => Some((from, system.problem.unknown())),
            _ => None,
        };
        system.lap = lap;
        system.order(run, lap);
        system.travel(run, replayed);
        let last = replayed.states.last().expect("at least the initial state");
        for node in machine.nodes() {
            if last.nodes[node.index()].mode == Mode::Waiting {
                system.starts_after(node, lap)?;
            }
            let periodic = match machine.timing(machine.kind_of(node)) {
                Some(Timing::Periodic(periodic)) => periodic,
                _ => {
                    system.periods.push(None);
                    continue;
                }
            };
            let mut running = replayed
                .states
                .iter()
                .map(|s| s.nodes[node.index()].mode.runs());
            let stops = running.position(|runs| !runs);
            if stops == Some(0) {
                system
                    .periods
                    .push(periodic.fixed.then(|| system.problem.unknown()));
                system.declared_period(node, periodic);
                continue; // the node is off
            }
            let activations = Activations {
                events: activations(machine, run, node),
                runs: stops.is_none(),
                until: match stops {
                    Some(state) => Some(state - 1),
                    None => run.choices.len().checked_sub(1),
                },
            };
            let starved = match run.ending {
                Ending::StandsStill => true,
                Ending::Loops(from) => activations.events.last().is_none_or(|e| *e < from),
                Ending::Open | Ending::Error(_) => false,
            };
            if activations.runs && starved {
                return Err(node);
            }
            system.node(node, periodic, &activations, lap);
        }
        Ok(system)
    }

    /// The linear program alone.
    pub(crate) fn into_problem(self) -> Problem {
        self.problem
    }

    fn constraint(&mut self, row: Row, constraint: Constraint) -> Row {
        debug_assert_eq!(row.0 as usize, self.constraints.len());
        self.constraints.push(constraint);
        row
    }

    fn at_least(&mut self, left: Linear, right: Rational, constraint: Constraint) -> Row {
        let row = self.problem.at_least(left, right);
        self.constraint(row, constraint)
    }

    fn at_most(&mut self, left: Linear, right: Rational, constraint: Constraint) -> Row {
        let row = self.problem.at_most(left, right);
        self.constraint(row, constraint)
    }

    /// Adds the constraints that events are in their order and that starts are at time 0.
    fn order(&mut self, run: &Run, lap: Option<(usize, Unknown)>) {
        for (e, choice) in run.choices.iter().enumerate() {
            let here = self.times[e];
            let row = match e.checked_sub(1) {
                None => self.at_least(here.into(), Rational::default(), Constraint::Order(0)),
                Some(before) => {
                    let since = Linear::difference(here, self.times[before]);
                    self.at_least(since, Rational::default(), Constraint::Order(e))
                }
            };
            if let Event::Run(node, block) = &choice.event
                && self.machine.blocks[block.index()].trigger == Trigger::Start
            {
                self.at_most(here.into(), Rational::default(), Constraint::Start(*node));
            } else if e > 0 {
                self.soft_rows.push(row);
            }
        }
        if let Some((from, lap)) = lap {
            let (first, last) = (self.times[from], *self.times.last().expect("a loop"));
            let round = sum([(lap, 1), (first, 1), (last, -1)]);
            let row = self.at_least(round, Rational::default(), Constraint::Order(from));
            self.soft_rows.push(row);
            self.at_least(lap.into(), shortest_gap(self.machine), Constraint::Loop);
        }
    }

    /// Adds the constraints of the delays of messages, including messages that the next iteration of a loop delivers.
    fn travel(&mut self, run: &Run, replayed: &Replayed) {
        let Delay::Within(least, most) = &self.machine.delay else {
            return;
        };
        for transit in delays::transits(run, replayed).unwrap_or_default() {
            let Some(end) = transit.to.or(run.choices.len().checked_sub(1)) else {
                continue;
            };
            let mut terms = vec![(self.times[end], 1), (self.times[transit.from], -1)];
            terms.extend(self.lap.map(|(_, lap)| (lap, transit.iterations)));
            let terms = terms
                .into_iter()
                .map(|(unknown, n)| (unknown, Rational::from(n)));
            let lasts = Linear::from_iter(terms);
            let constraint = Constraint::Travel(transit.from);
            if transit.to.is_some() {
                self.at_least(lasts.clone(), least.clone(), constraint);
            }
            self.at_most(lasts, most.clone(), constraint);
        }
    }

    /// For a node that has not started: adds the constraint that no event is after time 0, the time of its start. The
    /// node is the error if the run has a loop, because time passes there.
    fn starts_after(&mut self, node: NodeId, lap: Option<(usize, Unknown)>) -> Result<(), NodeId> {
        if lap.is_some() {
            return Err(node);
        }
        if let Some(last) = self.times.last() {
            self.at_most((*last).into(), Rational::default(), Constraint::Start(node));
        }
        Ok(())
    }

    /// Adds the constraints of the declared times of the activations of a node, and that no activation is missing
    /// before the run ends.
    fn node(
        &mut self,
        node: NodeId,
        periodic: &Periodic,
        activations: &Activations,
        lap: Option<(usize, Unknown)>,
    ) {
        let period = periodic.fixed.then(|| self.problem.unknown());
        self.periods.push(period);
        self.declared_period(node, periodic);
        let events = &activations.events;
        let last = activations.until.map(|event| self.times[event]);
        // The next activation after those in the run is treated as one after the last event, so that it must not be due
        // before.
        let mut moments: Vec<Option<Unknown>> =
            events.iter().map(|e| Some(self.times[*e])).collect();
        if !(activations.runs && lap.is_some()) {
            moments.push(None);
        }
        for (n, moment) in moments.iter().enumerate() {
            let number = n as u32 + 1;
            let Some(latest) = moment.or(last) else {
                continue; // the run has no event
            };
            let ends = match n.checked_sub(1) {
                None => {
                    let bound = |first: &First| match (first, period) {
                        (First::At(time), _) => (None, time.clone()),
                        (First::Period, Some(period)) => (Some((period, 1)), Rational::default()),
                        (First::Period, None) => (None, periodic.gap.1.clone()),
                    };
                    let first = &periodic.first;
                    (Linear::from(latest), bound(&first.0), bound(&first.1))
                }
                Some(before) => self.gap(periodic, period, (events[0], events[before]), latest, n),
            };
            let (left, least, most) = ends;
            if moment.is_some() {
                self.bounded(
                    left.clone(),
                    least,
                    true,
                    Constraint::NotEarly(node, number),
                );
            }
            self.bounded(left, most, false, Constraint::NotLate(node, number));
        }
        if let Some((from, lap)) = lap
            && let Some(again) = events.iter().find(|e| **e >= from)
            && activations.runs
        {
            let number = events.len() as u32 + 1;
            let next = sum([(self.times[*again], 1), (lap, 1)]);
            let whole = events.iter().filter(|e| **e >= from).count() as i64;
            if let (Jitter::OnGrid(_), Some(period)) = (&periodic.jitter, period) {
                // The duration of the loop is a whole number of grid periods.
                let grid = sum([(lap, 1), (period, -whole)]);
                self.at_least(
                    grid.clone(),
                    Rational::default(),
                    Constraint::NotEarly(node, number),
                );
                self.at_most(grid, Rational::default(), Constraint::NotLate(node, number));
            } else if let Jitter::OnGrid(_) = periodic.jitter {
                let grid = Rational::from(whole) * &periodic.gap.0;
                self.at_least(lap.into(), grid.clone(), Constraint::NotEarly(node, number));
                self.at_most(lap.into(), grid, Constraint::NotLate(node, number));
            } else {
                let last = self.times[*events.last().expect("one in the loop")];
                let (least, most) = gap_bounds(periodic, period);
                let left = minus(next, last);
                self.bounded(
                    left.clone(),
                    least,
                    true,
                    Constraint::NotEarly(node, number),
                );
                self.bounded(left, most, false, Constraint::NotLate(node, number));
            }
        }
    }

    fn declared_period(&mut self, node: NodeId, periodic: &Periodic) {
        if let Some(period) = self.periods[node.index()] {
            self.at_least(
                period.into(),
                periodic.gap.0.clone(),
                Constraint::Period(node),
            );
            self.at_most(
                period.into(),
                periodic.gap.1.clone(),
                Constraint::Period(node),
            );
        }
    }

    /// The time from the previous activation (with jitter around a grid: from the first) to `next`, with its lower and
    /// upper bound. `n` is the number of gaps since the first activation.
    fn gap(
        &self,
        periodic: &Periodic,
        period: Option<Unknown>,
        (first, before): (usize, usize),
        next: Unknown,
        n: usize,
    ) -> (Linear, Bound, Bound) {
        let Jitter::OnGrid(by) = &periodic.jitter else {
            let (least, most) = gap_bounds(periodic, period);
            return (Linear::difference(next, self.times[before]), least, most);
        };
        let left = Linear::difference(next, self.times[first]);
        let times = n as i64;
        match period {
            Some(period) => (
                left,
                (Some((period, times)), -by),
                (Some((period, times)), by.clone()),
            ),
            None => {
                let grid = Rational::from(times) * &periodic.gap.0;
                (left, (None, &grid - by), (None, grid + by))
            }
        }
    }

    /// Adds the constraint that `left` is at least (or at most) a multiple of the period plus a constant.
    fn bounded(
        &mut self,
        left: Linear,
        (period, number): Bound,
        least: bool,
        constraint: Constraint,
    ) {
        let left = match period {
            Some((period, times)) => {
                let terms = left.terms().iter().cloned();
                Linear::from_iter(terms.chain([(period, Rational::from(-times))]))
            }
            None => left,
        };
        match least {
            true => self.at_least(left, number, constraint),
            false => self.at_most(left, number, constraint),
        };
    }

    /// A solution with simple numbers, in which events are at different times if possible.
    fn solve(&self, unit: &Rational) -> Answer {
        let mut soft_rows = self.soft_rows.clone();
        let slack = loop {
            match lp::widest_slack(&self.problem, &soft_rows, unit) {
                Slack::Infeasible(multipliers) => return Answer::Infeasible(multipliers),
                Slack::Most { slack, limits, .. } => {
                    if slack.is_positive() || soft_rows.is_empty() {
                        break slack;
                    }
                    let before = soft_rows.len();
                    soft_rows.retain(|row| !limits.contains(row));
                    if soft_rows.len() == before {
                        soft_rows.clear();
                    }
                }
            }
        };
        let preference = preference(unit);
        let mut problem = self.problem.clone();
        if slack.is_positive() && !soft_rows.is_empty() {
            // Using only half of the slack leaves room for simple numbers.
            problem = lp::tightened(&problem, &soft_rows, &(slack / Rational::from(2)));
        }
        let periods = self.periods.iter().flatten().copied();
        let order: Vec<Unknown> = periods.chain(self.times.iter().copied()).collect();
        lp::simple_point(&problem, &order, &preference)
    }

    /// The run with the times of a solution.
    fn timed(&self, run: &Run, point: &[Rational]) -> Run {
        let at = |unknown: Unknown| point[unknown.0 as usize].clone();
        let mut timed = run.clone();
        for (choice, time) in timed.choices.iter_mut().zip(&self.times) {
            choice.time = Some(at(*time));
        }
        if let Some((from, lap)) = self.lap {
            let lap = at(lap);
            let again = timed.choices[from..].iter().cloned().map(|mut choice| {
                choice.time = choice.time.map(|time| time + &lap);
                choice
            });
            let again: Vec<_> = again.collect();
            timed.ending = Ending::Loops(timed.choices.len());
            timed.choices.extend(again);
        }
        timed.frozen.periods = self.periods.iter().map(|p| p.map(at)).collect();
        timed.initial.order_state.clear();
        timed.initial.clock = Instance {
            machine: self.machine,
            frozen: &timed.frozen,
        }
        .clock();
        timed
    }

    fn constraints_of(&self, multipliers: &Multipliers) -> Vec<Constraint> {
        let constraints = multipliers
            .rows()
            .map(|row| self.constraints[row.0 as usize]);
        constraints.collect()
    }
}

/// A bound: a multiple of the period of a node, if any, plus a constant.
type Bound = (Option<(Unknown, i64)>, Rational);

/// The shortest gap of any node, which is positive. A loop with an activation takes at least this long; a loop without
/// one may be given any duration.
fn shortest_gap(machine: &Machine) -> Rational {
    let gaps = machine.periodic_kinds().into_iter();
    let shortest = gaps.map(|(_, periodic)| periodic.span(1).0).min();
    shortest.expect("a machine with real times")
}

/// The bounds of a gap, for jitter that is not around a grid.
fn gap_bounds(periodic: &Periodic, period: Option<Unknown>) -> (Bound, Bound) {
    let zero = Rational::default();
    let by = match &periodic.jitter {
        Jitter::PerGap(by) => by,
        Jitter::None | Jitter::OnGrid(_) => &zero,
    };
    match period {
        Some(period) => ((Some((period, 1)), -by), (Some((period, 1)), by.clone())),
        None => ((None, &periodic.gap.0 - by), (None, &periodic.gap.1 + by)),
    }
}

fn sum<const N: usize>(terms: [(Unknown, i64); N]) -> Linear {
    Linear::from_iter(terms.map(|(unknown, times)| (unknown, Rational::from(times))))
}

fn minus(left: Linear, unknown: Unknown) -> Linear {
    let terms = left.terms().iter().cloned();
    Linear::from_iter(terms.chain([(unknown, Rational::from(-1))]))
}

/// The step sizes that are tried for times: multiples and simple fractions of the unit.
fn preference(unit: &Rational) -> Preference {
    let steps = [
        (10, 1),
        (5, 1),
        (1, 1),
        (1, 2),
        (1, 10),
        (1, 100),
        (1, 1000),
    ];
    Preference {
        steps: steps
            .map(|(n, d)| unit * Rational::new(n, d))
            .into_iter()
            .collect(),
        ends: lp::Ends::Allow,
    }
}

/// The indices of the events that are activations of a node.
fn activations(machine: &Machine, run: &Run, node: NodeId) -> Vec<usize> {
    let events = run.choices.iter().enumerate();
    let own = events.filter(|(_, choice)| machine.activates(&choice.event) == Some(node));
    own.map(|(e, _)| e).collect()
}
