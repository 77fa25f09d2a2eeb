//! Propositional logic: and-inverter graphs, clauses, the interface of SAT solvers, and LRAT proofs with a checker.
//!
//! The crate does not depend on Machines and contains no C++ code. A caller builds an [`Aig`], encodes the literals of
//! interest for a [`Solver`] with [`Tseitin`], and poses queries. The command chooses the solver as a [`Backend`].
//! [`Backend::BATSAT`] is a solver in Rust; the crate `cadical` has one in C++.
//!
//! A caller that needs a proof gives [`Clauses`] to [`Backend::prove`] and gets a [`Proof`]. [`check()`] verifies the
//! proof without a solver. [`Certified`] is a solver that verifies each of its own answers.

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
