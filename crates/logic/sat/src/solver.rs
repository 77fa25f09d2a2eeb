//! The interface of SAT solvers.

/// The result of a query to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An assignment satisfies the clauses and the assumptions; see [`Solver::value`].
    Satisfiable,
    /// No assignment does; see [`Solver::core`].
    Unsatisfiable,
    /// The solver stopped before it had a result.
    Stopped,
}

/// A receiver of variables and clauses. Literals are numbers as in the DIMACS format: a variable, from 1, or minus a variable
/// for its negation.
pub trait Sink {
    /// Adds a variable and returns its number.
    fn variable(&mut self) -> i32;

    /// Adds a clause.
    fn clause(&mut self, literals: &[i32]);
}

/// An incremental SAT solver. Clauses are permanent; assumptions hold for one query.
pub trait Solver: Sink {
    /// Decides whether the clauses are satisfiable under the assumptions. The solver calls `stop` regularly and gives up when
    /// it returns `true`.
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome;

    /// The value of a literal in the satisfying assignment. Panics unless the last query returned [`Outcome::Satisfiable`] and
    /// no clause was added since.
    fn value(&self, literal: i32) -> bool;

    /// The unsatisfiable core of the last query, after [`Outcome::Unsatisfiable`]: assumptions, in the order in which they were
    /// given, that contradict the clauses. The core need not be minimal. An empty core says that the clauses alone are
    /// unsatisfiable.
    fn core(&self) -> Vec<i32>;

    /// Sets the decision phase of a variable: the solver tries this literal first. It is a hint for search and changes no
    /// result. Solvers made by [`Backend::with_phases`](crate::Backend::with_phases) follow it.
    fn prefer(&mut self, _literal: i32) {}
}

impl Sink for Box<dyn Solver> {
    fn variable(&mut self) -> i32 {
        (**self).variable()
    }

    fn clause(&mut self, literals: &[i32]) {
        (**self).clause(literals);
    }
}

impl Solver for Box<dyn Solver> {
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome {
        (**self).solve(assumptions, stop)
    }

    fn value(&self, literal: i32) -> bool {
        (**self).value(literal)
    }

    fn core(&self) -> Vec<i32> {
        (**self).core()
    }

    fn prefer(&mut self, literal: i32) {
        (**self).prefer(literal);
    }
}
