//! The time from which on a part is right: the latest moment at which it can still be broken.
//!
//! For each number n of activations, a model in which the part is broken after the n-th one says how late the next
//! activation can be under the choices of the model about times; then only later moments are asked for, until there are
//! none. The greatest of these moments is T. It is one of finitely many sums of gaps and of the T of other parts.

use crate::solve::{Found, Means, Stop};
use one_node::{Part, Query, Right, Rule, Setting, Start};
use rational::Rational;

/// The largest number of activations that the engine considers. A part that can still be broken then is not proved.
const MOST_ACTIVATIONS: u32 = 14;

/// Solves the queries about one part.
pub(crate) struct Asking<'r, 'm> {
    pub(crate) rule: &'r Rule<'m>,
    pub(crate) part: &'r Part,
    pub(crate) setting: Setting,
    pub(crate) means: Means<'m>,
    /// The largest number of names of a query so far.
    pub(crate) used: u32,
}

impl Asking<'_, '_> {
    fn solve(&mut self, query: &Query) -> Result<Found, Stop> {
        self.used = self.used.max(query.names as u32);
        self.means.solve(query)
    }

    fn is_impossible(&mut self, query: &Query) -> Result<bool, Stop> {
        Ok(matches!(self.solve(query)?, Found::Nothing))
    }

    /// Whether the part can be broken after [`MOST_ACTIVATIONS`] activations, with this setting.
    pub(crate) fn is_broken_late(&self) -> Result<bool, Stop> {
        for case in self.rule.cases(Start::Anywhere) {
            let query = self
                .rule
                .broken(self.part, &case, MOST_ACTIVATIONS, self.setting)?;
            if let Found::Model(_) = self.means.solve(&query)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The time from which on the part is right; `None` if no such time is found with [`MOST_ACTIVATIONS`] activations.
    /// From `below` on the part is known to be right; a result is less.
    pub(crate) fn right_from(
        &mut self,
        below: Option<&Rational>,
    ) -> Result<Option<Rational>, Stop> {
        let mut right = Rational::ZERO;
        let cases = self.rule.cases(Start::Anywhere);
        let mut n = 0;
        while n <= self.rule.most(&right) {
            if n > MOST_ACTIVATIONS {
                return Ok(None);
            }
            for case in &cases {
                let mut query = self.rule.broken(self.part, case, n, self.setting)?;
                query.later_than(&right);
                while let Found::Model(values) = self.solve(&query)? {
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

    /// Whether the part is right from a time on.
    pub(crate) fn is_right_from(&mut self, time: &Rational) -> Result<bool, Stop> {
        for case in self.rule.cases(Start::Anywhere) {
            for n in 0..=self.rule.most(time) {
                let mut query = self.rule.broken(self.part, &case, n, self.setting)?;
                query.later_than(time);
                if !self.is_impossible(&query)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the part is right in every initial state.
    pub(crate) fn begins(&mut self) -> Result<bool, Stop> {
        let query = self.rule.begins_broken(self.part, self.setting)?;
        self.is_impossible(&query)
    }

    /// Whether every activation keeps the part.
    pub(crate) fn is_preserved(&mut self) -> Result<bool, Stop> {
        for case in self.rule.cases(Start::Anywhere) {
            let query = self.rule.made_broken(self.part, &case, self.setting)?;
            if !self.is_impossible(&query)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the part, with premises about counts, is never broken in a run, given from when on it is right without
    /// them.
    pub(crate) fn is_kept(&mut self, right: &Right) -> Result<bool, Stop> {
        let query = self.rule.broken_off(self.part, self.setting)?;
        if !self.is_impossible(&query)? {
            return Ok(false);
        }
        let Right::From(time) = right else {
            return Ok(true);
        };
        let enough = self.rule.enough(time);
        for case in self.rule.cases(Start::Initial) {
            for n in 0..enough {
                let query = self.rule.counted(self.part, &case, n, self.setting)?;
                if !self.is_impossible(&query)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
