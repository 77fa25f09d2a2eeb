//! What declared times demand of activations: in whole units, every gap free within its bounds.
//!
//! A fixed period is taken for a gap that may change, and jitter for a part of the gap, so that every exact run has times
//! that meet these demands; the demands are the same from every activation on, so that what is left of a run behind any
//! moment meets them, too, if its first activations may be as late as the longest gap ([`Start::Anywhere`]).

use crate::constraints::difference::Demand;
use crate::defects::{Defect, broken};
use machine::{Channel, Delay, Jitter, Machine, NodeId, Periodic, Timing};
use rational::Rational;

/// Where the unrolled part of a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Where runs begin.
    Real,
    /// At any moment of a run.
    Anywhere,
}

/// The times of the activations of all nodes, in units.
pub struct Times {
    unit: Rational,
    /// By node.
    beats: Vec<Beat>,
    /// How long messages take, at least and at most.
    pub delay: (i128, i128),
    /// They take no time, and arrive as part of the sending event.
    pub at_once: bool,
    /// They arrive in the order in which they are sent.
    pub fifo: bool,
}

/// The activations of a node.
struct Beat {
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
pub const MOST: u32 = 400;

/// Earlier than anything that matters.
const LONG_AGO: i128 = -(1 << 80);

impl Times {
    /// The times of a Machine in which every node has a rhythm; otherwise nothing.
    pub fn of(machine: &Machine, start: Start) -> Option<Times> {
        let mut rhythms: Vec<&Periodic> = Vec::new();
        for node in machine.nodes() {
            match machine.timing(machine.kind_of(node)) {
                Some(Timing::Periodic(periodic)) => rhythms.push(periodic),
                _ => return None,
            }
        }
        let firsts: Vec<(Rational, Rational)> = rhythms
            .iter()
            .map(|rhythm| match start {
                Start::Real => rhythm.first_bounds(),
                Start::Anywhere if broken(Defect::FirstNotWidened) => rhythm.first_bounds(),
                // Also from where runs begin.
                Start::Anywhere => {
                    let latest = rhythm.first_bounds().1;
                    (Rational::ZERO, latest.max(rhythm.span(1).1))
                }
            })
            .collect();
        let delay = match &machine.delay {
            Delay::Within(least, most) => (least.clone(), most.clone()),
            Delay::Any | Delay::BeforeNext => Default::default(),
        };
        let mut unit = delay.0.gcd(&delay.1);
        for (rhythm, first) in rhythms.iter().zip(&firsts) {
            for n in 1..=2 {
                let span = rhythm.span(n);
                unit = unit.gcd(&span.0).gcd(&span.1);
            }
            unit = unit.gcd(&first.0).gcd(&first.1);
        }
        if unit.is_zero() {
            return None;
        }
        let whole = |time: &Rational| (time / &unit).to_i64().map(i128::from);
        let both = |(a, b): &(Rational, Rational)| Some((whole(a)?, whole(b)?));
        let beats = rhythms.iter().zip(&firsts).map(|(rhythm, first)| {
            let spans = (0..=MOST).map(|n| both(&rhythm.span(n)));
            Some(Beat {
                first: both(first)?,
                spans: spans.collect::<Option<_>>()?,
                adds_up: !matches!(rhythm.jitter, Jitter::OnGrid(_)),
                first_in_a_gap: rhythm.first_bounds().1 <= rhythm.gap.1,
            })
        });
        Some(Times {
            beats: beats.collect::<Option<_>>()?,
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
        let beat = &self.beats[node.index()];
        let span = beat.spans[n as usize - 1];
        (beat.first.0 + span.0, beat.first.1 + span.1)
    }

    /// How long so many gaps of a node last.
    pub fn span(&self, node: NodeId, gaps: u32) -> (i128, i128) {
        self.beats[node.index()].spans[gaps as usize]
    }

    /// How many activations of a node can be up to a time; nothing if there are too many to be counted.
    pub fn most_until(&self, node: NodeId, time: i128) -> Option<u32> {
        (0..MOST).find(|n| self.nth(node, n + 1).0 > time)
    }

    /// How many messages of a node, one of each activation, can be on their way at one moment; nothing if there are too many to be
    /// counted.
    pub fn on_the_way(&self, node: NodeId) -> Option<u32> {
        match self.at_once || broken(Defect::OnTheWayForgotten) {
            true => Some(0),
            // So many gaps are over while the first of them travels.
            false => (1..MOST).find(|gaps| self.span(node, *gaps).0 > self.delay.1),
        }
    }

    /// When the n-th activation of a node before the beginning was, from 1, the last one, if nothing else is demanded.
    pub fn before(&self, node: NodeId, n: u32) -> (i128, i128) {
        let beat = &self.beats[node.index()];
        let back = beat.spans[n as usize - 1];
        let earliest = match beat.adds_up || beat.first_in_a_gap {
            true => beat.first.0 - beat.first.1.max(beat.spans[1].1) - back.1,
            false => LONG_AGO,
        };
        (earliest, -back.0)
    }

    /// The demands on activations of a node before the beginning, the last one first, and on how much earlier they are than
    /// those after it. There may have been none: then some can be thought of all the same, as the header of `rule.rs` says.
    pub fn demands_before(
        &self,
        node: NodeId,
        before: &[usize],
        after: &[usize],
        demands: &mut Vec<Demand>,
    ) {
        let beat = &self.beats[node.index()];
        let Some(last) = before.first() else {
            return;
        };
        demands.push(Demand::after(*last, 0, 0));
        let mut all: Vec<usize> = before.iter().rev().copied().collect();
        all.extend(after);
        let furthest = if beat.adds_up { 1 } else { all.len() };
        for (n, from) in all[..before.len()].iter().enumerate() {
            for (gaps, to) in all[n..].iter().enumerate().skip(1).take(furthest) {
                let (least, most) = beat.spans[gaps];
                demands.push(Demand::after(*from, *to, least));
                let across = n + gaps >= before.len();
                match (across, beat.adds_up) {
                    (true, true) => {
                        demands.push(Demand::within(*from, *to, most.max(beat.first.1)));
                    }
                    (true, false) if !beat.first_in_a_gap => {}
                    _ => demands.push(Demand::within(*from, *to, most)),
                }
            }
        }
    }

    /// The demands on the first so many activations of a node, which are these moments; moment 0 is the start.
    pub fn demands(&self, node: NodeId, moments: &[usize], demands: &mut Vec<Demand>) {
        let beat = &self.beats[node.index()];
        let Some(first) = moments.first() else {
            return;
        };
        demands.push(Demand::after(0, *first, beat.first.0));
        demands.push(Demand::within(0, *first, beat.first.1));
        for (n, from) in moments.iter().enumerate() {
            let furthest = if beat.adds_up { 1 } else { moments.len() };
            for (gaps, to) in moments[n..].iter().enumerate().skip(1).take(furthest) {
                let (least, most) = beat.spans[gaps];
                demands.push(Demand::after(*from, *to, least));
                demands.push(Demand::within(*from, *to, most));
            }
        }
    }
}
