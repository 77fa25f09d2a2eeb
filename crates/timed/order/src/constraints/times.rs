//! Declared times as difference constraints on activations: times are whole multiples of a unit, and each gap is free
//! within its bounds.
//!
//! These constraints relax the declared times: a fixed period becomes a gap that may vary, and jitter widens the bounds
//! of the gap. So the times of every exact run satisfy them. The constraints do not depend on the number of the
//! activation, so the suffix of a run from any moment satisfies them, too, provided that the first activation may come
//! as late as the longest gap ([`Start::Arbitrary`]).

use crate::constraints::difference::Constraint;
use crate::defects::{Defect, broken};
use machine::{Channel, Delay, Jitter, Machine, NodeId, Periodic, Timing};
use rational::Rational;

/// Where the unrolled part of a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// In an initial state.
    Initial,
    /// In any state between two events of a run.
    Arbitrary,
}

/// The bounds on the times of activations and messages, in units.
pub struct Times {
    unit: Rational,
    /// By node: the bounds on its activations.
    timings: Vec<NodeTiming>,
    /// The least and the greatest delay of a message, in units.
    pub delay: (i128, i128),
    /// Whether messages arrive as part of the sending event, without delay.
    pub at_once: bool,
    /// Whether messages of one sender arrive in the order of sending.
    pub fifo: bool,
}

/// The bounds on the times of the activations of a node, in units.
struct NodeTiming {
    /// The earliest and the latest time of the first activation.
    first: (i128, i128),
    /// The least and the greatest duration of one gap.
    gap: (i128, i128),
    /// By how much each further gap increases the least and the greatest duration.
    further: (i128, i128),
    /// Whether the bounds of n gaps are n times those of one gap, so that constraints on single gaps suffice. False
    /// with jitter around a grid.
    adds_up: bool,
    /// Whether the latest first activation is at most the longest gap, jitter not counted.
    first_in_a_gap: bool,
}

/// The largest number of gaps that the proof rule considers together.
pub const MAX_SPANS: u32 = 400;

/// The lower bound, in units, for times that have no other lower bound.
const LONG_AGO: i128 = -(1 << 80);

impl NodeTiming {
    /// The least and the greatest duration of `gaps` consecutive gaps. [`Periodic::span`] is affine from one gap on.
    fn span(&self, gaps: u32) -> (i128, i128) {
        match gaps.checked_sub(1) {
            None => (0, 0),
            Some(further) => {
                let times = |by: i128| i128::from(further) * by;
                (
                    self.gap.0 + times(self.further.0),
                    self.gap.1 + times(self.further.1),
                )
            }
        }
    }
}

impl Times {
    /// The bounds of a Machine. `None` if some node is not periodic, if all times are 0, or if a time in units exceeds
    /// 64 bits.
    pub fn of(machine: &Machine, start: Start) -> Option<Times> {
        let mut periodics: Vec<&Periodic> = Vec::new();
        for node in machine.nodes() {
            match machine.timing(machine.kind_of(node)) {
                Some(Timing::Periodic(periodic)) => periodics.push(periodic),
                _ => return None,
            }
        }
        let firsts: Vec<(Rational, Rational)> = periodics
            .iter()
            .map(|periodic| match start {
                Start::Initial => periodic.first_bounds(),
                Start::Arbitrary if broken(Defect::FirstNotWidened) => periodic.first_bounds(),
                // The suffix may be the whole run, whose first activation may come later than the longest gap.
                Start::Arbitrary => {
                    let latest = periodic.first_bounds().1;
                    (Rational::ZERO, latest.max(periodic.span(1).1))
                }
            })
            .collect();
        let delay = match &machine.delay {
            Delay::Within(least, most) => (least.clone(), most.clone()),
            Delay::Any | Delay::BeforeNext => Default::default(),
        };
        let mut unit = delay.0.gcd(&delay.1);
        for (periodic, first) in periodics.iter().zip(&firsts) {
            for n in 1..=2 {
                let span = periodic.span(n);
                unit = unit.gcd(&span.0).gcd(&span.1);
            }
            unit = unit.gcd(&first.0).gcd(&first.1);
        }
        if unit.is_zero() {
            return None;
        }
        let whole = |time: &Rational| (time / &unit).to_i64().map(i128::from);
        let both = |(a, b): &(Rational, Rational)| Some((whole(a)?, whole(b)?));
        let timings = periodics.iter().zip(&firsts).map(|(periodic, first)| {
            let (gap, two) = (both(&periodic.span(1))?, both(&periodic.span(2))?);
            let timing = NodeTiming {
                first: both(first)?,
                gap,
                further: (two.0 - gap.0, two.1 - gap.1),
                adds_up: !matches!(periodic.jitter, Jitter::OnGrid(_)),
                first_in_a_gap: periodic.first_bounds().1 <= periodic.gap.1,
            };
            let (least, most) = timing.span(MAX_SPANS);
            let fits = i64::try_from(least).is_ok() && i64::try_from(most).is_ok();
            fits.then_some(timing)
        });
        Some(Times {
            timings: timings.collect::<Option<_>>()?,
            delay: both(&delay)?,
            at_once: machine.channel == Channel::Instant,
            fifo: matches!(machine.channel, Channel::Fifo(_)),
            unit,
        })
    }

