//! Integration tests of the checks: random models, models by hand, the semantics suite, stored proofs and simulations.
//!
//! One binary holds all tests, so that one link step suffices; each module is one subject.

mod chang_roberts;
mod circuits;
mod found;
mod in_rounds;
mod models;
mod network_models;
mod order_models;
mod panics;
mod proofs;
mod random_runs;
mod sample;
mod semantics;
mod simulation;
mod thresholds;
mod timed_models;
mod times;
mod two_counts;
mod walk;
mod withheld_answers;
