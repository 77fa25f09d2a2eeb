//! Picks the simplest number of a range.

use rational::Rational;

/// A closed interval; a missing end is infinite.
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
    /// An end is picked only if the range has no other number.
    #[default]
    Avoid,
    /// Ends are treated like all other numbers.
    Allow,
}

/// Which numbers are preferred.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Preference {
    /// Step sizes in order of preference: a multiple of the first step is picked if the range has one, otherwise a
    /// multiple of the second, and so on.
    pub steps: Vec<Rational>,
    /// Whether an end of the range may be picked.
    pub ends: Ends,
}

impl Preference {
    /// The preferred number of a range: a multiple of the first step that has one in the range; otherwise the number
    /// with the smallest denominator. Of several such numbers it is the one nearest to 0.
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
            // A multiple of the step in the range is an integer in the range divided by the step.
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

/// The number with the smallest denominator, and of these the one nearest to 0, in a range with more than one number.
/// If `open`, the ends are excluded.
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

/// The number with the smallest denominator, and of these the smallest, between `least` and `most`. `least` is at least
/// 0; if it is 0, the range is open.
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
        // The range contains no integer, so all its numbers have the same integer part. The search continues with the
        // reciprocal of the fractional part.
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
