//! A line of the tableau: a sum over the columns, in integers.
//!
//! A line says `scale * variable = sum of terms * variables of the columns`, so that the innermost
//! loop of a pivot multiplies and adds integers. What all numbers of a line have in common is
//! divided out once in a while only.

use rational::Rational;

/// A line is reduced when its scale is greater. Far from the end of a machine word, so that products
/// stay there mostly; large enough to be reached after several pivots.
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

    /// The terms: the coefficients but for a positive factor.
    pub(crate) fn terms(&self) -> &[Rational] {
        &self.terms
    }

    /// The columns that are not zero, with their coefficients.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = (usize, Rational)> + '_ {
        let terms = self.terms.iter().enumerate();
        let used = terms.filter(|(_, term)| !term.is_zero());
        used.map(|(column, term)| (column, term / &self.scale))
    }

    /// A coefficient.
    pub(crate) fn coefficient(&self, column: usize) -> Rational {
        &self.terms[column] / &self.scale
    }

    /// Solves the line for the variable of a column that is used: it is now expressed by the one
    /// that the line belonged to, in the same column, and the others.
    pub(crate) fn turn(&mut self, column: usize) {
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

    /// Replaces the variable of a column by what a turned line says it is; `others` are the other
    /// columns that the turned line uses. Tells which of them begin or cease to be used.
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

    /// Divides by what all numbers have in common; makes them integers if they were not.
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
