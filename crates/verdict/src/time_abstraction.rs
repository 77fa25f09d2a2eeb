//! How a method treats time, as data for reports.

use machine::{ChainRule, OrderRule};
use rational::Rational;

/// How a method treats the times of a Machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeAbstraction {
    /// Order of events: unrolled activations with a Boolean variable for the order of two events, and exact times for
    /// runs.
    EventOrder,
    /// Order abstraction with these rules. Without rules every order of activations is allowed.
    OrderRules(Vec<OrderRule>, Vec<ChainRule>),
    /// Digitisation with this unit.
    Digitised(Rational, Digitised),
    /// The zone graph, which is exact.
    Zones,
    /// Different abstractions for different properties.
    Several(Vec<TimeAbstraction>),
}

/// Which Machine is digitised, and whether the digitisation is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digitised {
    /// The Machine itself; the digitisation is exact.
    Exact,
    /// A coarsening of the Machine: all intervals are widened to multiples of the unit.
    Coarsened,
    /// A relaxation of the Machine, in which a fixed period may change from gap to gap.
    Relaxed,
    /// The Machine itself, but the digitisation is not exact: it can find runs and proves nothing.
    ToFindRuns,
}

impl TimeAbstraction {
    /// The abstractions of both operands, without duplicates.
    pub fn and(self, other: TimeAbstraction) -> TimeAbstraction {
        let mut all = match self {
            TimeAbstraction::Several(all) => all,
            one => vec![one],
        };
        let others = match other {
            TimeAbstraction::Several(others) => others,
            one => vec![one],
        };
        for one in others {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        match all.len() {
            1 => all.remove(0),
            _ => TimeAbstraction::Several(all),
        }
    }
}
