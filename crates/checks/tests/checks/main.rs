//! Integration tests of the crate `checks`: random models, models by hand, the semantics suite, stored proofs and
//! simulations.
//!
//! All tests are in one binary, so that there is only one link step. Each module is about one subject.

mod chang_roberts;
mod circuits;
mod counters_apart;
mod every_size_proofs;
mod found;
mod in_rounds;
mod models;
mod network_models;
mod open_machines;
mod order_models;
mod proofs;
mod random_runs;
mod semantics;
mod simulation;
mod thresholds;
mod timed_models;
mod times;
mod two_counts;
mod walk;
mod withheld_answers;

/// The sentence for a reason, with times without a unit.
pub fn words(why: &verdict::Reason) -> String {
    report::reason(why, &verdict::Labels::default())
}
