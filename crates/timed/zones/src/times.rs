//! The times of a path: the least solution of its constraints, each a bound of the difference of two times.

use crate::clocks::{Op, Test};
use rational::Rational;

/// The constraints of a path.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    /// `time(to) >= time(from) + least`, or greater if strict.
    bounds: Vec<(usize, usize, i64, bool)>,
    /// The number of times; time 0 is the start of the run.
    times: usize,
}

impl Constraints {
    /// The constraints of a path without events: the start alone.
    pub(crate) fn new() -> Constraints {
        Constraints {
            bounds: Vec::new(),
            times: 1,
        }
    }

    /// Adds a time that is not before the last one, or is equal to it. Returns its number.
    pub(crate) fn next(&mut self, same: bool) -> usize {
        let time = self.times;
        self.times += 1;
        self.bounds.push((time - 1, time, 0, false));
        if same {
            self.bounds.push((time, time - 1, 0, false));
        }
        time
    }

    /// Adds a test, at one time, of a clock that was 0 at another time.
    pub(crate) fn test(&mut self, since: usize, at: usize, test: Test) {
        let Test { op, than, .. } = test;
        self.bounds.push(match op {
            Op::AtLeast => (since, at, than, false),
            Op::MoreThan => (since, at, than, true),
            Op::AtMost => (at, since, -than, false),
            Op::LessThan => (at, since, -than, true),
        });
    }

    /// The least times, in units; `None` if there are none. Strict bounds are exceeded by multiples of one fraction.
    pub(crate) fn least(&self) -> Option<Vec<Rational>> {
        // The times as `units + shares · ε`, for a small ε: the longest paths from the start.
        let mut found = vec![(0i128, 0i128); self.times];
        for round in 0.. {
            if round > self.times {
                return None; // a cycle of positive length
            }
            let mut changed = false;
            for (from, to, least, strict) in &self.bounds {
                let (units, shares) = found[*from];
                let reached = (units + i128::from(*least), shares + i128::from(*strict));
                if reached > found[*to] {
                    found[*to] = reached;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        if found[0] != (0, 0) {
            return None;
        }
        // Two times with different units differ by at least 1 unit, and their shares differ by at most the largest
        // number of shares.
        let most = found.iter().map(|(_, shares)| *shares).max()?;
        let share = Rational::new(1, most + 1);
        let number = |n: i128| Rational::new(n, 1);
        let times = found.into_iter();
        Some(
            times
                .map(|(units, shares)| number(units) + number(shares) * &share)
                .collect(),
        )
    }
}
