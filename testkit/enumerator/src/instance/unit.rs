//! Time in whole units: the times that a text names, and how long a unit is.
//!
//! Every constraint of a run is a closed bound on the difference of two moments, so a run with real times has a
//! twin in which all moments are multiples of the greatest common divisor of the bounds. A claim may break a run at
//! a moment before or after a bound, strictly: with k strict bounds the twin needs a k-th of that unit.

use crate::instance::value::{Res, refuse};

/// How time is measured. Times are in the numbers of the file: nanoseconds, or plain numbers.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// Every time that was named.
    times: Vec<i128>,
    /// How many units are as long as their greatest common divisor.
    parts: i128,
    /// Moments are told apart up to this time, and whether they are later; none: they are not.
    kept: Option<i128>,
}

impl Clock {
    pub fn new(times: Vec<i128>) -> Clock {
        Clock {
            times,
            parts: 1,
            kept: None,
        }
    }

    /// More times, and so many bounds that may be strict.
    pub fn refine(&mut self, times: &[i128], strict: i128) {
        self.times.extend(times);
        self.parts = self.parts.max(strict);
    }

    /// Tells moments apart up to a time, and whether it is later.
    pub fn keep(&mut self, to: i128) {
        self.refine(&[to], 1);
        self.kept = self.kept.max(Some(to));
    }

    /// The first moment of those that are not told apart any more, in units.
    pub fn end(&self) -> Option<i128> {
        // What is kept was named, so it is a multiple of the unit.
        self.kept
            .and_then(|kept| self.units(kept).ok())
            .map(|end| end + 1)
    }

    /// A time in units.
    pub fn units(&self, time: i128) -> Res<i128> {
        let scaled = time * self.parts;
        let divisor = self.divisor();
        if scaled % divisor != 0 {
            return refuse(format!("the time {time}, which is no multiple of the unit"));
        }
        Ok(scaled / divisor)
    }

    /// So many units as a time, if it is a whole number.
    pub fn time(&self, units: i128) -> Res<i128> {
        let scaled = units * self.divisor();
        if scaled % self.parts != 0 {
            return refuse("a time that is no whole number");
        }
        Ok(scaled / self.parts)
    }

    fn divisor(&self) -> i128 {
        match self.times.iter().fold(0, |a, b| gcd(a, *b)) {
            0 => 1,
            divisor => divisor,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
