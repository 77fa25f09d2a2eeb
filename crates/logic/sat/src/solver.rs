//! The interface of SAT solvers.

/// The result of a query to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An assignment satisfies the clauses and the assumptions; see [`Solver::value`].
    Satisfiable,
    /// No assignment satisfies the clauses and the assumptions; see [`Solver::core`].
    Unsatisfiable,
    /// `stop` returned `true` before there was a result, or a [`Certified`](crate::Certified) solver rejected its own
    /// result.
    Stopped,
}

/// A receiver of variables and clauses. Literals are integers as in the DIMACS format: variables are numbered from 1,
/// and `-v` is the negation of the variable `v`.
pub trait Sink {
    /// Adds a variable and returns its number.
    fn variable(&mut self) -> i32;

    /// Adds a clause.
    fn clause(&mut self, literals: &[i32]);
}

/// An incremental SAT solver. Clauses are permanent; assumptions hold for one query.
pub trait Solver: Sink {
    /// Decides whether the clauses are satisfiable under the assumptions. The solver calls `stop` regularly and ends
    /// the search when it returns `true`. It unwinds if the computation is cancelled and `stop` still returns `false`.
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome;

    /// The value of a literal in the satisfying assignment. Panics unless the last query returned
    /// [`Outcome::Satisfiable`] and no clause has been added since.
    fn value(&self, literal: i32) -> bool;

    /// The unsatisfiable core of the last query, if it returned [`Outcome::Unsatisfiable`]: a subset of the
    /// assumptions, in their order, that contradicts the clauses. It need not be minimal. If it is empty, the clauses
    /// alone are unsatisfiable.
    fn core(&self) -> Vec<i32>;

    /// Sets the decision phase of a variable: the solver tries to make this literal true first. This only guides the
    /// search and changes no result, though it may change the assignment. Solvers made by
    /// [`Backend::with_phases`](crate::Backend::with_phases) follow it; others may ignore it.
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
