//! The choice of the most readable number of a range.

use rational::Rational;

/// An interval, ends included; a missing end is infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The lower bound.
    pub least: Option<Rational>,
    /// The upper bound.
    pub most: Option<Rational>,
}

/// Whether an end of a range may be picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ends {
    /// Only if the range has no other number.
    #[default]
    Avoid,
    /// Like every other number.
    Allow,
}

/// The preferred numbers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Preference {
    /// Step sizes in order of preference: a multiple of the first step if the range has one, otherwise of the
    /// second, and so on.
    pub steps: Vec<Rational>,
    /// Whether an end of the range may be picked.
    pub ends: Ends,
}

impl Preference {
    /// The preferred number of a range: a multiple of the first step that has one in the range; otherwise the
    /// number with the smallest denominator. Ties go to the number nearest to 0, and then to the positive
    /// one.
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
            // The multiples of a step in the range are the integers in the range divided by the step.
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

/// The number with the smallest denominator in a range with more than one number; the ends are excluded if
/// the range is open.
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

/// The number with the smallest denominator in a range above 0; a lower end of 0 is excluded.
fn simplest_positive(mut least: Rational, mut most: Option<Rational>, open: bool) -> Rational {
    // The path to the number in the Stern-Brocot tree, as a continued fraction.
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
        // Between two integers the fractional part of the number is less than 1, so the search continues with
        // its reciprocal.
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
