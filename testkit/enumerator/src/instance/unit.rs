//! Digitisation: computes the unit of time from the times in the model.
//!
//! Every constraint on a run is a closed bound on the difference of two times. So for every run with real times there
//! is an equivalent run in which all times are multiples of the greatest common divisor of the bounds. A claim may be
//! violated at a time strictly before or after a bound; with k strict bounds, the equivalent run needs the k-th part of
//! that unit.

use crate::instance::value::{Res, refuse};

/// The unit of time. Times are in the numbers of the file: nanoseconds, or plain numbers.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// All times that the model and the claim mention.
    times: Vec<i128>,
    /// The number of units per greatest common divisor of `times`.
    parts: i128,
    /// The time up to which states store the time; all later times are merged. `None` if states do not store the time.
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

    /// Adds times, and the number of bounds that may be strict.
    pub fn refine(&mut self, times: &[i128], strict: i128) {
        self.times.extend(times);
        self.parts = self.parts.max(strict);
    }

    /// Lets states store the time up to `to`.
    pub fn keep(&mut self, to: i128) {
        self.refine(&[to], 1);
        self.kept = self.kept.max(Some(to));
    }

    /// The first time, in units, that is merged with all later ones; `None` if states do not store the time.
    pub fn end(&self) -> Option<i128> {
        // `kept` is one of the times, so it is a multiple of the unit.
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

    /// A number of units as a time; refused if it is not a whole number.
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
