//! What declared times constraint of activations: in whole units, every gap free within its bounds.
//!
//! A fixed period is taken for a gap that may change, and jitter for a part of the gap, so that every exact run has times
//! that meet these constraints; the constraints are the same from every activation on, so that what is left of a run behind any
//! moment meets them, too, if its first activations may be as late as the longest gap ([`Start::Arbitrary`]).

use crate::constraints::difference::Constraint;
use crate::defects::{Defect, broken};
use machine::{Channel, Delay, Jitter, Machine, NodeId, Periodic, Timing};
use rational::Rational;

/// Where the unrolled part of a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Where runs begin.
    Initial,
    /// At any moment of a run.
    Arbitrary,
}

/// The times of the activations of all nodes, in units.
pub struct Times {
    unit: Rational,
    /// By node.
    timings: Vec<NodeTiming>,
    /// How long messages take, at least and at most.
    pub delay: (i128, i128),
    /// They take no time, and arrive as part of the sending event.
    pub at_once: bool,
    /// They arrive in the order in which they are sent.
    pub fifo: bool,
}

/// The activations of a node.
struct NodeTiming {
    /// The earliest and the latest first one.
    first: (i128, i128),
    /// By number of gaps, from 0: how long so many last at least and at most.
    spans: Vec<(i128, i128)>,
    /// Longer spans say no more than their gaps do.
    adds_up: bool,
    /// The first one is declared not to be later than a gap, jitter aside.
    first_in_a_gap: bool,
}

/// Spans that are computed.
pub const MAX_SPANS: u32 = 400;

/// Earlier than anything that matters.
const LONG_AGO: i128 = -(1 << 80);

impl Times {
    /// The times of a Machine in which every node has a periodic; otherwise nothing.
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
                // Also from where runs begin.
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

    /// When the n-th activation of a node is, from 1, if nothing else is demanded.
    pub fn nth(&self, node: NodeId, n: u32) -> (i128, i128) {
        let timing = &self.timings[node.index()];
        let span = timing.spans[n as usize - 1];
        (timing.first.0 + span.0, timing.first.1 + span.1)
    }

    /// How long so many gaps of a node last.
    pub fn span(&self, node: NodeId, gaps: u32) -> (i128, i128) {
        self.timings[node.index()].spans[gaps as usize]
    }

    /// How many activations of a node can be up to a time; nothing if there are too many to be counted.
    pub fn most_until(&self, node: NodeId, time: i128) -> Option<u32> {
        (0..MAX_SPANS).find(|n| self.nth(node, n + 1).0 > time)
    }

    /// How many messages of a node, one of each activation, can be on their path at one moment; nothing if there are too many to be
    /// counted.
    pub fn in_transit(&self, node: NodeId) -> Option<u32> {
        match self.at_once || broken(Defect::OnTheWayForgotten) {
            true => Some(0),
            // So many gaps are over while the first of them travels.
            false => (1..MAX_SPANS).find(|gaps| self.span(node, *gaps).0 > self.delay.1),
        }
    }

    /// When the n-th activation of a node before the beginning was, from 1, the last one, if nothing else is demanded.
    pub fn before(&self, node: NodeId, n: u32) -> (i128, i128) {
        let timing = &self.timings[node.index()];
        let back = timing.spans[n as usize - 1];
        let earliest = match timing.adds_up || timing.first_in_a_gap {
            true => timing.first.0 - timing.first.1.max(timing.spans[1].1) - back.1,
            false => LONG_AGO,
        };
        (earliest, -back.0)
    }

    /// The constraints on activations of a node before the beginning, the last one first, and on how much earlier they are than
    /// those after it. There may have been none: then some can be thought of all the same, as the header of `rule.rs` says.
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

    /// The constraints on the first so many activations of a node, which are these moments; moment 0 is the start.
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
