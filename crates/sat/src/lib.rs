//! Propositional logic: circuits with shared parts, their clauses, solvers, and proofs that can be checked.
//!
//! One mathematical object; it knows no machine. Whoever has a question about finitely many bits builds an [`Aig`], gives the
//! literals that shall be true to a [`Solver`] through [`Tseitin`], and asks.

mod aig;
mod batsat;
mod cadical;
mod solver;
mod tseitin;

pub use aig::{Aig, Gate, Lit};
pub use batsat::Batsat;
pub use cadical::Cadical;
pub use solver::{Outcome, Solver};
pub use tseitin::Tseitin;
