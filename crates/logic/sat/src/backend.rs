//! The choice of a SAT solver, as data.

use crate::batsat::{Phased, prove};
use crate::{Batsat, Certified, Clauses, Proof, Solver};

/// Whether clauses are satisfiable, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// They are unsatisfiable.
    Refuted(Proof),
    /// This assignment, by variable from the first, satisfies them.
    Satisfied(Vec<bool>),
    /// The solver stopped before it had a result.
    Stopped,
}

/// A SAT solver as a handle that callers copy and pass on. The top of the program chooses it; engines receive it and create as
/// many solvers as they need.
#[derive(Clone, Copy, Debug)]
pub struct Backend {
    /// The name of the solver.
    pub name: &'static str,
    /// Creates a solver without variables and clauses.
    pub new: fn() -> Box<dyn Solver>,
    /// Creates a solver that follows [`Solver::prefer`].
    pub with_phases: fn() -> Box<dyn Solver>,
    /// Creates a solver for audits: one that shares no code with [`Batsat`], or one that verifies its own answers.
    pub for_audit: fn() -> Box<dyn Solver>,
    /// Decides whether clauses are satisfiable, with a proof if they are not. The proof is a claim of the solver:
    /// [`check()`](crate::check()) verifies it.
    pub prove: fn(&Clauses, &mut dyn FnMut() -> bool) -> Decision,
}

impl Backend {
    /// The solver batsat, in Rust. Its proofs are learnt clauses to which [`Rup`](crate::Rup) adds the hints of LRAT.
    pub const BATSAT: Backend = Backend {
        name: "batsat",
        new: || Box::new(Batsat::new()),
        with_phases: || Box::new(Phased::new()),
        for_audit: || Box::new(Certified::new()),
        prove,
    };
}

impl Default for Backend {
    /// [`Backend::BATSAT`], which every build has.
    fn default() -> Backend {
        Backend::BATSAT
    }
}
