//! The incremental solver: turns rows into bounds of variables, and searches for values within the bounds.

use crate::problem::{Linear, Multipliers, Problem, Relation, Row, Unknown};
use crate::tableau::{Place, Tableau, Variable};
use rational::Rational;
use std::collections::BTreeMap;

/// The result of a feasibility query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solution: one value for each unknown.
    Point(Vec<Rational>),
    /// There is no solution: the multiplied rows add up to `0 <= r` with a negative `r`. The set of these rows is
    /// minimal: without any one of them the others have a solution.
    Infeasible(Multipliers),
}

/// An incremental solver: rows can be added and removed, and each query starts with the values of the previous one.
#[derive(Clone, Debug)]
pub struct Solver {
    problem: Problem,
    pub(crate) tableau: Tableau,
    /// By variable: its bounds.
    bounds: Vec<Bounds>,
    /// The variables for linear forms with more than one term. Forms are scaled so that their first coefficient is 1;
    /// so proportional rows share a variable. The variables remain when rows are removed.
    forms: BTreeMap<Linear, Variable>,
    /// Each replaced bound: the variable, the side, and the bound before. [`Solver::pop`] restores them.
    trail: Vec<(Variable, Side, Option<Bound>)>,
    /// By level: the numbers of rows and of trail entries at its start.
    levels: Vec<(usize, usize)>,
    /// The certificate of the first contradiction found when a row was added, if any.
    contradiction: Option<Multipliers>,
}

/// The bounds of a variable.
#[derive(Clone, Debug, Default)]
struct Bounds {
    lower: Option<Bound>,
    upper: Option<Bound>,
}

/// A bound of a variable, and the row from which it comes.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Rational,
    row: Row,
    /// The left side of the row is `scale * variable`.
    scale: Rational,
}

/// Selects the lower or the upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

impl Solver {
    /// A solver for a problem.
    pub fn new(problem: Problem) -> Solver {
        let unknowns = problem.unknowns();
        let mut solver = Solver {
            tableau: Tableau::new(unknowns),
            bounds: vec![Bounds::default(); unknowns],
            problem,
            forms: BTreeMap::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            contradiction: None,
        };
        for row in 0..solver.problem.rows().len() {
            solver.assert(Row(row as u32));
        }
        solver
    }

    /// The problem with all current rows.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Adds a row and returns its index.
    ///
    /// # Panics
    ///
    /// If the row contains an unknown that does not exist.
    pub fn row(&mut self, left: impl Into<Linear>, relation: Relation, right: Rational) -> Row {
        let row = self.problem.row(left, relation, right);
        self.assert(row);
        row
    }

    /// Starts a level. [`Solver::pop`] removes the rows that are added from now on.
    pub fn push(&mut self) {
        self.levels
            .push((self.problem.rows().len(), self.trail.len()));
    }

    /// Removes the rows added since the last [`Solver::push`].
    ///
    /// # Panics
    ///
    /// If no level has been started.
    pub fn pop(&mut self) {
        let (rows, trail) = self.levels.pop().expect("a level to end");
        for (variable, side, before) in self.trail.drain(trail..).rev() {
            *self.bounds[variable.0 as usize].end(side) = before;
        }
        let gone = |reason: &Multipliers| reason.rows().any(|row| row.0 as usize >= rows);
        if self.contradiction.as_ref().is_some_and(gone) {
            self.contradiction = None;
        }
        self.problem.truncate(rows);
    }

    /// A solution, or a certificate of infeasibility.
    pub fn solve(&mut self) -> Answer {
        match self.repair() {
            Ok(()) => Answer::Point(self.point()),
            Err(reason) => Answer::Infeasible(reason),
        }
    }

    /// Pivots until every variable is within its bounds; the error is a certificate of infeasibility.
    pub(crate) fn repair(&mut self) -> Result<(), Multipliers> {
        if let Some(reason) = &self.contradiction {
            return Err(reason.clone());
        }
        // After more pivots than this there may be a cycle, and Bland's rule is used.
        let pivot_limit = 2 * (self.tableau.left().len() + self.tableau.right().len());
        let mut pivots = 0;
        loop {
            let bland = pivots > pivot_limit;
            let Some((line, side)) = self.violated_line(bland) else {
                return Ok(());
            };
            let Some(column) = self.repairing_column(line, side, bland) else {
                return Err(self.reason_of_line(line, side));
            };
            let variable = self.tableau.left()[line];
            let bound = self.bound(variable, side).expect("a broken bound");
            let lacks = &bound.value - self.tableau.value(variable);
            let by = lacks / self.tableau.line(line).coefficient(column);
            self.tableau.shift(column, &by);
            self.tableau.pivot(line, column);
            pivots += 1;
        }
    }

