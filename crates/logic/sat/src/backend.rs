//! Backends: which SAT solver is used, as data.

use crate::batsat::{Phased, prove};
use crate::{Batsat, Certified, Clauses, Proof, Solver};

/// The result of [`Backend::prove`]: whether clauses are satisfiable, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The clauses are unsatisfiable, by this proof.
    Refuted(Proof),
    /// This assignment satisfies the clauses. Index 0 is variable 1.
    Satisfied(Vec<bool>),
    /// `stop` returned `true` before there was a result.
    Stopped,
}

/// A SAT solver as a set of functions. The command chooses it; engines receive it as a parameter and create solvers
/// with it.
#[derive(Clone, Copy, Debug)]
pub struct Backend {
    /// The name of the solver.
    pub name: &'static str,
    /// Creates a solver without variables and clauses.
    pub new: fn() -> Box<dyn Solver>,
    /// Creates a solver that follows [`Solver::prefer`].
    pub with_phases: fn() -> Box<dyn Solver>,
    /// Creates a solver for the audit of proofs that the engines found with [`Batsat`]: one that shares no code with
    /// it, or one that verifies its own answers.
    pub for_audit: fn() -> Box<dyn Solver>,
    /// Decides whether clauses are satisfiable, with a proof if they are not. The proof is not yet verified;
    /// [`check()`](crate::check()) does this. The solver calls the second argument regularly and stops when it returns
    /// `true`.
    pub prove: fn(&Clauses, &mut dyn FnMut() -> bool) -> Decision,
}

impl Backend {
    /// The solver batsat, written in Rust. Its proofs consist of its learnt clauses, to which [`Rup`](crate::Rup) adds
    /// the LRAT hints.
    pub const BATSAT: Backend = Backend {
        name: "batsat",
        new: || Box::new(Batsat::new()),
        with_phases: || Box::new(Phased::new()),
        for_audit: || Box::new(Certified::new()),
        prove,
    };
}

impl Default for Backend {
    /// [`Backend::BATSAT`], which is part of every build.
    fn default() -> Backend {
        Backend::BATSAT
    }
}
