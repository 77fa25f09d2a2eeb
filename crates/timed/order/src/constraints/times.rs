//! Declared times as constraints on activations: in whole units, every gap free within its bounds.
//!
//! A fixed period is relaxed to a gap that may change, and jitter to a part of the gap, so every exact run has
//! times that satisfy these constraints. The constraints are the same from every activation on, so the suffix
//! of a run from any moment satisfies them, too, if its first activations may be as late as the longest gap
//! ([`Start::Arbitrary`]).

use crate::constraints::difference::Constraint;
use crate::defects::{Defect, broken};
use machine::{Channel, Delay, Jitter, Machine, NodeId, Periodic, Timing};
use rational::Rational;

/// The start of the unrolled part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial state of a run.
    Initial,
    /// Any state of a run.
    Arbitrary,
}

/// The times of the activations of all nodes, in units.
pub struct Times {
    unit: Rational,
    /// By node.
    timings: Vec<NodeTiming>,
    /// The least and the greatest delay of messages, in units.
    pub delay: (i128, i128),
    /// Messages have no delay and arrive as part of the sending event.
    pub at_once: bool,
    /// Messages of one sender arrive in the order of sending.
    pub fifo: bool,
}

/// The timing of the activations of a node, in units.
struct NodeTiming {
    /// The earliest and the latest first activation.
    first: (i128, i128),
    /// By number of gaps, from 0: their least and greatest total duration.
    spans: Vec<(i128, i128)>,
    /// Spans of several gaps imply no more than the single gaps do.
    adds_up: bool,
    /// The first activation is declared to be no later than a gap, not counting jitter.
    first_in_a_gap: bool,
}

/// The number of gaps up to which spans are computed.
pub const MAX_SPANS: u32 = 400;

/// A time, in units, earlier than every time that matters.
const LONG_AGO: i128 = -(1 << 80);

impl Times {
    /// The times of a Machine in which every node is periodic; otherwise none.
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
                // This also covers suffixes from the initial state.
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
            let spans = (0..=MAX_SPANS).map(|n| both(&periodic.span(n)));
            Some(NodeTiming {
                first: both(first)?,
                spans: spans.collect::<Option<_>>()?,
                adds_up: !matches!(periodic.jitter, Jitter::OnGrid(_)),
                first_in_a_gap: periodic.first_bounds().1 <= periodic.gap.1,
            })
        });
        Some(Times {
            timings: timings.collect::<Option<_>>()?,
            delay: both(&delay)?,
            at_once: machine.channel == Channel::Instant,
            fifo: matches!(machine.channel, Channel::Fifo(_)),
            unit,
        })
    }

    /// The unit.
    pub fn unit(&self) -> &Rational {
        &self.unit
    }

    /// The earliest and the latest time of the n-th activation of a node, from 1, without other constraints.
    pub fn nth(&self, node: NodeId, n: u32) -> (i128, i128) {
        let timing = &self.timings[node.index()];
        let span = timing.spans[n as usize - 1];
        (timing.first.0 + span.0, timing.first.1 + span.1)
    }

    /// The least and the greatest duration of a number of gaps of a node.
    pub fn span(&self, node: NodeId, gaps: u32) -> (i128, i128) {
        self.timings[node.index()].spans[gaps as usize]
    }

    /// The largest number of activations of a node up to a time; none if it exceeds the computed spans.
    pub fn most_until(&self, node: NodeId, time: i128) -> Option<u32> {
        (0..MAX_SPANS).find(|n| self.nth(node, n + 1).0 > time)
    }

    /// The largest number of messages of a node, one per activation, in transit at one moment; none if it
    /// exceeds the computed spans.
    pub fn in_transit(&self, node: NodeId) -> Option<u32> {
        match self.at_once || broken(Defect::OnTheWayForgotten) {
            true => Some(0),
            // This many gaps last longer than the greatest delay, so the message before them has arrived.
            false => (1..MAX_SPANS).find(|gaps| self.span(node, *gaps).0 > self.delay.1),
        }
    }

    /// The earliest and the latest time of the n-th activation of a node before the start, counted from 1 for
    /// the last one, without other constraints.
    pub fn before(&self, node: NodeId, n: u32) -> (i128, i128) {
        let timing = &self.timings[node.index()];
        let back = timing.spans[n as usize - 1];
        let earliest = match timing.adds_up || timing.first_in_a_gap {
            true => timing.first.0 - timing.first.1.max(timing.spans[1].1) - back.1,
            false => LONG_AGO,
        };
        (earliest, -back.0)
    }

    /// Adds the constraints on activations of a node before the start, the last one first, and on their
    /// distance to those after it. There may have been none: then hypothetical ones can be added, as the head
    /// of `rule/mod.rs` explains.
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
                let (least, most) = timing.spans[gaps];
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

    /// Adds the constraints on the first activations of a node, which are the given moments; moment 0 is the
    /// start.
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
                let (least, most) = timing.spans[gaps];
                constraints.push(Constraint::after(*from, *to, least));
                constraints.push(Constraint::within(*from, *to, most));
            }
        }
    }
}
