//! Propositional logic: and-inverter graphs, clauses, the interface of SAT solvers, and proofs that a short checker accepts.
//!
//! The crate knows no Machine and contains no C++ code. A caller builds an [`Aig`], gives the literals of interest to a
//! [`Solver`] through [`Tseitin`], and asks. Which solver runs is data: a [`Backend`], which the top of the program chooses.
//! [`Backend::BATSAT`] is the solver in Rust; the crate `cadical` holds the one in C++.
//!
//! A caller that needs a proof gives [`Clauses`] to [`Backend::prove`] and keeps the [`Proof`], which [`check()`] verifies
//! without a solver. [`Certified`] is a solver that verifies each of its own answers.

mod aig;
mod backend;
mod batsat;
mod certified;
mod clauses;
mod lrat;
mod proof;
mod rup;
mod solver;
mod text;
mod tseitin;

pub use aig::{Aig, Gate, Lit};
pub use backend::{Backend, Decision};
pub use batsat::Batsat;
pub use certified::Certified;
pub use clauses::{Clauses, Recording};
pub use lrat::{Mistake, check};
pub use proof::{Proof, Step};
pub use rup::Rup;
pub use solver::{Outcome, Sink, Solver};
pub use text::Malformed;
pub use tseitin::Tseitin;