    /// The current values of the unknowns.
    pub(crate) fn point(&self) -> Vec<Rational> {
        (0..self.problem.unknowns() as u32)
            .map(|unknown| self.tableau.value(Variable(unknown)).clone())
            .collect()
    }

    /// The bound of a variable on this side; `None` if there is none.
    pub(crate) fn bound(&self, variable: Variable, side: Side) -> Option<&Bound> {
        let bounds = &self.bounds[variable.0 as usize];
        match side {
            Side::Lower => bounds.lower.as_ref(),
            Side::Upper => bounds.upper.as_ref(),
        }
    }

    /// Whether the variable can move towards this side: it has no bound there, or is not at it.
    pub(crate) fn has_room(&self, variable: Variable, side: Side) -> bool {
        let value = self.tableau.value(variable);
        match (self.bound(variable, side), side) {
            (None, _) => true,
            (Some(bound), Side::Lower) => *value > bound.value,
            (Some(bound), Side::Upper) => *value < bound.value,
        }
    }

    /// A linear form over unknowns as one over variables of the tableau.
    pub(crate) fn sum_of(form: &Linear) -> Vec<(Variable, Rational)> {
        form.terms()
            .iter()
            .map(|(Unknown(number), coefficient)| (Variable(*number), coefficient.clone()))
            .collect()
    }

    /// The row from which a bound comes, with the multiplier that makes its left side `times * variable`.
    pub(crate) fn cause(bound: &Bound, times: &Rational) -> (Row, Rational) {
        (bound.row, times / &bound.scale)
    }

    /// Turns a row of the problem into one or two bounds of a variable.
    fn assert(&mut self, row: Row) {
        let constraint = self.problem.constraint(row);
        let right = constraint.right.clone();
        let (below, above) = match constraint.relation {
            Relation::AtMost => (false, true),
            Relation::AtLeast => (true, false),
            Relation::Equal => (true, true),
        };
        let Some((_, scale)) = constraint.left.terms().first() else {
            // The left side is 0: the row is true or contradictory.
            if above && right.is_negative() {
                self.contradict([(row, Rational::ONE)]);
            } else if below && right.is_positive() {
                self.contradict([(row, Rational::from(-1))]);
            }
            return;
        };
        let scale = scale.clone();
        let form = constraint.left.scaled(&scale.recip());
        let variable = self.variable(form);
        let (below, above) = match scale.is_negative() {
            true => (above, below),
            false => (below, above),
        };
        let bound = Bound {
            value: right / &scale,
            row,
            scale,
        };
        if below {
            self.tighten(variable, Side::Lower, bound.clone());
        }
        if above {
            self.tighten(variable, Side::Upper, bound);
        }
    }

    /// The variable of a linear form whose first coefficient is 1. It is created if there is none.
    fn variable(&mut self, form: Linear) -> Variable {
        if let [(unknown, _)] = form.terms() {
            return Variable(unknown.0);
        }
        if let Some(variable) = self.forms.get(&form) {
            return *variable;
        }
        let variable = self.tableau.add(&Self::sum_of(&form));
        self.bounds.push(Bounds::default());
        self.forms.insert(form, variable);
        variable
    }

