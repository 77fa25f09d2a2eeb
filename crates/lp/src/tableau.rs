//! The tableau: variables on its left, each expressed by those on its right, and a value for all.
//!
//! It is dense. At the sizes that runs have, a pivot over a plain array costs less than keeping
//! sparse rows in order; what is zero is skipped all the same.

use rational::Rational;

/// A variable: an unknown, or a linear form that has bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variable(pub(crate) u32);

/// On which side a variable is, and where there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is expressed by this line.
    Line(usize),
    /// It is what lines are expressed by, in this column.
    Column(usize),
}

/// Invariant: the value of the variable of each line is the line's sum over the values of the
/// variables of the columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    lines: Vec<Vec<Rational>>,
    /// The variable of each line.
    left: Vec<Variable>,
    /// The variable of each column.
    right: Vec<Variable>,
    /// How many lines are not zero in each column.
    used: Vec<usize>,
    place: Vec<Place>,
    value: Vec<Rational>,
}

impl Tableau {
    /// Variables for so many unknowns, all of them columns with value 0.
    pub(crate) fn new(unknowns: usize) -> Tableau {
        Tableau {
            lines: Vec::new(),
            left: Vec::new(),
            right: (0..unknowns as u32).map(Variable).collect(),
            used: vec![0; unknowns],
            place: (0..unknowns).map(Place::Column).collect(),
            value: vec![Rational::ZERO; unknowns],
        }
    }

    /// A new variable on the left that is always the sum of others.
    pub(crate) fn add(&mut self, sum: &[(Variable, Rational)]) -> Variable {
        let variable = Variable(self.place.len() as u32);
        let line = self.expressed(sum);
        for (column, coefficient) in line.iter().enumerate() {
            self.used[column] += usize::from(!coefficient.is_zero());
        }
        let value = sum.iter().map(|(v, c)| c * self.value(*v)).sum();
        self.place.push(Place::Line(self.lines.len()));
        self.value.push(value);
        self.left.push(variable);
        self.lines.push(line);
        variable
    }

    /// A sum of variables, expressed by those of the columns.
    pub(crate) fn expressed(&self, sum: &[(Variable, Rational)]) -> Vec<Rational> {
        let mut line = vec![Rational::ZERO; self.right.len()];
        for (variable, coefficient) in sum {
            match self.place(*variable) {
                Place::Column(column) => line[column] += coefficient,
                Place::Line(other) => add_multiple(&mut line, coefficient, &self.lines[other]),
            }
        }
        line
    }

    /// The coefficients of a line, by column.
    pub(crate) fn line(&self, line: usize) -> &[Rational] {
        &self.lines[line]
    }

    /// The coefficient of a column in a line.
    pub(crate) fn at(&self, line: usize, column: usize) -> &Rational {
        &self.lines[line][column]
    }

    /// The variables of the lines.
    pub(crate) fn left(&self) -> &[Variable] {
        &self.left
    }

    /// The variables of the columns.
    pub(crate) fn right(&self) -> &[Variable] {
        &self.right
    }

    /// How many lines a column is used in.
    pub(crate) fn used(&self, column: usize) -> usize {
        self.used[column]
    }

    /// Where a variable is.
    pub(crate) fn place(&self, variable: Variable) -> Place {
        self.place[variable.0 as usize]
    }

    /// The value of a variable.
    pub(crate) fn value(&self, variable: Variable) -> &Rational {
        &self.value[variable.0 as usize]
    }

    /// Adds to the value of the variable of a column, and to what depends on it.
    pub(crate) fn shift(&mut self, column: usize, by: &Rational) {
        if by.is_zero() {
            return;
        }
        self.value[self.right[column].0 as usize] += by;
        for (line, variable) in self.lines.iter().zip(&self.left) {
            if !line[column].is_zero() {
                self.value[variable.0 as usize] += &line[column] * by;
            }
        }
    }

    /// Exchanges the variable of a line and that of a column. Values stay as they are.
    ///
    /// # Panics
    ///
    /// If the column is not used in the line.
    pub(crate) fn pivot(&mut self, line: usize, column: usize) {
        let mut turned = std::mem::take(&mut self.lines[line]);
        let inverse = turned[column].recip();
        let factor = -&inverse;
        let mut others = Vec::new();
        for (c, coefficient) in turned.iter_mut().enumerate() {
            if c != column && !coefficient.is_zero() {
                *coefficient *= &factor;
                others.push(c);
            }
        }
        turned[column] = inverse;
        for other in self.lines.iter_mut().filter(|l| !l.is_empty()) {
            if other[column].is_zero() {
                continue;
            }
            let times = std::mem::take(&mut other[column]);
            for &c in &others {
                let before = other[c].is_zero();
                other[c] += &times * &turned[c];
                match (before, other[c].is_zero()) {
                    (true, false) => self.used[c] += 1,
                    (false, true) => self.used[c] -= 1,
                    _ => {}
                }
            }
            other[column] = times * &turned[column];
        }
        self.lines[line] = turned;
        let (leaves, enters) = (self.left[line], self.right[column]);
        self.left[line] = enters;
        self.right[column] = leaves;
        self.place[enters.0 as usize] = Place::Line(line);
        self.place[leaves.0 as usize] = Place::Column(column);
    }
}

/// `line += times * other`.
pub(crate) fn add_multiple(line: &mut [Rational], times: &Rational, other: &[Rational]) {
    for (here, there) in line.iter_mut().zip(other) {
        if !there.is_zero() {
            *here += times * there;
        }
    }
}
