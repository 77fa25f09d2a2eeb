//! The times of one node: which moments of its activations are later than which times.
//!
//! A query has literals *t(n) > b*: the n-th activation of the node after the cut is later than time b. Every
//! activation comes a gap after the one before; the first one comes within a bound of the cut.
//!
//! *Two literals suffice.* The constraints on t(1), t(2), … bound differences of neighbouring times and t(1) itself, and
//! each literal bounds one of them from below (if true) or above (if false). Such a system of difference constraints
//! has no solution only if there is a cycle of bounds with a negative sum (or sum 0 with a strict bound). A shortest
//! cycle passes time 0 at most once, so it has at most one literal that bounds from below and one that bounds from
//! above. Hence the clauses that exclude every infeasible pair, and deciding each literal that is infeasible alone, are
//! all that declared times imply for these literals.
//!
//! Fixed periods are relaxed to free gaps, and jitter widens the gaps: the times of every run satisfy this.

use crate::defects::{Defect, broken};
use machine::{Channel, Delay, Machine, Timing};
use rational::Rational;
use sat::{Aig, Lit};

/// Where times begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the start of a run.
    Initial,
    /// At any moment of a run.
    Anywhere,
}

/// The bounds that the declared times give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Durations {
    /// The shortest and the longest gap.
    pub gap: (Rational, Rational),
    /// The earliest and the latest first activation of a run.
    pub first: (Rational, Rational),
    /// The shortest and the longest travel time of a message.
    pub delay: (Rational, Rational),
}

impl Durations {
    /// The durations of the only kind of a Machine; `None` if it is not periodic.
    pub fn of(machine: &Machine) -> Option<Durations> {
        let periodic = match machine.timing(machine::KindId(0)) {
            Some(Timing::Periodic(periodic)) => periodic,
            _ => return None,
        };
        let delay = match (&machine.channel, &machine.delay) {
            (Channel::Instant, _) => (Rational::ZERO, Rational::ZERO),
            (_, Delay::Within(least, most)) => (least.clone(), most.clone()),
            _ => return None,
        };
        let delay = match broken(Defect::DelaysForgotten) {
            true => (Rational::ZERO, Rational::ZERO),
            false => delay,
        };
        Some(Durations {
            gap: periodic.span(1),
            first: periodic.first_bounds(),
            delay,
        })
    }

    /// The latest time of the first activation after a cut at any moment. If the node has an activation before the cut,
    /// the next one comes within the longest gap. Otherwise it comes no later than a first activation may.
    pub fn latest_first(&self) -> Rational {
        match broken(Defect::FirstNotWidened) {
            true => self.first.1.clone(),
            false => self.first.1.clone().max(self.gap.1.clone()),
        }
    }

    /// The earliest and the latest time of the n-th activation, from 1.
    pub fn nth(&self, start: Start, n: u32) -> (Rational, Rational) {
        let gaps = Rational::from(n - 1);
        let first = match start {
            Start::Initial => self.first.clone(),
            Start::Anywhere => (Rational::ZERO, self.latest_first()),
        };
        (first.0 + &gaps * &self.gap.0, first.1 + &gaps * &self.gap.1)
    }

    /// The longest time without an arriving message of a sender that always sends.
    ///
    /// From any moment c on, the sender is activated at a time s in (c, c + latest first], and the message arrives by
    /// s plus the longest delay.
    pub fn silence(&self) -> Rational {
        self.latest_first() + &self.delay.1
    }

    /// Whether a sender's message surely arrives between two activations that are this many gaps apart, strictly
    /// between them.
    pub fn is_certain(&self, gaps: u32) -> bool {
        Rational::from(gaps) * &self.gap.0 > self.silence()
    }
}

/// A literal that an activation is later than a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The number of the activation, from 1.
    pub activation: u32,
    /// The time.
    pub bound: Rational,
    /// The literal: the activation is strictly later than the time.
    pub lit: Lit,
}

/// The literals about times of a query.
#[derive(Clone, Debug)]
pub struct Moments {
    /// Where times begin.
    pub start: Start,
    /// The declared bounds.
    pub durations: Durations,
    /// The literals that declared times leave open.
    pub open: Vec<Threshold>,
    /// The queried literals that declared times decide; they are constants.
    pub decided: Vec<Threshold>,
    /// The numbers of gaps between which a message of every sender surely arrives, as far as they were used.
    pub certain: Vec<u32>,
}

impl Moments {
    pub(crate) fn new(start: Start, durations: Durations) -> Moments {
        Moments {
            start,
            durations,
            open: Vec::new(),
            decided: Vec::new(),
            certain: Vec::new(),
        }
    }

    /// Whether a message surely arrives between two activations; see [`Durations::is_certain`].
    pub(crate) fn is_certain(&mut self, gaps: u32) -> bool {
        let certain = self.durations.is_certain(gaps);
        if certain && !self.certain.contains(&gaps) {
            self.certain.push(gaps);
        }
        certain
    }

    /// The literal that the n-th activation is strictly later than a time.
    pub fn past(&mut self, aig: &mut Aig, activation: u32, bound: &Rational) -> Lit {
        let (earliest, latest) = self.durations.nth(self.start, activation);
        if earliest > *bound || latest <= *bound {
            let lit = Lit::constant(earliest > *bound);
            self.decided.push(Threshold {
                activation,
                bound: bound.clone(),
                lit,
            });
            return lit;
        }
        let known = self
            .open
            .iter()
            .find(|t| t.activation == activation && t.bound == *bound);
        if let Some(known) = known {
            return known.lit;
        }
        let lit = aig.input();
        self.open.push(Threshold {
            activation,
            bound: bound.clone(),
            lit,
        });
        lit
    }

    /// The pairs of indices into `open` such that the first literal cannot be true while the second is false.
    pub fn conflicts(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (i, after) in self.open.iter().enumerate() {
            for (j, before) in self.open.iter().enumerate() {
                if i != j && self.exclude(after, before) {
                    pairs.push((i, j));
                }
            }
        }
        pairs
    }

    /// Whether `after` cannot be true while `before` is false.
    fn exclude(&self, after: &Threshold, before: &Threshold) -> bool {
        let (m, n) = (after.activation, before.activation);
        let gap = &self.durations.gap;
        match m <= n {
            // t(n) is at least t(m) plus the shortest gaps, and t(m) > b.
            true => &after.bound + &(Rational::from(n - m) * &gap.0) >= before.bound,
            // t(m) is at most t(n) plus the longest gaps.
            false => &before.bound + &(Rational::from(m - n) * &gap.1) <= after.bound,
        }
    }

    /// The latest time that the n-th activation can have in an assignment of the literals.
    pub fn latest(&self, n: u32, is_true: &dyn Fn(Lit) -> bool) -> Rational {
        let mut latest = self.durations.nth(self.start, n).1;
        for threshold in self.open.iter().filter(|t| !is_true(t.lit)) {
            let m = threshold.activation;
            let bound = match m <= n {
                true => &threshold.bound + &(Rational::from(n - m) * &self.durations.gap.1),
                false => &threshold.bound - &(Rational::from(m - n) * &self.durations.gap.0),
            };
            latest = latest.min(bound);
        }
        latest
    }
}
