//! Tests of propositional logic. Every solver runs through the same test bodies.

mod circuits;
mod clauses;
mod proofs;
mod random;
mod rup;
mod solvers;

/// The solvers of this workspace.
const BACKENDS: [sat::Backend; 2] = [cadical::BACKEND, sat::Backend::BATSAT];

/// Never stops a solver.
fn go_on() -> bool {
    false
}
