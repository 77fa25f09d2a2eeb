//! The simplex tableau: each basic variable is expressed by the nonbasic variables, and every variable has a value.
//!
//! The tableau is dense. At the sizes that occur, arrays whose zeros are skipped are simpler than sparse lines.

use crate::line::Line;
use rational::Rational;

/// A variable of the tableau: an unknown of the problem, or a linear form of unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variable(pub(crate) u32);

/// Whether a variable is basic or nonbasic, and in which line or column it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Basic: this line expresses it.
    Line(usize),
    /// Nonbasic: this column has its coefficients.
    Column(usize),
}

/// The tableau. Invariant: the values of all variables satisfy the equations of all lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    lines: Vec<Line>,
    /// By line: its basic variable.
    left: Vec<Variable>,
    /// By column: its nonbasic variable.
    right: Vec<Variable>,
    /// By column: the number of lines with a nonzero coefficient in it.
    used: Vec<usize>,
    place: Vec<Place>,
    value: Vec<Rational>,
}

impl Tableau {
    /// A tableau without lines, in which all unknowns are nonbasic and have the value 0.
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

    /// Adds a basic variable that is equal to a linear combination of other variables.
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

    /// A linear combination of variables, expressed by the nonbasic variables.
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

    /// The line with an index.
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

    /// The number of lines with a nonzero coefficient in a column.
    pub(crate) fn used(&self, column: usize) -> usize {
        self.used[column]
    }

    /// Whether a variable is basic or nonbasic, and in which line or column it is.
    pub(crate) fn place(&self, variable: Variable) -> Place {
        self.place[variable.0 as usize]
    }

    /// The value of a variable.
    pub(crate) fn value(&self, variable: Variable) -> &Rational {
        &self.value[variable.0 as usize]
    }

    /// Adds `by` to the value of the variable of a column, and updates the values of the basic variables.
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

    /// Exchanges the basic variable of a line with the nonbasic variable of a column. Values do not change.
    ///
    /// # Panics
    ///
    /// If the coefficient of the column in the line is 0.
    pub(crate) fn pivot(&mut self, line: usize, column: usize) {
        cancellation::poll();
        let mut turned = std::mem::take(&mut self.lines[line]);
        turned.solve_for(column);
        let others = used_but(&turned, column);
        for other in &mut self.lines {
            // The place of the pivot line is an empty line at this point.
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

    /// Applies a pivot that has just been made to a line that is kept outside the tableau.
    pub(crate) fn follow(&self, outside: &mut Line, line: usize, column: usize) {
        let turned = &self.lines[line];
        outside.replace(column, turned, &used_but(turned, column), |_, _| {});
    }
}

/// The columns other than `column` with nonzero coefficients in a line.
fn used_but(line: &Line, column: usize) -> Vec<usize> {
    let terms = line.terms().iter().enumerate();
    terms
        .filter(|(c, term)| *c != column && !term.is_zero())
        .map(|(c, _)| c)
        .collect()
}
