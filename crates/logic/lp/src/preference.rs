//! Which number of a range people like best.

use rational::Rational;

/// The numbers from one end to the other, ends included; an end that is missing is infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// No number is less.
    pub least: Option<Rational>,
    /// No number is greater.
    pub most: Option<Rational>,
}

/// Whether an end of a range may be picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ends {
    /// Only if there is nothing else.
    #[default]
    Avoid,
    /// Like every other number.
    Allow,
}

/// Which numbers are preferred.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Preference {
    /// Multiples of the first of these if there are any, else of the second, and so on.
    pub steps: Vec<Rational>,
    /// Whether an end of the range may be picked.
    pub ends: Ends,
}

impl Preference {
    /// The number of a range that is liked best: the multiple of the first step that has one
    /// there; without such, the number with the smallest denominator. Among equals it is the one
    /// nearest to 0, and the positive one of two.
    ///
    /// # Panics
    ///
    /// If the range is empty.
    pub fn pick(&self, range: &Range) -> Rational {
        if let (Some(least), Some(most)) = (&range.least, &range.most) {
            assert!(least <= most, "a range from {least} to {most}");
            if least == most {
                return least.clone();
            }
        }
        let open = self.ends == Ends::Avoid;
        for step in self.steps.iter().map(Rational::abs) {
            if step.is_zero() {
                continue;
            }
            // The multiples in the range are the integers in the range divided by the step.
            let shrunk = Range {
                least: range.least.as_ref().map(|end| end / &step),
                most: range.most.as_ref().map(|end| end / &step),
            };
            let simplest = simplest(&shrunk, open);
            if simplest.is_integer() {
                return simplest * step;
            }
        }
        simplest(range, open)
    }
}

/// The number with the smallest denominator in a range with more than one number, without the ends
/// if it is open.
fn simplest(range: &Range, open: bool) -> Rational {
    let beyond = |end: &Option<Rational>, negative: bool| match end {
        None => true,
        Some(end) if end.is_zero() => !open,
        Some(end) => end.is_negative() == negative,
    };
    let (below, above) = (beyond(&range.least, true), beyond(&range.most, false));
    match (below, above) {
        (true, true) => Rational::ZERO,
        (false, _) => {
            let least = range.least.clone().unwrap_or_default();
            simplest_positive(least, range.most.clone(), open)
        }
        (true, false) => {
            let most = range.most.clone().unwrap_or_default();
            -simplest_positive(-most, range.least.as_ref().map(|end| -end), open)
        }
    }
}

/// The same for a range that begins with a positive number, or with 0 and without it.
fn simplest_positive(mut least: Rational, mut most: Option<Rational>, open: bool) -> Rational {
    // The way to the number in the tree of Stern and Brocot, as a continued fraction.
    let mut whole_parts = Vec::new();
    let mut found = loop {
        let floor = least.floor();
        if !open && floor == least {
            break floor;
        }
        let next = &floor + Rational::ONE;
        let inside = match &most {
            None => true,
            Some(most) if open => next < *most,
            Some(most) => next <= *most,
        };
        if inside {
            break next;
        }
        // Between two integers: what is left of the number is less than 1, so turn it round.
        let end = most.unwrap_or_default() - &floor;
        let begin = least - &floor;
        whole_parts.push(floor);
        most = (!begin.is_zero()).then(|| begin.recip());
        least = end.recip();
    };
    for whole in whole_parts.into_iter().rev() {
        found = whole + found.recip();
    }
    found
}
