//! The bounds of declared times: gaps, jitter, first activations, delays.
//!
//! All intervals are closed, and a wider interval only adds runs: every run of a Machine is a run of the same Machine
//! with wider intervals.

use crate::{Delay, First, Jitter, Machine, Timing, Trigger};
use rational::Rational;

/// One end of an interval of declared times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The value of the bound.
    pub time: Rational,
    /// Whether the bound is the lower or the upper end of its interval.
    pub end: End,
}

/// The lower or upper end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Lower end: a smaller value adds runs.
    Least,
    /// Upper end: a larger value adds runs.
    Most,
}

impl Machine {
    /// All bounds of declared times. Their order does not depend on their values.
    pub fn declared_bounds(&self) -> Vec<Bound> {
        let mut bounds = Vec::new();
        self.clone().each_bound(&mut |time, end| {
            let time = time.clone();
            bounds.push(Bound { time, end });
        });
        bounds
    }

    /// The Machine with all bounds set to zero and the names of `every` blocks cleared. For two Machines that differ
    /// only in bounds of declared times the results are equal.
    pub fn without_bounds(&self) -> Machine {
        let mut rest = self.clone();
        rest.each_bound(&mut |time, _| *time = Rational::ZERO);
        for block in &mut rest.blocks {
            if let Trigger::Every(_) = block.trigger {
                block.name.clear();
            }
        }
        rest
    }

    fn each_bound(&mut self, visit: &mut dyn FnMut(&mut Rational, End)) {
        for block in &mut self.blocks {
            let Trigger::Every(Timing::Periodic(periodic)) = &mut block.trigger else {
                continue;
            };
            visit(&mut periodic.gap.0, End::Least);
            visit(&mut periodic.gap.1, End::Most);
            if let Jitter::PerGap(by) | Jitter::OnGrid(by) = &mut periodic.jitter {
                visit(by, End::Most);
            }
            let ends = [
                (&mut periodic.first.0, End::Least),
                (&mut periodic.first.1, End::Most),
            ];
            for (first, end) in ends {
                if let First::At(time) = first {
                    visit(time, end);
                }
            }
        }
        if let Delay::Within(least, most) = &mut self.delay {
            visit(least, End::Least);
            visit(most, End::Most);
        }
    }
}
