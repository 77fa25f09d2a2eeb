//! Maximisation of a linear form: the primal simplex method, starting at a solution.

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
        /// Multipliers that prove optimality: the multiplied rows add up to `form <= value`.
        multipliers: Multipliers,
    },
    /// The form is unbounded.
    Unbounded {
        /// A solution.
        point: Vec<Rational>,
        /// A direction: any multiple of it can be added to the point, and the form grows.
        ray: Vec<Rational>,
    },
    /// There is no solution.
    Infeasible(Multipliers),
}

/// The result of the primal simplex.
pub(crate) enum End {
    /// The form is maximal; the reasons, column by column.
    Most(Vec<(Row, Rational)>),
    /// The variable of the column can move without limit towards that side.
    Unbounded(usize, Side),
    /// The form exceeds the sufficient value.
    Enough,
}

impl Solver {
    /// The maximum of a form.
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

    /// Moves from solution to solution with larger values of the form, until the form exceeds the sufficient
    /// value.
    pub(crate) fn improve(&mut self, form: &Linear, enough: Option<&Rational>) -> End {
        // The reduced costs: the gain of the form per column.
        let mut gain = self.tableau.expressed(&Self::sum_of(form));
        // Consecutive degenerate steps; many of them indicate a cycle.
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

    /// The entering column and its direction: of the columns that increase the form, the one used in the
    /// fewest lines, which keeps the tableau sparse; with Bland's rule, the one with the first variable.
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

    /// The ratio test: the distance that the variable of a column can move, and the line that blocks it. No
    /// line if it reaches its own bound; none if it can move without limit.
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

    /// The reasons why no column can increase the form.
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

    /// The change of the unknowns when the variable of a column moves by 1.
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
