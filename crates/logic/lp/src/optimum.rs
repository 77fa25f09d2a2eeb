//! The most that a linear form can be: the primal simplex, from a solution on.

use crate::line::Line;
use crate::problem::{Linear, Multipliers, Row, Unknown};
use crate::solver::{Side, Solver};
use crate::tableau::{Place, Variable};
use rational::Rational;

/// How large a linear form can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// So large and no larger.
    Most {
        /// The largest value.
        value: Rational,
        /// A solution in which it has that value.
        point: Vec<Rational>,
        /// The multiplied rows add up to `form <= value`.
        multipliers: Multipliers,
    },
    /// As large as one likes.
    Unbounded {
        /// A solution.
        point: Vec<Rational>,
        /// What can be added to it any number of times; the form grows with each.
        ray: Vec<Rational>,
    },
    /// There is no solution.
    Infeasible(Multipliers),
}

/// How the search ends.
pub(crate) enum End {
    /// The form is its largest; why, column by column.
    Most(Vec<(Row, Rational)>),
    /// The variable of the column can go on for ever, towards that side.
    Unbounded(usize, Side),
    /// The form is larger than it had to be.
    Enough,
}

impl Solver {
    /// The most that a form can be.
    pub fn maximise(&mut self, form: &Linear) -> Optimum {
        if let Err(reason) = self.repair() {
            return Optimum::Infeasible(reason);
        }
        match self.climb(form, None) {
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

    /// Goes from a solution to solutions in which the form is larger, until it is larger than what
    /// is enough.
    pub(crate) fn climb(&mut self, form: &Linear, enough: Option<&Rational>) -> End {
        // What the form gains by each column.
        let mut gain = self.tableau.expressed(&Self::sum_of(form));
        // Steps of length 0 in a row; many hint at a cycle.
        let mut still = 0;
        loop {
            if enough.is_some_and(|enough| self.value_of(form) > *enough) {
                return End::Enough;
            }
            let bland = still > self.tableau.right().len();
            let Some((column, towards)) = self.gaining_column(&gain, bland) else {
                return End::Most(self.reasons(&gain));
            };
            let Some((length, line)) = self.first_obstacle(column, towards) else {
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

    /// A column whose variable makes the form larger, and the way it has to go: the one that is
    /// used least, which keeps the tableau thin, or the one with the first variable.
    fn gaining_column(&self, gain: &Line, bland: bool) -> Option<(usize, Side)> {
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

    /// How far the variable of a column can go, and the line that stops it; no line if it comes to
    /// its own end, nothing if it can go on for ever.
    fn first_obstacle(&self, column: usize, towards: Side) -> Option<(Rational, Option<usize>)> {
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

    /// Why no column can make the form larger.
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

    /// How the unknowns change when the variable of a column goes by 1.
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
