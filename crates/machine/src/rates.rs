//! What declared times say about the order of activations: spans of time, and the rules that follow.
//!
//! Everything here is about the *gaps* reading: a fixed period is taken for a gap that may change, so that
//! rules include at least the orders of exact runs.

use crate::{Delay, Expr, First, Jitter, KindId, Machine, OrderRule, Periodic, Timing, Window};
use rational::Rational;

/// From the earliest to the latest.
pub type Interval = (Rational, Rational);

impl Periodic {
    /// How long so many gaps last, from an activation to a later one.
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

    /// How long so many gaps last from the first activation on, which has no jitter.
    fn span_from_first(&self, gaps: u32) -> Interval {
        match &self.jitter {
            Jitter::OnGrid(by) if gaps > 0 => {
                let n = Rational::from(gaps);
                (&n * &self.gap.0 - by, &n * &self.gap.1 + by)
            }
            _ => self.span(gaps),
        }
    }

    /// When the first activation is, of a node with the period if it has one.
    pub fn first_of(&self, period: Option<&Rational>) -> Interval {
        let bound = |first: &First| match first {
            First::At(time) => time.clone(),
            First::Period => period.unwrap_or(&self.gap.1).clone(),
        };
        (bound(&self.first.0), bound(&self.first.1))
    }

    /// When the first activation is, whatever the period.
    pub fn first_bounds(&self) -> Interval {
        let (short, long) = match self.fixed {
            true => (Some(&self.gap.0), Some(&self.gap.1)),
            false => (None, None),
        };
        (self.first_of(short).0, self.first_of(long).1)
    }

    /// When the n-th activation is, counted from 1.
    pub fn nth(&self, n: u32) -> Interval {
        let (first, span) = (self.first_bounds(), self.span_from_first(n - 1));
        (first.0 + span.0, first.1 + span.1)
    }
}

/// The least number, from 0, of which something is true that is true of all greater ones as well.
fn least(mut is_true: impl FnMut(u32) -> bool) -> u32 {
    let mut step = 1;
    let mut high = 0;
    while !is_true(high) {
        high += step;
        step *= 2;
    }
    let mut low = 0;
    while low < high {
        let middle = low + (high - low) / 2;
        if is_true(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The rule for a window of one rhythm in which activations of another are counted.
pub fn order_rule(of: (KindId, &Periodic), with: (KindId, &Periodic), window: Window) -> OrderRule {
    let (i, j) = (of.1, with.1);
    let rule = |window, least, most| OrderRule {
        of: of.0,
        with: with.0,
        window,
        least,
        most: Some(most),
    };
    match window {
        Window::Start(n) => {
            let (earliest, latest) = i.nth(n);
            // Those that are surely before, and those that can be before or at the same time.
            let surely = least(|count| j.nth(count + 1).1 >= earliest);
            let perhaps = least(|count| j.nth(count + 1).0 > latest);
            rule(window, surely, perhaps)
        }
        Window::Gaps { gaps, .. } => {
            let (shortest, longest) = i.span(gaps);
            // Between two activations of j that enclose the window lie all that are in it.
            let surely = least(|count| j.span(count + 1).1 >= shortest);
            // All that are in the window lie within its length.
            let perhaps = least(|count| j.span(count).0 > longest);
            // Without an activation of j before the window: its first ones are early enough, even if the window is the first.
            let early = surely == 0 || j.nth(surely).1 < i.first_bounds().0 + &shortest;
            rule(Window::Gaps { gaps, early }, surely, perhaps)
        }
    }
}

/// Up to how many activations of the fastest node numbers of activations differ by at most `lead`; nothing
/// if they do for ever, as far as `limit`.
pub fn horizon(machine: &Machine, lead: u32, limit: u32) -> Option<u32> {
    let rhythms = machine.rhythms();
    let holds = |n: u32| {
        rhythms.iter().all(|of| {
            let others = rhythms.iter();
            others
                .filter(|with| with.0 != of.0 || machine.kinds[of.0.index()].count > 1)
                .all(|with| {
                    let rule = order_rule(*of, *with, Window::Start(n));
                    rule.least.saturating_add(lead) >= n
                })
        })
    };
    (1..=limit).find(|n| !holds(*n)).map(|n| n - 1)
}

impl Machine {
    /// The kinds whose activations have real times.
    pub fn rhythms(&self) -> Vec<(KindId, &Periodic)> {
        let kinds = (0..self.kinds.len()).map(|k| KindId(k as u32));
        kinds
            .filter_map(|kind| match self.timing(kind) {
                Some(Timing::Periodic(periodic)) => Some((kind, periodic)),
                _ => None,
            })
            .collect()
    }

    /// Whether the Machine has real times.
    pub fn has_time(&self) -> bool {
        let restarts = self
            .runtime_faults
            .iter()
            .filter_map(|item| item.stop.as_ref());
        self.digitisation().is_some()
            || !self.rhythms().is_empty()
            || matches!(self.delay, Delay::Within(..))
            || !self.timers.is_empty()
            || !self.responses.is_empty()
            || restarts.into_iter().any(|restart| restart.within.is_some())
            || self.asks(|e| matches!(e, Expr::Now(..)))
    }
}
