//! The checker of answers: evaluates the rows at a point, or adds up the rows with their multipliers.
//!
//! The checker uses no code of the solver.

use crate::problem::{Linear, Multipliers, Problem, Relation, Row};
use rational::Rational;
use std::collections::BTreeMap;

/// Why an answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The number of values differs from the number of unknowns.
    Values,
    /// The values violate the row.
    Broken(Row),
    /// There is a multiplier for this row, which does not exist.
    NoRow(Row),
    /// The multiplier of the row has the wrong sign: the multiplied row would be a `>=` instead of a `<=`.
    Sign(Row),
    /// The left sides do not add up to the expected linear form.
    Left,
    /// The left sides add up to the expected linear form, but the right sides do not add up to the expected number.
    Right,
}

/// Checks that the values, one for each unknown, satisfy every row.
pub fn check_point(problem: &Problem, values: &[Rational]) -> Result<(), Mistake> {
    if values.len() != problem.unknowns() {
        return Err(Mistake::Values);
    }
    for (number, row) in problem.rows().iter().enumerate() {
        let mut left = Rational::ZERO;
        for (unknown, coefficient) in row.left.terms() {
            left += coefficient * &values[unknown.0 as usize];
        }
        let holds = match row.relation {
            Relation::AtMost => left <= row.right,
            Relation::AtLeast => left >= row.right,
            Relation::Equal => left == row.right,
        };
        if !holds {
            return Err(Mistake::Broken(Row(number as u32)));
        }
    }
    Ok(())
}

/// Checks that the multiplied rows add up to `0 <= r` with a negative `r`, so that no values satisfy all rows.
pub fn check_infeasible(problem: &Problem, multipliers: &Multipliers) -> Result<(), Mistake> {
    let (left, right) = sum(problem, multipliers)?;
    if !left.is_empty() {
        return Err(Mistake::Left);
    }
    match right.is_negative() {
        true => Ok(()),
        false => Err(Mistake::Right),
    }
}

/// Checks that the multiplied rows add up to `objective <= value`, so that the objective is at most `value` in every
/// solution.
pub fn check_optimum(
    problem: &Problem,
    objective: &Linear,
    value: &Rational,
    multipliers: &Multipliers,
) -> Result<(), Mistake> {
    let (left, right) = sum(problem, multipliers)?;
    let wanted: BTreeMap<u32, Rational> = objective
        .terms()
        .iter()
        .map(|(unknown, coefficient)| (unknown.0, coefficient.clone()))
        .collect();
    if left != wanted {
        return Err(Mistake::Left);
    }
    match right == *value {
        true => Ok(()),
        false => Err(Mistake::Right),
    }
}

/// The left and the right side of the sum of the multiplied rows, without zero coefficients.
fn sum(
    problem: &Problem,
    multipliers: &Multipliers,
) -> Result<(BTreeMap<u32, Rational>, Rational), Mistake> {
    let mut left = BTreeMap::<u32, Rational>::new();
    let mut right = Rational::ZERO;
    for (number, by) in &multipliers.0 {
        let row = problem
            .rows()
            .get(number.0 as usize)
            .ok_or(Mistake::NoRow(*number))?;
        let turned = match row.relation {
            Relation::AtMost => by.is_negative(),
            Relation::AtLeast => by.is_positive(),
            Relation::Equal => false,
        };
        if turned {
            return Err(Mistake::Sign(*number));
        }
        for (unknown, coefficient) in row.left.terms() {
            *left.entry(unknown.0).or_default() += coefficient * by;
        }
        right += &row.right * by;
    }
    left.retain(|_, coefficient| !coefficient.is_zero());
    Ok((left, right))
}
