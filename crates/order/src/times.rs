//! What declared times demand of activations: in whole units, every gap free within its bounds.
//!
//! A fixed period is taken for a gap that may change, and jitter for a part of the gap, so that every exact run has times
//! that meet these demands; the demands are the same from every activation on, so that what is left of a run behind any
//! moment meets them, too, if its first activations may be as late as the longest gap ([`Start::Anywhere`]).

use crate::defects::{Defect, broken};
use crate::difference::Demand;
use machine::{Delay, Jitter, Machine, NodeId, Periodic, Timing};
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
}

/// The activations of a node.
struct Beat {
    /// The earliest and the latest first one.
    first: (i128, i128),
    /// By number of gaps, from 0: how long so many last at least and at most.
    spans: Vec<(i128, i128)>,
    /// Longer spans say no more than their gaps do.
    adds_up: bool,
}

/// Spans that are computed.
pub const MOST: u32 = 400;

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
            })
        });
        Some(Times {
            beats: beats.collect::<Option<_>>()?,
            delay: both(&delay)?,
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
