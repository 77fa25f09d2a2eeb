//! Tests of propositional logic. Every solver passes the same tests.

mod circuits;
mod clauses;
mod proofs;
mod random;
mod rup;
mod solvers;

/// The backends of this workspace.
const BACKENDS: [sat::Backend; 2] = [cadical::BACKEND, sat::Backend::BATSAT];

/// The `stop` callback that never stops a solver.
fn go_on() -> bool {
    false
}
