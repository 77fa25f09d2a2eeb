//! Exact times for an order of events that is feasible with free gaps. They respect fixed periods and jitter that does
//! not accumulate.
//!
//! Periods and times are the unknowns of a linear program. If it is infeasible, the chosen orders that occur in its
//! Farkas certificate are jointly infeasible.

use crate::constraints::atoms::Atom;
use crate::constraints::times::Start;
use crate::unroll::unrolled::Unrolled;
use lp::{Answer, Linear, Problem, Row, Solver, Unknown};
use machine::{First, Jitter, Machine, NodeId, Periodic, Timing};
use rational::Rational;
use verdict::Demanded;

/// The declared timings of the nodes of a Machine.
pub struct Periods<'m> {
    machine: &'m Machine,
    start: Start,
}

/// Whether exact times exist.
pub enum Exact {
    /// Exact times exist: the moments in an order in which they occur, with their times.
    Order(Vec<(usize, Rational)>),
    /// No exact times exist.
    Never {
        /// A clause over the order atoms that follows: the negations of the chosen orders that are jointly infeasible.
        clause: Vec<i32>,
        /// The Farkas certificate: constraints with their multipliers.
        sum: Vec<(Demanded, Rational)>,
    },
}

impl<'m> Periods<'m> {
    /// The timings of a Machine in runs with this start.
    pub fn of(machine: &'m Machine, start: Start) -> Periods<'m> {
        Periods { machine, start }
    }

    fn periodic(&self, node: NodeId) -> &'m Periodic {
        match self.machine.timing(self.machine.kind_of(node)) {
            Some(Timing::Periodic(periodic)) => periodic,
            _ => unreachable!("every node is periodic"),
        }
    }

    /// Whether every node has free gaps, so that the times of the difference constraints are exact already.
    fn have_free_gaps(&self) -> bool {
        let mut nodes = self.machine.nodes();
        nodes.all(|node| {
            let periodic = self.periodic(node);
            !periodic.fixed && !matches!(periodic.jitter, Jitter::OnGrid(_))
        })
    }

    /// Looks for exact times for the chosen orders. `order` is a feasible order with free gaps; only moments up to the
    /// cut, and the next activation of each node, get exact times. `chosen` lists the literal, atom and value of each
    /// choice.
    pub fn exact(
        &self,
        unrolled: &Unrolled<'_, '_>,
        order: &[(usize, i128)],
        chosen: &[(i32, Atom, bool)],
    ) -> Exact {
        if self.have_free_gaps() {
            let unit = unrolled.times.unit();
            let timed = order
                .iter()
                .map(|(m, time)| (*m, &Rational::new(*time, 1) * unit));
            return Exact::Order(timed.collect());
        }
        let order: Vec<usize> = order.iter().map(|(moment, _)| *moment).collect();
        let mut system = System::of(self, unrolled, &order, chosen);
        match system.solver.solve() {
            Answer::Point(point) => Exact::Order(system.order(unrolled, &point, chosen)),
            Answer::Infeasible(reason) => {
                let clause = reason.rows().filter_map(|row| system.reason(row));
                let name = |row: &Row| system.names[row.0 as usize];
                Exact::Never {
                    clause: clause.collect(),
                    sum: reason
                        .0
                        .iter()
                        .map(|(row, by)| (name(row), by.clone()))
                        .collect(),
                }
            }
        }
    }
}

/// The linear program for an order of events.
struct System {
    solver: Solver,
    /// By moment: the unknown of its time; `None` if the moment is not part of the program.
    times: Vec<Option<Unknown>>,
    /// The rows of chosen orders, each with the literal that negates the choice.
    rows: Vec<(Row, i32)>,
    /// By row: the declared bound or the choice from which it comes.
    names: Vec<Demanded>,
}

