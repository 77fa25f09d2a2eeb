//! The declared times of periodic nodes, added up independently of the rule of `one_node`.

use crate::rejected::{Rejected, reject};
use machine::{Channel, Delay, First, Jitter, Machine, Timing};
use one_node::{Moments, Start, Threshold};
use rational::Rational;
use sat::Lit;

/// The largest number of activations that is accepted.
const MOST_ACTIVATIONS: u32 = 100;

/// The declared times of a periodic node and the longest delay of messages.
pub(super) struct Times {
    pub(super) gap: (Rational, Rational),
    first: (Rational, Rational),
    delay: Rational,
}

impl Times {
    pub(super) fn of(machine: &Machine) -> Result<Times, Rejected> {
        let timings = machine
            .blocks
            .iter()
            .filter_map(|block| match &block.trigger {
                machine::Trigger::Every(Timing::Periodic(periodic)) => Some(periodic),
                _ => None,
            });
        let timings: Vec<_> = timings.collect();
        let [periodic] = timings[..] else {
            return reject("not one periodic block");
        };
        let jitter = match &periodic.jitter {
            Jitter::None => Rational::ZERO,
            Jitter::PerGap(by) => by.clone(),
            Jitter::OnGrid(by) => by + by,
        };
        let gap = (&periodic.gap.0 - &jitter, &periodic.gap.1 + &jitter);
        let end = |first: &First, period: &Rational| match first {
            First::At(time) => time.clone(),
            First::Period => period.clone(),
        };
        let early = if periodic.fixed {
            &periodic.gap.0
        } else {
            &periodic.gap.1
        };
        let first = (
            end(&periodic.first.0, early),
            end(&periodic.first.1, &periodic.gap.1),
        );
        let delay = match (&machine.channel, &machine.delay) {
            (Channel::Instant, _) => Rational::ZERO,
            (_, Delay::Within(_, most)) => most.clone(),
            _ => return reject("messages that may take any time"),
        };
        if !gap.0.is_positive() {
            return reject("activations without a gap between them");
        }
        Ok(Times { gap, first, delay })
    }

    fn latest_first(&self) -> &Rational {
        if self.first.1 > self.gap.1 {
            &self.first.1
        } else {
            &self.gap.1
        }
    }

    /// The earliest and the latest n-th activation, gap by gap.
    fn nth(&self, start: Start, n: u32) -> (Rational, Rational) {
        let (mut early, mut late) = match start {
            Start::Initial => self.first.clone(),
            Start::Anywhere => (Rational::ZERO, self.latest_first().clone()),
        };
        for _ in 1..n {
            early = &early + &self.gap.0;
            late = &late + &self.gap.1;
        }
        (early, late)
    }

    /// The greatest common divisor of the declared times and the given ones, so that all sums of them are multiples of
    /// it; `None` if all are 0.
    pub(super) fn grain<'t>(
        &'t self,
        others: impl Iterator<Item = &'t Rational>,
    ) -> Option<Rational> {
        let declared = [
            &self.gap.0,
            &self.gap.1,
            &self.first.0,
            &self.first.1,
            &self.delay,
        ];
        let all = declared.into_iter().chain(others);
        all.filter(|time| !time.is_zero())
            .cloned()
            .reduce(|a, b| a.gcd(&b))
    }

    /// The largest n such that n - 1 shortest gaps take at most a given time.
    pub(super) fn most(&self, time: &Rational) -> Result<u32, Rejected> {
        let mut sum = self.gap.0.clone();
        let mut n = 1;
        while sum <= *time {
            sum = &sum + &self.gap.0;
            n += 1;
            if n > MOST_ACTIVATIONS {
                return reject("more activations than are looked at");
            }
        }
        Ok(n)
    }

    /// The least n, counted from 1, such that the n-th activation is later than a given time in every run.
    pub(super) fn enough(&self, time: &Rational) -> Result<u32, Rejected> {
        let mut n = 1;
        while self.nth(Start::Initial, n).0 <= *time {
            n += 1;
            if n > MOST_ACTIVATIONS {
                return reject("more activations than are looked at");
            }
        }
        Ok(n)
    }

    /// Whether the activation of `after` can be later than its bound only if the activation of `before` is later than
    /// its own.
    pub(super) fn exclude(&self, after: &Threshold, before: &Threshold) -> bool {
        let mut bound = after.bound.clone();
        if after.activation <= before.activation {
            for _ in after.activation..before.activation {
                bound = &bound + &self.gap.0;
            }
        } else {
            for _ in before.activation..after.activation {
                bound = &bound - &self.gap.1;
            }
        }
        bound >= before.bound
    }

    /// Checks the comparisons of times that a query takes as decided, and the gaps within which it assumes that a
    /// message arrives.
    pub(super) fn check(&self, moments: &Moments) -> Result<(), Rejected> {
        for threshold in &moments.decided {
            let (early, late) = self.nth(moments.start, threshold.activation);
            let fine = match threshold.lit {
                Lit::TRUE => early > threshold.bound,
                Lit::FALSE => late <= threshold.bound,
                _ => false,
            };
            if !fine {
                return reject("a time that is not what it says");
            }
        }
        for gaps in &moments.certain {
            let mut sum = Rational::ZERO;
            for _ in 0..*gaps {
                sum = &sum + &self.gap.0;
            }
            if sum <= self.latest_first() + &self.delay {
                return reject("a message that may not arrive in time");
            }
        }
        Ok(())
    }
}