    /// Sets a bound of a variable, unless the present one is at least as tight. Records a contradiction if the bound
    /// excludes the bound on the other side. A nonbasic variable is moved to the new bound if it violates it.
    fn tighten(&mut self, variable: Variable, side: Side, bound: Bound) {
        let weaker = |old: &Bound| match side {
            Side::Lower => old.value >= bound.value,
            Side::Upper => old.value <= bound.value,
        };
        if self.bound(variable, side).is_some_and(weaker) {
            return;
        }
        let crosses = |other: &&Bound| match side {
            Side::Lower => other.value < bound.value,
            Side::Upper => other.value > bound.value,
        };
        if let Some(other) = self.bound(variable, side.other()).filter(crosses) {
            let plus = Rational::ONE;
            let minus = Rational::from(-1);
            let (here, there) = match side {
                Side::Lower => (minus, plus),
                Side::Upper => (plus, minus),
            };
            let parts = [Self::cause(&bound, &here), Self::cause(other, &there)];
            self.contradict(parts);
            return;
        }
        let value = bound.value.clone();
        let before = self.bounds[variable.0 as usize].end(side).replace(bound);
        self.trail.push((variable, side, before));
        if let Place::Column(column) = self.tableau.place(variable) {
            let now = self.tableau.value(variable);
            let beyond = match side {
                Side::Lower => *now < value,
                Side::Upper => *now > value,
            };
            if beyond {
                let by = value - now;
                self.tableau.shift(column, &by);
            }
        }
    }

    fn contradict(&mut self, parts: impl IntoIterator<Item = (Row, Rational)>) {
        self.contradiction
            .get_or_insert_with(|| parts.into_iter().collect());
    }

    /// A line whose basic variable violates a bound, and the side of that bound: the one with the largest violation, or
    /// the one with the first variable under Bland's rule. `None` if no bound is violated.
    fn violated_line(&self, bland: bool) -> Option<(usize, Side)> {
        let mut best: Option<(usize, Side, Rational)> = None;
        for (line, &variable) in self.tableau.left().iter().enumerate() {
            let bounds = &self.bounds[variable.0 as usize];
            let value = self.tableau.value(variable);
            let (side, by) = match (&bounds.lower, &bounds.upper) {
                (Some(lower), _) if *value < lower.value => (Side::Lower, &lower.value - value),
                (_, Some(upper)) if *value > upper.value => (Side::Upper, value - &upper.value),
                _ => continue,
            };
            let better = match &best {
                None => true,
                Some((other, ..)) if bland => variable < self.tableau.left()[*other],
                Some((.., most)) => by > *most,
            };
            if better {
                best = Some((line, side, by));
            }
        }
        best.map(|(line, side, _)| (line, side))
    }

    /// A column whose variable can move so that the violated variable of the line moves towards its bound. It is the
    /// one with nonzero coefficients in the fewest lines, or the one with the first variable under Bland's rule. None
    /// if all are blocked by their bounds.
    fn repairing_column(&self, line: usize, side: Side, bland: bool) -> Option<usize> {
        let columns = self.tableau.line(line).terms().iter().enumerate();
        columns
            .filter(|(_, term)| !term.is_zero())
            .filter(|(column, term)| {
                let rises = term.is_positive() == (side == Side::Lower);
                let towards = if rises { Side::Upper } else { Side::Lower };
                self.has_room(self.tableau.right()[*column], towards)
            })
            .map(|(column, _)| column)
            .min_by_key(|column| {
                let used = if bland { 0 } else { self.tableau.used(*column) };
                (used, self.tableau.right()[*column])
            })
    }

    /// The certificate of infeasibility, given a line that violates its bound while all its columns are blocked by
    /// theirs.
    fn reason_of_line(&self, line: usize, side: Side) -> Multipliers {
        // The line says `sum of columns - variable = 0`. With this sign, the bounds of the columns and of the variable
        // add up to a negative right side.
        let sign = match side {
            Side::Lower => Rational::ONE,
            Side::Upper => Rational::from(-1),
        };
        let broken = self.bound(self.tableau.left()[line], side);
        let broken = Self::cause(broken.expect("a broken bound"), &-&sign);
        let columns = self.tableau.line(line).coefficients();
        columns
            .map(|(column, coefficient)| {
                let times = coefficient * &sign;
                let end = if times.is_positive() {
                    Side::Upper
                } else {
                    Side::Lower
                };
                let bound = self.bound(self.tableau.right()[column], end);
                Self::cause(bound.expect("a column at its end"), &times)
            })
            .chain([broken])
            .collect()
    }
}

impl Bounds {
    fn end(&mut self, side: Side) -> &mut Option<Bound> {
        match side {
            Side::Lower => &mut self.lower,
            Side::Upper => &mut self.upper,
        }
    }
}

impl Side {
    pub(crate) fn other(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}
