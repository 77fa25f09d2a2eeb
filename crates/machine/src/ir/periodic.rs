//! Periodic timing: intervals of activation times, and whether a Machine has real times.
//!
//! The intervals do not use that a fixed period is the same for all gaps of a node: each gap may take any value of its
//! range. The intervals therefore contain the times of all exact runs, and order rules derived from them exclude no
//! order of an exact run.

use crate::{
    Abstraction, BlockId, Delay, Digitisation, Expr, First, Jitter, KindId, Machine, Periodic,
    Timing, Trigger,
};
use rational::Rational;

/// The earliest and the latest time, both included.
pub type Interval = (Rational, Rational);

impl Periodic {
    /// The shortest and the longest duration of a number of consecutive gaps.
    pub fn span(&self, gaps: u32) -> Interval {
        let n = Rational::from(gaps);
        let slack = match &self.jitter {
            _ if gaps == 0 => Rational::default(),
            Jitter::None => Rational::default(),
            Jitter::PerGap(by) => &n * by,
            Jitter::OnGrid(by) => by + by,
        };
        (&n * &self.gap.0 - &slack, &n * &self.gap.1 + &slack)
    }

    /// The shortest and the longest duration of a number of gaps after the first activation. The first activation has
    /// no jitter, so that `OnGrid` jitter applies only at the end.
    fn span_from_first(&self, gaps: u32) -> Interval {
        match &self.jitter {
            Jitter::OnGrid(by) if gaps > 0 => {
                let n = Rational::from(gaps);
                (&n * &self.gap.0 - by, &n * &self.gap.1 + by)
            }
            _ => self.span(gaps),
        }
    }

    /// The earliest and the latest first activation of a node; `period` is its fixed period, if it has one.
    pub fn first_of(&self, period: Option<&Rational>) -> Interval {
        let bound = |first: &First| match first {
            First::At(time) => time.clone(),
            First::Period => period.unwrap_or(&self.gap.1).clone(),
        };
        (bound(&self.first.0), bound(&self.first.1))
    }

    /// The earliest and the latest first activation, over all periods in `gap`.
    pub fn first_bounds(&self) -> Interval {
        let (short, long) = match self.fixed {
            true => (Some(&self.gap.0), Some(&self.gap.1)),
            false => (None, None),
        };
        (self.first_of(short).0, self.first_of(long).1)
    }

    /// The earliest and the latest n-th activation, counted from 1.
    pub fn nth(&self, n: u32) -> Interval {
        let (first, span) = (self.first_bounds(), self.span_from_first(n - 1));
        (first.0 + span.0, first.1 + span.1)
    }
}

impl Machine {
    /// The timing of a kind's activations; `None` if the kind has no `every` block.
    pub fn timing(&self, kind: KindId) -> Option<&Timing> {
        self.blocks.iter().find_map(|block| match &block.trigger {
            Trigger::Every(timing) if block.kind == kind => Some(timing),
            _ => None,
        })
    }

    /// The timing of an `every` block; `None` for other blocks.
    pub fn block_timing(&self, block: BlockId) -> Option<&Timing> {
        match &self.blocks[block.index()].trigger {
            Trigger::Every(timing) => Some(timing),
            Trigger::Start | Trigger::On(..) | Trigger::When(_) | Trigger::Timer(_) => None,
        }
    }

    /// The kinds with periodic timing, each with its timing.
    pub fn periodic_kinds(&self) -> Vec<(KindId, &Periodic)> {
        let kinds = (0..self.kinds.len()).map(|k| KindId(k as u32));
        kinds
            .filter_map(|kind| match self.timing(kind) {
                Some(Timing::Periodic(periodic)) => Some((kind, periodic)),
                _ => None,
            })
            .collect()
    }

    /// Whether the Machine has real times: periodic blocks, bounded delays, timers, response obligations, timed
    /// restarts, a digitisation, or properties that read the time.
    pub fn has_time(&self) -> bool {
        let restarts = self
            .runtime_faults
            .iter()
            .filter_map(|item| item.stop.as_ref());
        self.digitisation().is_some()
            || !self.periodic_kinds().is_empty()
            || matches!(self.delay, Delay::Within(..))
            || !self.timers.is_empty()
            || !self.responses.is_empty()
            || restarts.into_iter().any(|restart| restart.within.is_some())
            || self.properties_contain(|e| matches!(e, Expr::Now(..)))
    }

    /// The digitisation; `None` if the abstraction is another one.
    pub fn digitisation(&self) -> Option<&Digitisation> {
        match &self.abstraction {
            Abstraction::Digitised(grid) => Some(grid),
            Abstraction::Exact | Abstraction::Order(..) => None,
        }
    }
}
