//! The time from which on a part is right: the latest moment at which it can still be broken.
//!
//! For each number n of activations, a model in which the part is broken after the n-th one says how late the next
//! activation can be under the choices of the model about times; then only later moments are asked for, until there are
//! none. The greatest of these moments is T. It is one of finitely many sums of gaps and of the T of other parts.

use crate::solve::{Found, solve};
use bits::Unsupported;
use one_node::{Part, Right, Rule, Setting, Start};
use rational::Rational;
use sat::Backend;
use verdict::{Budget, Spent};

/// Why no time was found.
pub(crate) enum Stop {
    /// The rule does not apply.
    Unsupported(Unsupported),
    /// A limit was reached.
    Spent(Spent),
}

impl From<Unsupported> for Stop {
    fn from(why: Unsupported) -> Stop {
        Stop::Unsupported(why)
    }
}

impl From<Spent> for Stop {
    fn from(spent: Spent) -> Stop {
        Stop::Spent(spent)
    }
}

/// What the solving of queries needs.
#[derive(Clone, Copy)]
pub(crate) struct Means<'b> {
    pub(crate) backend: Backend,
    pub(crate) budget: &'b dyn Budget,
}

/// Parts that can be broken after so many activations are not right from any time on, as far as the engine looks.
const MOST_ACTIVATIONS: u32 = 14;

/// Whether a part can be broken after many activations, as far as a setting tells.
pub(crate) fn is_broken_late(
    rule: &Rule<'_>,
    part: &Part,
    setting: Setting,
    means: Means<'_>,
) -> Result<bool, Stop> {
    for case in rule.cases(Start::Anywhere) {
        let query = rule.broken(part, &case, MOST_ACTIVATIONS, setting)?;
        if let Found::Model(_) = solve(&query, means.backend, means.budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The time from which on a part is right; `None` if it is none up to the horizon. `below` is a time from which on it
/// is known to be right; a result is less.
pub(crate) fn right_from(
    rule: &Rule<'_>,
    part: &Part,
    setting: Setting,
    below: Option<&Rational>,
    means: Means<'_>,
) -> Result<Option<Rational>, Stop> {
    let mut right = Rational::ZERO;
    let cases = rule.cases(Start::Anywhere);
    let mut n = 0;
    while n <= rule.most(&right) {
        if n > MOST_ACTIVATIONS {
            return Ok(None);
        }
        for case in &cases {
            let mut query = rule.broken(part, case, n, setting)?;
            query.later_than(&right);
            while let Found::Model(values) = solve(&query, means.backend, means.budget)? {
                let is_true = |lit: sat::Lit| values[lit.gate() as usize] != lit.is_negated();
                let latest = query.moments.latest(n + 1, &is_true);
                if latest <= right || below.is_some_and(|below| latest >= *below) {
                    return Ok(None);
                }
                right = latest;
                query.later_than(&right);
            }
        }
        n += 1;
    }
    Ok(Some(right))
}

/// Whether a part, with premises about counts, is kept by counts that begin at the start of a run, given from when on
/// it is right without them.
pub(crate) fn is_kept(
    rule: &Rule<'_>,
    part: &Part,
    right: &Right,
    setting: Setting,
    means: Means<'_>,
) -> Result<bool, Stop> {
    let query = rule.broken_off(part, setting)?;
    if let Found::Model(_) = solve(&query, means.backend, means.budget)? {
        return Ok(false);
    }
    let Right::From(time) = right else {
        return Ok(true);
    };
    let enough = rule.enough(time);
    for case in rule.cases(Start::Initial) {
        for n in 0..enough {
            let query = rule.counted(part, &case, n, setting)?;
            if let Found::Model(_) = solve(&query, means.backend, means.budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
