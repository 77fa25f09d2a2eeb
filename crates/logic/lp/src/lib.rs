//! Linear inequalities over the rationals, solved exactly: points that satisfy them, reasons why
//! there is none, and points with numbers that people like to read.
//!
//! One mathematical object; it knows no machine. Whoever gives times to the events of a run states
//! what must be true of them as a [`Problem`], and asks.
//!
//! **The idea.** The general simplex of Dutertre and de Moura (*A fast linear-arithmetic solver for
//! DPLL(T)*, 2006): each different left-hand side of a row is a variable with bounds, and a
//! tableau expresses some of the variables by the others, which stay within their bounds all the
//! time. [`Solver::solve`] repairs the rest, one pivot each. Rows come and go without a pivot,
//! so that related questions are cheap.
//!
//! **Why it can be believed.** Numbers are exact. An answer is a [`Point`](Answer::Point), to be
//! put into the rows, or [`Multipliers`] that add rows up to a contradiction; [`check_point`],
//! [`check_infeasible`] and [`check_optimum`] do so and share nothing with the solver but the
//! problem.
//!
//! **Why a reason is small.** The variables on the right of the tableau are linearly independent,
//! so the rows of a contradiction depend on each other in one way only: without any one of them
//! there would be a solution.
//!
//! **Why it ends.** After more pivots than it should need, the choice of pivots is that of Bland,
//! which cannot cycle.
//!
//! Absent on purpose: strict inequalities. [`widest_slack`] says how far rows can be held away
//! from their bounds, and the caller says how far they shall be. And shortest paths for problems
//! that are differences only: there the tableau has no number but -1, 0 and 1, and is quick enough.
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
