//! A solution whose numbers are simple for people.

use crate::optimum::End;
use crate::preference::{Preference, Range};
use crate::problem::{Linear, Multipliers, Problem, Relation, Unknown};
use crate::solver::{Answer, Solver};
use rational::Rational;

/// A solution with simple numbers: each unknown in turn gets the number that is liked best among
/// those it can have, given the unknowns before. Unknowns that are not in the order come last.
///
/// The same problem, order and preference give the same solution.
///
/// # Panics
///
/// If the order has an unknown that is not there.
pub fn simple_point(problem: &Problem, order: &[Unknown], preference: &Preference) -> Answer {
    Solver::new(problem.clone()).simple_point(order, preference)
}

impl Solver {
    /// What an unknown can be.
    pub fn range(&mut self, unknown: Unknown) -> Result<Range, Multipliers> {
        self.repair()?;
        Ok(Range {
            least: self.least(unknown),
            most: self.most(unknown),
        })
    }

    /// A solution with simple numbers, see [`simple_point`]. The rows afterwards are those before.
    ///
    /// # Panics
    ///
    /// If the order has an unknown that is not there.
    pub fn simple_point(&mut self, order: &[Unknown], preference: &Preference) -> Answer {
        if let Err(reason) = self.repair() {
            return Answer::Infeasible(reason);
        }
        self.push();
        let mut known = vec![false; self.problem().unknowns()];
        let all = (0..known.len() as u32).map(Unknown);
        for unknown in order.iter().copied().chain(all) {
            if std::mem::replace(&mut known[unknown.0 as usize], true) {
                continue;
            }
            let value = self.pick(unknown, preference);
            self.row(unknown, Relation::Equal, value);
            self.repair().expect("a value in the range of an unknown");
        }
        let point = self.point();
        self.pop();
        Answer::Point(point)
    }

    /// The number for an unknown that is liked best, from a solution on.
    fn pick(&mut self, unknown: Unknown, preference: &Preference) -> Rational {
        let least = self.least(unknown);
        // What would be picked if there were no other end is picked as soon as that end is known
        // to be further away, wherever it is.
        let hope = preference.pick(&Range {
            least: least.clone(),
            most: None,
        });
        match self.climb(&unknown.into(), Some(&hope)) {
            End::Enough | End::Unbounded(..) => hope,
            End::Most(_) => preference.pick(&Range {
                least,
                most: Some(self.value_of(&unknown.into())),
            }),
        }
    }

    /// The least that an unknown can be, from a solution on.
    fn least(&mut self, unknown: Unknown) -> Option<Rational> {
        let down = Linear::from(unknown).scaled(&Rational::from(-1));
        match self.climb(&down, None) {
            End::Unbounded(..) => None,
            _ => Some(self.value_of(&unknown.into())),
        }
    }

    /// The most that an unknown can be, from a solution on.
    fn most(&mut self, unknown: Unknown) -> Option<Rational> {
        let up = Linear::from(unknown);
        match self.climb(&up, None) {
            End::Unbounded(..) => None,
            _ => Some(self.value_of(&up)),
        }
    }
}
