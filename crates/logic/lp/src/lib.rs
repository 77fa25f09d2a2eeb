//! Solves linear inequalities over the rationals exactly: feasible points, certificates of infeasibility, optima, and
//! solutions with short numbers.
//!
//! Of the workspace the crate depends on `rational` and `cancellation` only. Callers use it to find times for the events
//! of a run: they state the constraints on these times as a [`Problem`].
//!
//! **Algorithm.** The general simplex of Dutertre and de Moura (*A fast linear-arithmetic solver for DPLL(T)*, 2006).
//! Each distinct left-hand side of a row is a variable with bounds. A tableau expresses the basic variables by the
//! nonbasic ones; the nonbasic ones always stay within their bounds. [`Solver::solve`] pivots until the basic variables
//! are within their bounds, too. Adding or removing a row needs no pivot, so a sequence of similar queries is cheap.
//!
//! **Certificates.** Numbers are exact. An answer is a [`Point`](Answer::Point), which the checker substitutes into the
//! rows, or [`Multipliers`] with which the rows add up to a contradiction (Farkas' lemma). [`check_point`],
//! [`check_infeasible`] and [`check_optimum`] check answers; they share no code with the solver except the type of the
//! problem.
//!
//! **Minimal certificates.** The nonbasic variables are linearly independent, so the left sides of the rows of a
//! contradiction have only one linear dependency. Therefore without any one of these rows the others have a solution.
//!
//! **Termination.** After more pivots than expected, pivots are selected by Bland's rule, which cannot cycle.
//!
//! **Not included.** There are no strict inequalities: [`widest_slack`] computes the largest slack that rows can have,
//! and the caller chooses a positive one. There is no shortest-path algorithm for difference constraints: their tableau
//! contains only -1, 0 and 1, and the simplex method is fast enough.
//!
//! ```
//! use lp::{Answer, Linear, Preference, Problem, Solver, simple_point};
//!
//! let mut problem = Problem::new();
//! let (sent, received) = (problem.unknown(), problem.unknown());
//! problem.at_least(sent, 0);
//! problem.at_least(Linear::difference(received, sent), 1);
//! let deadline = problem.at_most(received, 20);
//! let tens = Preference { steps: vec![10.into(), 1.into()], ..Preference::default() };
//! let simple = simple_point(&problem, &[received, sent], &tens);
//! assert_eq!(simple, Answer::Point(vec![1.into(), 10.into()]));
//!
//! let late = problem.at_least(sent, 30);
//! let Answer::Infeasible(reason) = Solver::new(problem).solve() else { panic!() };
//! assert!(reason.rows().any(|row| row == deadline));
//! assert!(reason.rows().any(|row| row == late));
//! ```

mod check;
mod line;
mod optimum;
mod preference;
mod problem;
mod simple;
mod slack;
mod solver;
mod tableau;

pub use check::{Mistake, check_infeasible, check_optimum, check_point};
pub use optimum::Optimum;
pub use preference::{Ends, Preference, Range};
pub use problem::{Constraint, Linear, Multipliers, Problem, Relation, Row, Unknown};
pub use simple::simple_point;
pub use slack::{Slack, tightened, widest_slack};
pub use solver::{Answer, Solver};
