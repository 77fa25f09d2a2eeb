//! Computes solutions with simple numbers, such as integers or multiples of 10.

use crate::optimum::End;
use crate::preference::{Preference, Range};
use crate::problem::{Linear, Multipliers, Problem, Relation, Unknown};
use crate::solver::{Answer, Solver};
use rational::Rational;

/// A solution with simple numbers. Each unknown in turn gets the preferred number of its range, given the values of the
/// unknowns before it. `order` comes first, then all other unknowns.
///
/// The result is deterministic.
///
/// # Panics
///
/// If the order contains an unknown that does not exist.
pub fn simple_point(problem: &Problem, order: &[Unknown], preference: &Preference) -> Answer {
    Solver::new(problem.clone()).simple_point(order, preference)
}

impl Solver {
    /// The range of an unknown over all solutions; an error if there is no solution.
    pub fn range(&mut self, unknown: Unknown) -> Result<Range, Multipliers> {
        self.repair()?;
        Ok(Range {
            least: self.least(unknown),
            most: self.most(unknown),
        })
    }

    /// A solution with simple numbers, see [`simple_point`]. The rows of the solver do not change.
    ///
    /// # Panics
    ///
    /// If the order contains an unknown that does not exist.
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

    /// The preferred number of the range of an unknown. The current values must be a solution.
    fn pick(&mut self, unknown: Unknown, preference: &Preference) -> Rational {
        let least = self.least(unknown);
        // The candidate is the preferred number if the range had no upper end. It is the result if the upper end
        // exceeds it. This test is cheaper than computing the upper end.
        let candidate = preference.pick(&Range {
            least: least.clone(),
            most: None,
        });
        match self.improve(&unknown.into(), Some(&candidate)) {
            End::Enough | End::Unbounded(..) => candidate,
            End::Most(_) => preference.pick(&Range {
                least,
                most: Some(self.value_of(&unknown.into())),
            }),
        }
    }

    /// The minimum of an unknown; `None` if there is no lower bound. The current values must be a solution.
    fn least(&mut self, unknown: Unknown) -> Option<Rational> {
        let down = Linear::from(unknown).scaled(&Rational::from(-1));
        match self.improve(&down, None) {
            End::Unbounded(..) => None,
            _ => Some(self.value_of(&unknown.into())),
        }
    }

    /// The maximum of an unknown; `None` if there is no upper bound. The current values must be a solution.
    fn most(&mut self, unknown: Unknown) -> Option<Rational> {
        let up = Linear::from(unknown);
        match self.improve(&up, None) {
            End::Unbounded(..) => None,
            _ => Some(self.value_of(&up)),
        }
    }
}
