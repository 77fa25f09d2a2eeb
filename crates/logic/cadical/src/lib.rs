//! The SAT solver CaDiCaL (Biere et al., CAV 2024) as a [`sat::Backend`].
//!
//! Only the crate of the command depends on this one, so that its C++ code compiles in parallel with the Rust crates.
//! Engines receive [`BACKEND`] as a parameter.

mod prove;
mod solver;

pub use solver::Cadical;

/// The backend that uses CaDiCaL.
pub const BACKEND: sat::Backend = sat::Backend {
    name: "CaDiCaL",
    new: || Box::new(Cadical::new()),
    with_phases: || Box::new(Cadical::with_phases()),
    for_audit: || Box::new(Cadical::new()),
    prove: prove::prove,
};
