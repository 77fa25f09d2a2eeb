//! What takes clauses, and what a solver can do, whichever it is.

/// What came of a question to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There are values for all variables; see [`Solver::value`].
    Satisfiable,
    /// There are none under the assumptions; see [`Solver::core`].
    Unsatisfiable,
    /// It was stopped before it knew.
    Stopped,
}

/// Takes variables and clauses. Literals are numbers as in the DIMACS format: a variable, from 1, or minus a variable for its
/// negation.
pub trait Sink {
    /// A new variable.
    fn variable(&mut self) -> i32;

    /// Adds a clause: one of the literals is true.
    fn clause(&mut self, literals: &[i32]);
}

/// Decides whether clauses can be true together. Clauses stay; assumptions are for one question.
pub trait Solver: Sink {
    /// Whether all clauses and the assumptions can be true together. `stop` is asked now and then.
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome;

    /// The value of a literal, after [`Outcome::Satisfiable`] and before the next clause or question. It panics otherwise.
    fn value(&self, literal: i32) -> bool;

    /// Assumptions that cannot be true together, after [`Outcome::Unsatisfiable`] and before the next question; in the order in
    /// which they were given. There may be fewer that would do. None at all say that the clauses alone cannot be true.
    fn core(&self) -> Vec<i32>;
}