impl System {
    fn of(
        periods: &Periods<'_>,
        unrolled: &Unrolled<'_, '_>,
        order: &[usize],
        chosen: &[(i32, Atom, bool)],
    ) -> System {
        let atoms = &unrolled.atoms;
        let mut problem = Problem::new();
        let mut times: Vec<Option<Unknown>> = vec![None; atoms.moments()];
        // Moments after the cut can be timed later, so the program omits them, except the next activation of each node.
        let now = place(order, atoms.cut());
        let matters = |moment: usize| place(order, moment) <= now;
        let mut rows = Vec::new();
        let mut names = Vec::new();
        for node in periods.machine.nodes() {
            let periodic = periods.periodic(node);
            let most = unrolled.horizon.after[node.index()];
            let own: Vec<usize> = (1..=most).map(|n| atoms.moment((node, n))).collect();
            let passed = own.iter().take_while(|moment| matters(**moment)).count();
            // The activation after the cut bounds the time of the cut from above.
            let own = &own[..own.len().min(passed + 1)];
            let period = problem.unknown();
            problem.at_least(period, periodic.gap.0.clone());
            problem.at_most(period, periodic.gap.1.clone());
            names.extend([Demanded::PeriodFrom(node), Demanded::PeriodTo(node)]);
            for moment in own {
                times[*moment] = Some(problem.unknown());
            }
            let of = |moment: usize| times[moment].expect("made above");
            period_rows(
                &mut problem,
                periodic,
                period,
                own.iter().map(|m| of(*m)),
                periods.start,
            );
            names.extend(names_of_rows(node, own.len()));
            let mut later = own.first().map(|m| of(*m));
            for n in 1..=unrolled.horizon.before[node.index()] {
                let (Some(next), true) = (later, is_first_in_a_period(periodic)) else {
                    break;
                };
                let time = problem.unknown();
                problem.at_most(time, Rational::ZERO);
                period_rows_before(&mut problem, periodic, period, (time, next));
                let before = (node, 1 - n as i32);
                names.extend(
                    [Demanded::Over, Demanded::GapFrom, Demanded::GapTo].map(|say| say(before)),
                );
                times[atoms.moment_before((node, n))] = Some(time);
                later = Some(time);
            }
        }
        let now = atoms.cut();
        let last = problem.unknown();
        problem.at_least(last, Rational::ZERO);
        names.push(Demanded::Now);
        times[now] = Some(last);
        let unit = unrolled.times.unit();
        for (literal, atom, value) in chosen {
            let constraint = atoms.constraint(&unrolled.times, *atom, *value);
            let (Some(from), Some(to)) = (times[constraint.from], times[constraint.to]) else {
                continue;
            };
            let by = &Rational::new(constraint.by, 1) * unit;
            let row = problem.at_least(Linear::difference(to, from), by);
            rows.push((row, if *value { -literal } else { *literal }));
            names.push(Demanded::By(atom.choice(*value)));
        }
        System {
            solver: Solver::new(problem),
            times,
            rows,
            names,
        }
    }

    fn reason(&self, row: Row) -> Option<i32> {
        let found = self.rows.iter().find(|(r, _)| *r == row);
        found.map(|(_, literal)| *literal)
    }

    /// All moments with times, sorted by time; moments at the same time are in an order that the chosen orders allow.
    fn order(
        &self,
        unrolled: &Unrolled<'_, '_>,
        point: &[Rational],
        chosen: &[(i32, Atom, bool)],
    ) -> Vec<(usize, Rational)> {
        let timed: Vec<usize> = (0..self.times.len())
            .filter(|m| self.times[*m].is_some())
            .collect();
        let time = |moment: usize| self.times[moment].map(|unknown| &point[unknown.0 as usize]);
        let precede: Vec<(usize, usize)> = chosen
            .iter()
            .map(|(_, atom, value)| unrolled.atoms.constraint(&unrolled.times, *atom, *value))
            .filter(|constraint| constraint.precedes)
            .map(|constraint| (constraint.from, constraint.to))
            .filter(|(a, b)| time(*a).is_some() && time(*a) == time(*b))
            .collect();
        let mut order: Vec<(usize, Rational)> = Vec::new();
        let mut left = timed;
        left.sort_by_key(|moment| (time(*moment).cloned(), *moment));
        // Among moments at the same time, takes the first one whose required predecessors are all placed.
        while !left.is_empty() {
            let ready = |moment: usize| {
                !precede
                    .iter()
                    .any(|(a, b)| *b == moment && left.contains(a))
            };
            let next = left.iter().position(|moment| ready(*moment)).unwrap_or(0);
            let next = left.remove(next);
            order.push((next, time(next).cloned().unwrap_or_default()));
        }
        order
    }
}

fn place(order: &[usize], moment: usize) -> usize {
    let found = order.iter().position(|m| *m == moment);
    found.unwrap_or(usize::MAX)
}

