//! The SAT solver CaDiCaL (Biere et al., CAV 2024) as a [`sat::Backend`].
//!
//! The crate is a leaf: only the command depends on it, so its C++ code compiles beside the crates in Rust. Engines receive
//! [`BACKEND`] as data.

mod prove;
mod solver;

pub use solver::Cadical;

/// CaDiCaL as a choice of solver.
pub const BACKEND: sat::Backend = sat::Backend {
    name: "CaDiCaL",
    new: || Box::new(Cadical::new()),
    with_phases: || Box::new(Cadical::with_phases()),
    for_audit: || Box::new(Cadical::new()),
    prove: prove::prove,
};
