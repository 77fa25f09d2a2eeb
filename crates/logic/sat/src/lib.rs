//! Propositional logic: circuits with shared parts, their clauses, solvers, and proofs that can be checked.
//!
//! One mathematical object; it knows no machine. Whoever has a question about finitely many bits builds an [`Aig`], gives the
//! literals that shall be true to a [`Solver`] through [`Tseitin`], and asks. Whoever must be believed gives them to [`Clauses`]
//! instead, has [`prove()`] decide, and keeps the [`Proof`], which [`check()`] understands without a solver.

mod aig;
mod batsat;
mod cadical;
mod clauses;
mod lrat;
mod proof;
mod prove;
mod solver;
mod text;
mod tseitin;

pub use aig::{Aig, Gate, Lit};
pub use batsat::Batsat;
pub use cadical::Cadical;
pub use clauses::{Clauses, Recording};
pub use lrat::{Mistake, check};
pub use proof::{Proof, Step};
pub use prove::{Decision, prove};
pub use solver::{Outcome, Sink, Solver};
pub use text::Malformed;
pub use tseitin::Tseitin;
