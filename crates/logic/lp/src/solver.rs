//! The solver: which bounds hold, and the search for values within all of them.

use crate::problem::{Linear, Multipliers, Problem, Relation, Row, Unknown};
use crate::tableau::{Place, Tableau, Variable};
use rational::Rational;
use std::collections::BTreeMap;

/// What is known about a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solution: one value for each unknown.
    Point(Vec<Rational>),
    /// There is none: the multiplied rows add up to `0 <= r` with a negative `r`. Without any one
    /// of these rows the others have a solution.
    Infeasible(Multipliers),
}

/// A problem that is being worked on: rows can be added and taken back, and each answer begins
/// where the last one ended.
#[derive(Clone, Debug)]
pub struct Solver {
    problem: Problem,
    pub(crate) tableau: Tableau,
    /// For each variable.
    bounds: Vec<Bounds>,
    /// Variables of forms with more than one term. The first coefficient of each is 1, so that rows
    /// that differ by a factor share one. They stay when rows are taken back.
    forms: BTreeMap<Linear, Variable>,
    /// Bounds as they were before.
    trail: Vec<(Variable, Side, Option<Bound>)>,
    /// The numbers of rows and of entries of the trail when a level began.
    levels: Vec<(usize, usize)>,
    /// The first contradiction that was seen when a row was added.
    contradiction: Option<Multipliers>,
}

/// The two ends of what a variable may be.
#[derive(Clone, Debug, Default)]
struct Bounds {
    lower: Option<Bound>,
    upper: Option<Bound>,
}

/// One end, and the row that says so.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Rational,
    row: Row,
    /// The left side of the row is this multiple of the variable.
    scale: Rational,
}

/// Which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

impl Solver {
    /// Takes a problem on.
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

    /// The problem with all rows that hold now.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Another row. A tighter bound is a row with the same left side.
    ///
    /// # Panics
    ///
    /// If it speaks of an unknown that is not there.
    pub fn row(&mut self, left: impl Into<Linear>, relation: Relation, right: Rational) -> Row {
        let row = self.problem.row(left, relation, right);
        self.assert(row);
        row
    }

    /// Begins a level: rows from here on can be taken back.
    pub fn push(&mut self) {
        self.levels
            .push((self.problem.rows().len(), self.trail.len()));
    }

    /// Takes the rows of the last level back.
    ///
    /// # Panics
    ///
    /// If there is none.
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

    /// A solution, or why there is none.
    pub fn solve(&mut self) -> Answer {
        match self.repair() {
            Ok(()) => Answer::Point(self.point()),
            Err(reason) => Answer::Infeasible(reason),
        }
    }

    /// Brings every variable within its bounds.
    pub(crate) fn repair(&mut self) -> Result<(), Multipliers> {
        if let Some(reason) = &self.contradiction {
            return Err(reason.clone());
        }
        // More pivots than this hint at a cycle.
        let patience = 2 * (self.tableau.left().len() + self.tableau.right().len());
        let mut pivots = 0;
        loop {
            let bland = pivots > patience;
            let Some((line, side)) = self.broken_line(bland) else {
                return Ok(());
            };
            let Some(column) = self.helping_column(line, side, bland) else {
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

    /// The values of the unknowns.
    pub(crate) fn point(&self) -> Vec<Rational> {
        (0..self.problem.unknowns() as u32)
            .map(|unknown| self.tableau.value(Variable(unknown)).clone())
            .collect()
    }

    /// A bound of a variable.
    pub(crate) fn bound(&self, variable: Variable, side: Side) -> Option<&Bound> {
        let bounds = &self.bounds[variable.0 as usize];
        match side {
            Side::Lower => bounds.lower.as_ref(),
            Side::Upper => bounds.upper.as_ref(),
        }
    }

    /// Whether the variable has not yet come to the end on that side.
    pub(crate) fn has_room(&self, variable: Variable, side: Side) -> bool {
        let value = self.tableau.value(variable);
        match (self.bound(variable, side), side) {
            (None, _) => true,
            (Some(bound), Side::Lower) => *value > bound.value,
            (Some(bound), Side::Upper) => *value < bound.value,
        }
    }

    /// The variables of a form, as the tableau knows them.
    pub(crate) fn sum_of(form: &Linear) -> Vec<(Variable, Rational)> {
        form.terms()
            .iter()
            .map(|(Unknown(number), coefficient)| (Variable(*number), coefficient.clone()))
            .collect()
    }

    /// The row behind a bound, multiplied so that its left side is `times` the variable.
    pub(crate) fn cause(bound: &Bound, times: &Rational) -> (Row, Rational) {
        (bound.row, times / &bound.scale)
    }

    /// Makes a row of the problem a bound of a variable.
    fn assert(&mut self, row: Row) {
        let constraint = self.problem.constraint(row);
        let right = constraint.right.clone();
        let (below, above) = match constraint.relation {
            Relation::AtMost => (false, true),
            Relation::AtLeast => (true, false),
            Relation::Equal => (true, true),
        };
        let Some((_, scale)) = constraint.left.terms().first() else {
            // `0 <= right`, `0 >= right`, `0 = right`.
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

    /// The variable that stands for a form with first coefficient 1.
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

    /// A line whose variable is beyond a bound: the one that is furthest beyond, or the one with
    /// the first variable.
    fn broken_line(&self, bland: bool) -> Option<(usize, Side)> {
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

    /// A column that can bring the variable of the line back: the one that is used least, or the
    /// one with the first variable.
    fn helping_column(&self, line: usize, side: Side, bland: bool) -> Option<usize> {
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

    /// Why the variable of a line cannot be within its bound: every column is at an end.
    fn reason_of_line(&self, line: usize, side: Side) -> Multipliers {
        // The variable minus its line is 0; turned so that the sum of the bounds is negative.
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
