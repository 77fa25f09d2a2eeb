//! How far rows can be held away from their bounds, all by the same number.

use crate::optimum::Optimum;
use crate::problem::{Constraint, Linear, Multipliers, Problem, Relation, Row, Unknown};
use crate::solver::Solver;
use rational::Rational;

/// How far given rows can be held away from their bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slack {
    /// So far and no further.
    Most {
        /// The largest distance that all of them can have at once, or the cap.
        slack: Rational,
        /// A solution in which they have it.
        point: Vec<Rational>,
        /// The rows that do not let it be larger; none if it is the cap.
        limits: Vec<Row>,
    },
    /// There is no solution, with or without a distance.
    Infeasible(Multipliers),
}

/// The largest `e`, from 0 to the cap, such that every row holds and the given ones hold with `e`
/// to spare: `left <= right - e`, `left >= right + e`. An equation has nothing to spare.
///
/// # Panics
///
/// If the cap is negative, or a row is not there.
pub fn widest_slack(problem: &Problem, rows: &[Row], cap: &Rational) -> Slack {
    assert!(!cap.is_negative(), "a slack of at most {cap}");
    let mut wider = problem.clone();
    let slack = wider.unknown();
    // For whom each new row stands.
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
        // What the new rows add to the sum is not negative: with a slack of 0 they hold. So the
        // old ones alone add up to a contradiction.
        Optimum::Infeasible(multipliers) => {
            let parts = multipliers.0.into_iter();
            Slack::Infeasible(parts.filter(|(row, _)| old(row)).collect())
        }
    }
}

/// The problem in which the given rows hold with so much to spare; rows keep their numbers.
///
/// # Panics
///
/// If a row is not there.
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

/// The constraint with so many times the unknown on the left.
fn with(constraint: &Constraint, unknown: Unknown, times: i64) -> Constraint {
    let terms = constraint.left.terms().iter().cloned();
    let left: Linear = terms.chain([(unknown, times.into())]).collect();
    Constraint {
        left,
        ..constraint.clone()
    }
}