    /// The duration of a unit.
    pub fn unit(&self) -> &Rational {
        &self.unit
    }

    /// The earliest and the latest time of the n-th activation of a node, from 1, as far as the times of this node
    /// decide.
    pub fn nth(&self, node: NodeId, n: u32) -> (i128, i128) {
        let timing = &self.timings[node.index()];
        let span = timing.span(n - 1);
        (timing.first.0 + span.0, timing.first.1 + span.1)
    }

    /// The least and the greatest duration of `gaps` consecutive gaps of a node.
    pub fn span(&self, node: NodeId, gaps: u32) -> (i128, i128) {
        self.timings[node.index()].span(gaps)
    }

    /// The largest number of activations that a node can make up to a time; `None` if it is `MAX_SPANS` or more.
    pub fn most_until(&self, node: NodeId, time: i128) -> Option<u32> {
        (0..MAX_SPANS).find(|n| self.nth(node, n + 1).0 > time)
    }

    /// The largest number of messages of a node that can be in transit at one moment, if it sends one per activation;
    /// `None` if it is `MAX_SPANS` or more.
    pub fn in_transit(&self, node: NodeId) -> Option<u32> {
        match self.at_once || broken(Defect::OnTheWayForgotten) {
            true => Some(0),
            // This many gaps last longer than the greatest delay, so a message sent before them has arrived.
            false => (1..MAX_SPANS).find(|gaps| self.span(node, *gaps).0 > self.delay.1),
        }
    }

    /// The earliest and the latest time of the n-th activation of a node before the start, counted backwards from 1, as
    /// far as the times of this node decide.
    pub fn before(&self, node: NodeId, n: u32) -> (i128, i128) {
        let timing = &self.timings[node.index()];
        let back = timing.span(n - 1);
        let earliest = match timing.adds_up || timing.first_in_a_gap {
            true => timing.first.0 - timing.first.1.max(timing.gap.1) - back.1,
            false => LONG_AGO,
        };
        (earliest, -back.0)
    }

    /// Adds the constraints on the activations of a node before the start, and on their distances to the activations
    /// after it. `before` lists the moments of the former, the last one first; `after` those of the latter. If the run
    /// has fewer earlier activations, hypothetical ones without messages satisfy the constraints (see the head of
    /// `rule/mod.rs`).
    pub fn constraints_before(
        &self,
        node: NodeId,
        before: &[usize],
        after: &[usize],
        constraints: &mut Vec<Constraint>,
    ) {
        let timing = &self.timings[node.index()];
        let Some(last) = before.first() else {
            return;
        };
        constraints.push(Constraint::after(*last, 0, 0));
        let mut all: Vec<usize> = before.iter().rev().copied().collect();
        all.extend(after);
        let furthest = if timing.adds_up { 1 } else { all.len() };
        for (n, from) in all[..before.len()].iter().enumerate() {
            for (gaps, to) in all[n..].iter().enumerate().skip(1).take(furthest) {
                let (least, most) = timing.span(gaps as u32);
                constraints.push(Constraint::after(*from, *to, least));
                let across = n + gaps >= before.len();
                match (across, timing.adds_up) {
                    (true, true) => {
                        constraints.push(Constraint::within(*from, *to, most.max(timing.first.1)));
                    }
                    (true, false) if !timing.first_in_a_gap => {}
                    _ => constraints.push(Constraint::within(*from, *to, most)),
                }
            }
        }
    }

    /// Adds the constraints on the activations of a node after the start. `moments` lists their moments in order;
    /// moment 0 is the start.
    pub fn constraints(&self, node: NodeId, moments: &[usize], constraints: &mut Vec<Constraint>) {
        let timing = &self.timings[node.index()];
        let Some(first) = moments.first() else {
            return;
        };
        constraints.push(Constraint::after(0, *first, timing.first.0));
        constraints.push(Constraint::within(0, *first, timing.first.1));
        for (n, from) in moments.iter().enumerate() {
            let furthest = if timing.adds_up { 1 } else { moments.len() };
            for (gaps, to) in moments[n..].iter().enumerate().skip(1).take(furthest) {
                let (least, most) = timing.span(gaps as u32);
                constraints.push(Constraint::after(*from, *to, least));
                constraints.push(Constraint::within(*from, *to, most));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::First;

    #[test]
    fn spans_are_those_of_the_machine() {
        let number = |n: i64| Rational::from(n);
        let jitters = [
            Jitter::None,
            Jitter::PerGap(number(2)),
            Jitter::OnGrid(number(3)),
        ];
        for jitter in jitters {
            let periodic = Periodic {
                gap: (number(10), number(13)),
                fixed: true,
                jitter,
                first: (First::At(number(0)), First::Period),
            };
            let whole = |time: Rational| i128::from(time.to_i64().expect("a whole time"));
            let span = |n| {
                let (least, most) = periodic.span(n);
                (whole(least), whole(most))
            };
            let (gap, two) = (span(1), span(2));
            let timing = NodeTiming {
                first: (0, 13),
                gap,
                further: (two.0 - gap.0, two.1 - gap.1),
                adds_up: true,
                first_in_a_gap: true,
            };
            for n in 0..=MAX_SPANS {
                assert_eq!(timing.span(n), span(n));
            }
        }
    }
}
