//! Maximises a linear form by the primal simplex method, starting at a solution.

use crate::line::Line;
use crate::problem::{Linear, Multipliers, Row, Unknown};
use crate::solver::{Side, Solver};
use crate::tableau::{Place, Variable};
use rational::Rational;

/// The result of a maximisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// The maximum exists.
    Most {
        /// The maximum.
        value: Rational,
        /// A solution that attains the maximum.
        point: Vec<Rational>,
        /// A certificate of optimality: the multiplied rows add up to `form <= value`.
        multipliers: Multipliers,
    },
    /// The form has no upper bound.
    Unbounded {
        /// A solution.
        point: Vec<Rational>,
        /// A direction: the point plus any positive multiple of it is a solution, and the form grows along it.
        ray: Vec<Rational>,
    },
    /// There is no solution, with the certificate.
    Infeasible(Multipliers),
}

/// The result of the primal simplex.
pub(crate) enum End {
    /// The form is maximal. For each column with a nonzero gain: the row that bounds it, with its multiplier.
    Most(Vec<(Row, Rational)>),
    /// The variable of the column can move without limit towards this side, and the form grows.
    Unbounded(usize, Side),
    /// The value of the form exceeds the given sufficient value.
    Enough,
}

impl Solver {
    /// Maximises a linear form over all solutions.
    pub fn maximise(&mut self, form: &Linear) -> Optimum {
        if let Err(reason) = self.repair() {
            return Optimum::Infeasible(reason);
        }
        match self.improve(form, None) {
            End::Most(parts) => Optimum::Most {
                value: self.value_of(form),
                point: self.point(),
                multipliers: parts.into_iter().collect(),
            },
            End::Unbounded(column, side) => Optimum::Unbounded {
                point: self.point(),
                ray: self.ray(column, side),
            },
            End::Enough => unreachable!("nothing is enough"),
        }
    }

    /// The value of a form at the current point.
    pub(crate) fn value_of(&self, form: &Linear) -> Rational {
        let terms = form.terms().iter();
        terms
            .map(|(Unknown(number), c)| c * self.tableau.value(Variable(*number)))
            .sum()
    }

    /// Moves from solution to solution while the value of the form grows. Ends at a maximum, with an unbounded
    /// direction, or when the value exceeds `enough`.
    pub(crate) fn improve(&mut self, form: &Linear, enough: Option<&Rational>) -> End {
        // The reduced costs: by column, the gain of the form per unit of its variable.
        let mut gain = self.tableau.expressed(&Self::sum_of(form));
        // The number of consecutive degenerate steps. If it is large, there may be a cycle, and Bland's rule is used.
        let mut still = 0;
        loop {
            if enough.is_some_and(|enough| self.value_of(form) > *enough) {
                return End::Enough;
            }
            let bland = still > self.tableau.right().len();
            let Some((column, towards)) = self.entering_column(&gain, bland) else {
                return End::Most(self.reasons(&gain));
            };
            let Some((length, line)) = self.ratio_test(column, towards) else {
                return End::Unbounded(column, towards);
            };
            still = if length.is_zero() { still + 1 } else { 0 };
            let by = match towards {
                Side::Upper => length,
                Side::Lower => -length,
            };
            self.tableau.shift(column, &by);
            if let Some(line) = line {
                self.tableau.pivot(line, column);
                self.tableau.follow(&mut gain, line, column);
            }
        }
    }

    /// The entering column and the direction in which its variable increases the form. Of the possible columns it is
    /// the one with nonzero coefficients in the fewest lines, which keeps the tableau sparse; under Bland's rule it is
    /// the one with the first variable. `None` if the form is maximal.
    fn entering_column(&self, gain: &Line, bland: bool) -> Option<(usize, Side)> {
        let mut best: Option<(usize, Side)> = None;
        for (column, term) in gain.terms().iter().enumerate() {
            if term.is_zero() {
                continue;
            }
            let towards = match term.is_positive() {
                true => Side::Upper,
                false => Side::Lower,
            };
            let variable = self.tableau.right()[column];
            if !self.has_room(variable, towards) {
                continue;
            }
            let better = best.is_none_or(|(other, _)| {
                let first = variable < self.tableau.right()[other];
                let fewer = self.tableau.used(column).cmp(&self.tableau.used(other));
                match bland {
                    true => first,
                    false => fewer.is_lt() || fewer.is_eq() && first,
                }
            });
            if better {
                best = Some((column, towards));
            }
        }
        best
    }

    /// The ratio test: the distance that the variable of a column can move, and the line whose variable reaches a bound
    /// first. There is no line if the variable reaches its own bound first. The result is `None` if it can move without
    /// limit.
    fn ratio_test(&self, column: usize, towards: Side) -> Option<(Rational, Option<usize>)> {
        let variable = self.tableau.right()[column];
        let own = self.bound(variable, towards);
        let mut first = own.map(|end| {
            let length = (&end.value - self.tableau.value(variable)).abs();
            (length, None)
        });
        for (line, &variable) in self.tableau.left().iter().enumerate() {
            let term = &self.tableau.line(line).terms()[column];
            if term.is_zero() {
                continue;
            }
            let side = match term.is_positive() {
                true => towards,
                false => towards.other(),
            };
            let Some(end) = self.bound(variable, side) else {
                continue;
            };
            let coefficient = self.tableau.line(line).coefficient(column);
            let length = ((&end.value - self.tableau.value(variable)) / coefficient).abs();
            let nearer = match &first {
                None => true,
                Some((least, None)) => length < *least,
                Some((least, Some(other))) => {
                    length < *least || length == *least && variable < self.tableau.left()[*other]
                }
            };
            if nearer {
                first = Some((length, Some(line)));
            }
        }
        first
    }

    /// For each column with a nonzero gain: the row of the bound at which its variable is, with the multiplier of the
    /// certificate.
    fn reasons(&self, gain: &Line) -> Vec<(Row, Rational)> {
        gain.coefficients()
            .map(|(column, coefficient)| {
                let end = match coefficient.is_positive() {
                    true => Side::Upper,
                    false => Side::Lower,
                };
                let bound = self.bound(self.tableau.right()[column], end);
                Self::cause(bound.expect("a column at its end"), &coefficient)
            })
            .collect()
    }

    /// By unknown: its change when the variable of a column moves by 1 in this direction.
    fn ray(&self, column: usize, towards: Side) -> Vec<Rational> {
        let step = match towards {
            Side::Upper => Rational::ONE,
            Side::Lower => Rational::from(-1),
        };
        (0..self.problem().unknowns() as u32)
            .map(|unknown| match self.tableau.place(Variable(unknown)) {
                Place::Line(line) => self.tableau.line(line).coefficient(column) * &step,
                Place::Column(own) if own == column => step.clone(),
                Place::Column(_) => Rational::ZERO,
            })
            .collect()
    }
}
