//! Computes the largest slack that a set of rows can have simultaneously.

use crate::optimum::Optimum;
use crate::problem::{Constraint, Linear, Multipliers, Problem, Relation, Row, Unknown};
use crate::solver::Solver;
use rational::Rational;

/// The result of [`widest_slack`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slack {
    /// There is a solution.
    Most {
        /// The largest slack that all given rows can have simultaneously, or the cap if that is smaller.
        slack: Rational,
        /// A solution with that slack.
        point: Vec<Rational>,
        /// The rows that limit the slack; empty if the cap does.
        limits: Vec<Row>,
    },
    /// There is no solution, even without slack.
    Infeasible(Multipliers),
}

/// The largest `e` from 0 to the cap such that all rows of the problem hold, and the given rows hold with slack `e`:
/// `left <= right - e` or `left >= right + e`. If one of the given rows is an equation, `e` is 0.
///
/// # Panics
///
/// If the cap is negative, or a row does not exist.
pub fn widest_slack(problem: &Problem, rows: &[Row], cap: &Rational) -> Slack {
    assert!(!cap.is_negative(), "a slack of at most {cap}");
    let mut wider = problem.clone();
    let slack = wider.unknown();
    // By added row `slack <= 0`: the equation for which it was added.
    let mut equations = Vec::new();
    for row in rows {
        let constraint = problem.constraint(*row);
        match constraint.relation {
            Relation::AtMost => wider.replace(*row, with(constraint, slack, 1)),
            Relation::AtLeast => wider.replace(*row, with(constraint, slack, -1)),
            Relation::Equal => {
                wider.at_most(slack, 0);
                equations.push(*row);
            }
        }
    }
    wider.at_least(slack, 0);
    wider.at_most(slack, cap.clone());
    let old = |row: &Row| (row.0 as usize) < problem.rows().len();
    match Solver::new(wider).maximise(&slack.into()) {
        Optimum::Most {
            value,
            mut point,
            multipliers,
        } => {
            point.pop();
            let own = |row: Row| match old(&row) {
                true => Some(row),
                false => {
                    let new = row.0 as usize - problem.rows().len();
                    equations.get(new).copied()
                }
            };
            Slack::Most {
                slack: value,
                point,
                limits: multipliers.rows().filter_map(own).collect(),
            }
        }
        Optimum::Unbounded { .. } => unreachable!("the cap bounds the slack"),
        // With a slack of 0 the added rows hold, so the multiplied added rows contribute a nonnegative right side.
        // Hence the original rows alone are contradictory.
        Optimum::Infeasible(multipliers) => {
            let parts = multipliers.0.into_iter();
            Slack::Infeasible(parts.filter(|(row, _)| old(row)).collect())
        }
    }
}

/// The problem with the given inequalities tightened by this slack. Rows keep their indices; equations do not change.
///
/// # Panics
///
/// If a row does not exist.
pub fn tightened(problem: &Problem, rows: &[Row], slack: &Rational) -> Problem {
    let mut tighter = problem.clone();
    for row in rows {
        let mut constraint = problem.constraint(*row).clone();
        match constraint.relation {
            Relation::AtMost => constraint.right -= slack,
            Relation::AtLeast => constraint.right += slack,
            Relation::Equal => {}
        }
        tighter.replace(*row, constraint);
    }
    tighter
}

/// The constraint with `times * unknown` added to its left side.
fn with(constraint: &Constraint, unknown: Unknown, times: i64) -> Constraint {
    let terms = constraint.left.terms().iter().cloned();
    let left: Linear = terms.chain([(unknown, times.into())]).collect();
    Constraint {
        left,
        ..constraint.clone()
    }
}
