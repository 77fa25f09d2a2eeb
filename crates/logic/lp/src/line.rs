//! A line: a row of the tableau, which expresses one variable by the nonbasic variables, with integer coefficients.
//!
//! A line stands for the equation `scale * variable = sum over columns of term * variable of the column`. So the
//! innermost loop of a pivot multiplies and adds integers. Common factors of a line are divided out only when its scale
//! exceeds a limit.

use rational::Rational;

/// The largest scale of a line that is not reduced. It is small enough that most products fit into a machine word, and
/// large enough that several pivots happen between reductions.
const MOST_SCALE: i64 = 1 << 28;

/// A row of the tableau. Invariant: scale and terms are integers, and the scale is positive.
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

    /// By column: its term, which is its coefficient times the scale.
    pub(crate) fn terms(&self) -> &[Rational] {
        &self.terms
    }

    /// The columns with nonzero coefficients, and these coefficients.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = (usize, Rational)> + '_ {
        let terms = self.terms.iter().enumerate();
        let used = terms.filter(|(_, term)| !term.is_zero());
        used.map(|(column, term)| (column, term / &self.scale))
    }

    /// The coefficient of a column.
    pub(crate) fn coefficient(&self, column: usize) -> Rational {
        &self.terms[column] / &self.scale
    }

    /// Solves the equation for the variable of a column with a nonzero coefficient. Afterwards the line expresses that
    /// variable, and the column stands for the variable that the line expressed before.
    pub(crate) fn solve_for(&mut self, column: usize) {
        self.reduce();
        let positive = self.terms[column].is_positive();
        std::mem::swap(&mut self.scale, &mut self.terms[column]);
        // `scale * x = term * y + rest` is equivalent to `term * y = scale * x - rest`.
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

    /// Substitutes the solved line `turned` for the variable of a column. `others` are the other columns with nonzero
    /// coefficients in `turned`. Calls `begins` for each of them whose coefficient in this line becomes nonzero (true)
    /// or zero (false).
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

    /// Divides scale and terms by their greatest common divisor, which also makes fractions integers.
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
