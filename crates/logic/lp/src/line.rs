//! A row of the tableau, called line: a linear combination of the nonbasic variables, in integers.
//!
//! A line means `scale * variable = sum of terms * variables of the columns`, so that the innermost loop of a
//! pivot multiplies and adds integers. Common factors of a line are divided out only when its scale grows
//! beyond a limit.

use rational::Rational;

/// A line is reduced when its scale exceeds this limit. The limit is far below the range of a machine word,
/// so that most products stay within it, and high enough that several pivots happen before it is reached.
const MOST_SCALE: i64 = 1 << 28;

/// Invariant: scale and terms are integers, and the scale is positive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    scale: Rational,
    terms: Vec<Rational>,
}

impl Line {
    /// The line with these coefficients.
    pub(crate) fn new(coefficients: Vec<Rational>) -> Line {
        let mut line = Line {
            scale: Rational::ONE,
            terms: coefficients,
        };
        line.reduce();
        line
    }

    /// The terms: the coefficients up to a positive factor.
    pub(crate) fn terms(&self) -> &[Rational] {
        &self.terms
    }

    /// The columns with nonzero coefficients.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = (usize, Rational)> + '_ {
        let terms = self.terms.iter().enumerate();
        let used = terms.filter(|(_, term)| !term.is_zero());
        used.map(|(column, term)| (column, term / &self.scale))
    }

    /// A coefficient.
    pub(crate) fn coefficient(&self, column: usize) -> Rational {
        &self.terms[column] / &self.scale
    }

    /// Solves the line for the variable of a column with a nonzero coefficient: that variable is then
    /// expressed by the variable of the line, in the same column, and the others.
    pub(crate) fn solve_for(&mut self, column: usize) {
        self.reduce();
        let positive = self.terms[column].is_positive();
        std::mem::swap(&mut self.scale, &mut self.terms[column]);
        // `scale * x = term * y + rest` is `term * y = scale * x - rest`.
        match positive {
            true => {
                for (c, term) in self.terms.iter_mut().enumerate() {
                    if c != column && !term.is_zero() {
                        *term = -&*term;
                    }
                }
            }
            false => {
                self.scale = -&self.scale;
                self.terms[column] = -&self.terms[column];
            }
        }
    }

    /// Substitutes a solved line for the variable of a column; `others` are the other columns that the solved
    /// line uses. Reports the columns that become used or unused.
    pub(crate) fn replace(
        &mut self,
        column: usize,
        turned: &Line,
        others: &[usize],
        mut begins: impl FnMut(usize, bool),
    ) {
        let mut times = std::mem::take(&mut self.terms[column]);
        if times.is_zero() {
            return;
        }
        let common = times.gcd(&turned.scale);
        times /= &common;
        let stretch = &turned.scale / &common;
        if stretch != Rational::ONE {
            self.scale *= &stretch;
            for term in self.terms.iter_mut().filter(|term| !term.is_zero()) {
                *term *= &stretch;
            }
        }
        for &c in others {
            let before = self.terms[c].is_zero();
            self.terms[c] += &times * &turned.terms[c];
            let after = self.terms[c].is_zero();
            if before != after {
                begins(c, before);
            }
        }
        self.terms[column] = times * &turned.terms[column];
        if self.scale > Rational::from(MOST_SCALE) {
            self.reduce();
        }
    }

    /// Makes all numbers integers and divides by their common factor.
    fn reduce(&mut self) {
        let mut common = self.scale.clone();
        for term in self.terms.iter().filter(|term| !term.is_zero()) {
            if common != Rational::ONE || !term.is_integer() {
                common = common.gcd(term);
            }
        }
        if common != Rational::ONE {
            self.scale /= &common;
            for term in self.terms.iter_mut().filter(|term| !term.is_zero()) {
                *term /= &common;
            }
        }
    }
}
