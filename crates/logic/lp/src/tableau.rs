//! The simplex tableau: basic variables on the left, each expressed by the nonbasic variables on the right,
//! and a value for every variable.
//!
//! The tableau is dense: at the sizes of runs, plain arrays that skip zeros are simpler than ordered sparse
//! lines.

use crate::line::Line;
use rational::Rational;

/// A variable: an unknown, or a linear form with bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variable(pub(crate) u32);

/// The position of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Basic: expressed by this line.
    Line(usize),
    /// Nonbasic: lines are expressed by it, in this column.
    Column(usize),
}

/// Invariant: the value of the variable of each line is the line's sum over the values of the variables of
/// the columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    lines: Vec<Line>,
    /// The basic variable of each line.
    left: Vec<Variable>,
    /// The nonbasic variable of each column.
    right: Vec<Variable>,
    /// By column: the number of lines with a nonzero coefficient.
    used: Vec<usize>,
    place: Vec<Place>,
    value: Vec<Rational>,
}

impl Tableau {
    /// A tableau for this number of unknowns, all of them nonbasic with value 0.
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

    /// Adds a basic variable that equals a sum of others.
    pub(crate) fn add(&mut self, sum: &[(Variable, Rational)]) -> Variable {
        let variable = Variable(self.place.len() as u32);
        let line = self.expressed(sum);
        for (column, _) in line.coefficients() {
            self.used[column] += 1;
        }
        let value = sum.iter().map(|(v, c)| c * self.value(*v)).sum();
        self.place.push(Place::Line(self.lines.len()));
        self.value.push(value);
        self.left.push(variable);
        self.lines.push(line);
        variable
    }

    /// A sum of variables, expressed by the nonbasic variables.
    pub(crate) fn expressed(&self, sum: &[(Variable, Rational)]) -> Line {
        let mut total = vec![Rational::ZERO; self.right.len()];
        for (variable, times) in sum {
            match self.place(*variable) {
                Place::Column(column) => total[column] += times,
                Place::Line(line) => {
                    for (column, coefficient) in self.lines[line].coefficients() {
                        total[column] += times * coefficient;
                    }
                }
            }
        }
        Line::new(total)
    }

    /// A line.
    pub(crate) fn line(&self, line: usize) -> &Line {
        &self.lines[line]
    }

    /// The basic variables, by line.
    pub(crate) fn left(&self) -> &[Variable] {
        &self.left
    }

    /// The nonbasic variables, by column.
    pub(crate) fn right(&self) -> &[Variable] {
        &self.right
    }

    /// The number of lines that use a column.
    pub(crate) fn used(&self, column: usize) -> usize {
        self.used[column]
    }

    /// The position of a variable.
    pub(crate) fn place(&self, variable: Variable) -> Place {
        self.place[variable.0 as usize]
    }

    /// The value of a variable.
    pub(crate) fn value(&self, variable: Variable) -> &Rational {
        &self.value[variable.0 as usize]
    }

    /// Adds to the value of the variable of a column, and updates the values that depend on it.
    pub(crate) fn shift(&mut self, column: usize, by: &Rational) {
        if by.is_zero() {
            return;
        }
        self.value[self.right[column].0 as usize] += by;
        for (line, variable) in self.lines.iter().zip(&self.left) {
            if !line.terms()[column].is_zero() {
                self.value[variable.0 as usize] += line.coefficient(column) * by;
            }
        }
    }

    /// Exchanges the variable of a line with that of a column. Values do not change.
    ///
    /// # Panics
    ///
    /// If the column is not used in the line.
    pub(crate) fn pivot(&mut self, line: usize, column: usize) {
        let mut turned = std::mem::take(&mut self.lines[line]);
        turned.solve_for(column);
        let others = used_but(&turned, column);
        for other in &mut self.lines {
            // The pivot line has been moved out and is empty for now.
            if other
                .terms()
                .get(column)
                .is_some_and(|term| !term.is_zero())
            {
                other.replace(column, &turned, &others, |c, begins| match begins {
                    true => self.used[c] += 1,
                    false => self.used[c] -= 1,
                });
            }
        }
        self.lines[line] = turned;
        let (leaves, enters) = (self.left[line], self.right[column]);
        self.left[line] = enters;
        self.right[column] = leaves;
        self.place[enters.0 as usize] = Place::Line(line);
        self.place[leaves.0 as usize] = Place::Column(column);
    }

    /// Applies a pivot to a line that is kept outside the tableau.
    pub(crate) fn follow(&self, outside: &mut Line, line: usize, column: usize) {
        let turned = &self.lines[line];
        outside.replace(column, turned, &used_but(turned, column), |_, _| {});
    }
}

/// The columns that a line uses, except one.
fn used_but(line: &Line, column: usize) -> Vec<usize> {
    let terms = line.terms().iter().enumerate();
    terms
        .filter(|(c, term)| *c != column && !term.is_zero())
        .map(|(c, _)| c)
        .collect()
}
