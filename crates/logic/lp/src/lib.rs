//! Linear inequalities over the rationals, solved exactly: feasible points, explanations of infeasibility, optima, and
//! points with readable numbers.
//!
//! The crate depends on `rational` alone and knows nothing of Machines. A caller that assigns times to the events of a
//! run states the constraints on them as a [`Problem`].
//!
//! **Algorithm.** The general simplex of Dutertre and de Moura (*A fast linear-arithmetic solver for DPLL(T)*, 2006):
//! each distinct left-hand side of a row is a variable with bounds, and a tableau expresses the basic variables by the
//! nonbasic ones, which always stay within their bounds. [`Solver::solve`] repairs the basic variables, one pivot each.
//! Adding and removing rows needs no pivot, so related queries are cheap.
//!
//! **Certificates.** Numbers are exact. An answer is a [`Point`](Answer::Point), which the checker substitutes into the
//! rows, or [`Multipliers`] that add rows up to a contradiction (Farkas' lemma). [`check_point`], [`check_infeasible`] and
//! [`check_optimum`] check them and share nothing with the solver except the problem.
//!
//! **Minimal explanations.** The nonbasic variables are linearly independent, so the rows of a contradiction have only
//! one linear dependency: without any one of them there is a solution.
//!
//! **Termination.** After more pivots than expected, Bland's rule selects the pivots; it cannot cycle.
//!
//! **Absent on purpose.** Strict inequalities: [`widest_slack`] computes the largest distance of rows from their bounds,
//! and the caller chooses the distance. Shortest paths for problems of difference constraints: their tableau contains
//! only -1, 0 and 1 and is fast enough.
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