/// Where the rows of `period_rows` come from, in their order, for the first `many` activations of a node.
fn names_of_rows(node: NodeId, many: usize) -> Vec<Demanded> {
    let first = [Demanded::FirstFrom(node), Demanded::FirstTo(node)];
    let gaps = (1..many as i32).map(|n| [Demanded::GapFrom((node, n)), Demanded::GapTo((node, n))]);
    let all = std::iter::once(first).chain(gaps).flatten();
    all.take(2 * many).collect()
}

/// Whether the first activation always comes within a period, so that a hypothetical activation one period earlier is
/// before the start.
fn is_first_in_a_period(periodic: &Periodic) -> bool {
    match &periodic.first.1 {
        First::At(time) => *time <= periodic.gap.0,
        First::Period => true,
    }
}

/// Adds the two rows for the distance between an activation before the start (`time`) and its successor (`next`).
fn period_rows_before(
    problem: &mut Problem,
    periodic: &Periodic,
    period: Unknown,
    (time, next): (Unknown, Unknown),
) {
    let slack = match &periodic.jitter {
        Jitter::None => Rational::ZERO,
        Jitter::PerGap(by) => by.clone(),
        Jitter::OnGrid(by) => by + by,
    };
    let since = Linear::difference(next, time);
    if periodic.fixed {
        let gap = Linear::from(period).scaled(&Rational::from(-1));
        let apart: Linear = [since.terms(), gap.terms()].concat().into_iter().collect();
        problem.at_least(apart.clone(), -slack.clone());
        problem.at_most(apart, slack);
    } else {
        problem.at_least(since.clone(), &periodic.gap.0 - &slack);
        problem.at_most(since, &periodic.gap.1 + &slack);
    }
}

/// Adds the rows for the activations of a node after the start: two for the first activation, two for each gap.
fn period_rows(
    problem: &mut Problem,
    periodic: &Periodic,
    period: Unknown,
    times: impl Iterator<Item = Unknown>,
    start: Start,
) {
    let times: Vec<Unknown> = times.collect();
    let Some(first) = times.first() else {
        return;
    };
    let by = match &periodic.jitter {
        Jitter::None => Rational::ZERO,
        Jitter::PerGap(by) | Jitter::OnGrid(by) => by.clone(),
    };
    let minus = Rational::from(-1);
    match start {
        Start::Initial => {
            match &periodic.first.0 {
                First::At(time) => problem.at_least(*first, time.clone()),
                First::Period if periodic.fixed => {
                    problem.at_least(Linear::difference(*first, period), Rational::ZERO)
                }
                First::Period => problem.at_least(*first, periodic.gap.1.clone()),
            };
            match &periodic.first.1 {
                First::At(time) => problem.at_most(*first, time.clone()),
                First::Period if periodic.fixed => {
                    problem.at_most(Linear::difference(*first, period), Rational::ZERO)
                }
                First::Period => problem.at_most(*first, periodic.gap.1.clone()),
            };
        }
        Start::Arbitrary => {
            let latest = periodic.first_bounds().1.max(periodic.span(1).1);
            problem.at_least(*first, Rational::ZERO);
            problem.at_most(*first, latest);
        }
    }
    for (n, time) in times.iter().enumerate().skip(1) {
        // With jitter around a grid and from an initial state, distances are measured from the first activation;
        // otherwise from the previous one.
        let (from, gaps, slack) = match (&periodic.jitter, start) {
            (Jitter::OnGrid(_), Start::Initial) => (times[0], n as i64, by.clone()),
            (Jitter::OnGrid(_), Start::Arbitrary) => (times[n - 1], 1, &by + &by),
            _ => (times[n - 1], 1, by.clone()),
        };
        let since = Linear::difference(*time, from);
        match periodic.fixed {
            true => {
                let gap = Linear::from(period).scaled(&(&Rational::from(gaps) * &minus));
                let apart: Linear = [since.terms(), gap.terms()].concat().into_iter().collect();
                problem.at_least(apart.clone(), -slack.clone());
                problem.at_most(apart, slack);
            }
            false => {
                let times = Rational::from(gaps);
                problem.at_least(since.clone(), &times * &periodic.gap.0 - &slack);
                problem.at_most(since, &times * &periodic.gap.1 + &slack);
            }
        }
    }
}
