//! Seeded random problems: small ones of any kind, and those of runs of periodic nodes.

use lp::{Linear, Problem, Relation, Row, Unknown};
use rational::Rational;

/// The generator of Steele, Lea and Flood (*SplitMix64*): the same seed gives the same sequence.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }

    pub fn number(&mut self) -> Rational {
        let denominator = [1, 1, 1, 2, 3, 10][self.below(6) as usize];
        Rational::new(self.between(-9, 9).into(), denominator)
    }

    pub fn linear(&mut self, unknowns: u32, most_terms: u64) -> Linear {
        let terms = self.below(most_terms + 1);
        (0..terms)
            .map(|_| (Unknown(self.below(unknowns.into()) as u32), self.number()))
            .collect()
    }

    /// A random problem with at most four unknowns.
    pub fn problem(&mut self) -> Problem {
        let mut problem = Problem::new();
        let unknowns = 1 + self.below(4) as u32;
        for _ in 0..unknowns {
            let x = problem.unknown();
            if self.below(3) == 0 {
                problem.at_least(x, 0);
            }
        }
        for _ in 0..self.below(9) {
            let left = self.linear(unknowns, 3);
            let relation = [
                Relation::AtMost,
                Relation::AtMost,
                Relation::AtLeast,
                Relation::AtLeast,
                Relation::Equal,
            ][self.below(5) as usize];
            let right = self.number();
            problem.row(left, relation, right);
        }
        problem
    }

    /// A random problem with rows `x - y <= c`.
    pub fn differences(&mut self, unknowns: u32, rows: u32) -> Problem {
        let mut problem = Problem::new();
        for _ in 0..unknowns {
            problem.unknown();
        }
        for _ in 0..rows {
            let x = Unknown(self.below(unknowns.into()) as u32);
            let y = Unknown(self.below(unknowns.into()) as u32);
            let right = self.between(-3, 12);
            problem.at_most(Linear::difference(x, y), right);
        }
        problem
    }
}

/// How the ticks of a node are timed.
#[derive(Clone, Copy, PartialEq)]
pub enum Clock {
    /// Each gap between two ticks is in the same range, independently of the others.
    Free,
    /// The node has an unknown period; each gap is near it.
    Drifting,
    /// The node has an unknown period; the k-th tick is near k periods after the first one.
    OnGrid,
}

/// The constraints of a run: nodes that tick, messages, and the order of all events.
pub struct Schedule {
    pub problem: Problem,
    /// The rows that say that one event is not before another.
    pub order: Vec<Row>,
    /// The unknowns, periods first.
    pub unknowns: Vec<Unknown>,
}

/// The constraints of a run of `nodes` nodes that tick `ticks` times each and send messages at random ticks. The run is
/// generated with times, so the problem is feasible; if `hurried`, a message that takes too long may make it
/// infeasible.
pub fn schedule(
    random: &mut Random,
    nodes: u32,
    ticks: u32,
    clock: Clock,
    hurried: bool,
) -> Schedule {
    let mut problem = Problem::new();
    let mut periods = Vec::new();
    // By event: its time in tenths of a unit, and its unknown.
    let mut events: Vec<(i64, Unknown)> = Vec::new();
    let tenth = |number: i64| Rational::new(number.into(), 10);
    for _ in 0..nodes {
        let real_period = random.between(450, 550);
        let first_time = random.between(0, 500);
        let period = problem.unknown();
        if clock != Clock::Free {
            problem.at_least(period, 45);
            problem.at_most(period, 55);
            periods.push(period);
        }
        let first = problem.unknown();
        problem.at_least(first, 0);
        let mut before = (first_time, first);
        events.push(before);
        for k in 1..i64::from(ticks) {
            let time = match clock {
                Clock::Free => before.0 + random.between(450, 550),
                Clock::Drifting => before.0 + real_period + random.between(-10, 10),
                Clock::OnGrid => first_time + k * real_period + random.between(-10, 10),
            };
            let tick = problem.unknown();
            let from_last = Linear::difference(tick, before.1);
            let (left, least, most) = match clock {
                Clock::Free => (from_last, tenth(450), tenth(550)),
                Clock::Drifting => {
                    let terms = from_last.terms().iter().cloned();
                    let left = terms.chain([(period, Rational::from(-1))]).collect();
                    (left, tenth(-10), tenth(10))
                }
                Clock::OnGrid => {
                    let from_first = Linear::difference(tick, first);
                    let terms = from_first.terms().iter().cloned();
                    let left = terms.chain([(period, Rational::from(-k))]).collect();
                    (left, tenth(-10), tenth(10))
                }
            };
            problem.at_least(left.clone(), least);
            problem.at_most(left, most);
            if clock == Clock::OnGrid {
                problem.at_least(Linear::difference(tick, before.1), 0);
            }
            before = (time, tick);
            events.push(before);
        }
    }
    // On average every other tick sends a message, which arrives 1 to 20 units later.
    for sender in 0..events.len() {
        if random.below(2) == 0 {
            let delay = random.between(10, 200);
            let receipt = problem.unknown();
            let left = Linear::difference(receipt, events[sender].1);
            problem.at_least(left.clone(), 1);
            problem.at_most(left, 20);
            events.push((events[sender].0 + delay, receipt));
        }
    }
    if hurried {
        // One message takes 70 units, although at most 20 are allowed.
        let receipt = problem.unknown();
        let sender = events[events.len() / 2];
        problem.at_most(Linear::difference(receipt, sender.1), 20);
        events.push((sender.0 + 700, receipt));
    }
    events.sort_by_key(|(time, unknown)| (*time, *unknown));
    let order = events
        .windows(2)
        .map(|pair| problem.at_least(Linear::difference(pair[1].1, pair[0].1), 0))
        .collect();
    let times = events.into_iter().map(|(_, unknown)| unknown);
    Schedule {
        problem,
        order,
        unknowns: periods.into_iter().chain(times).collect(),
    }
}
