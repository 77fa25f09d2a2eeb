//! Random Machines have the same answers with and without the passes.

use crate::compare::compare;
use std::collections::BTreeMap;
use testkit::sample::{compare_all, sample_size};
use testkit::{Size, random_counting_machine, random_machine};

/// The number of Machines to compare; `sample_size` increases it for long runs.
const COMPARED: u64 = 150;

#[test]
fn random_machines_keep_their_answers() {
    let all = compare_all(0..sample_size(COMPARED), |seed| {
        compare(&random_machine(seed, &Size::default()), 2_000)
    });
    let mut removed: BTreeMap<String, usize> = BTreeMap::new();
    for what in all.iter().flat_map(|shrunk| &shrunk.removed) {
        let sort = format!("{what:?}");
        let sort = sort.split('(').next().unwrap_or_default();
        *removed.entry(sort.into()).or_default() += 1;
    }
    println!("removed: {removed:?}");
}

#[test]
fn random_machines_that_count_keep_their_answers() {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 3,
    };
    compare_all(0..sample_size(COMPARED) / 2, |seed| {
        compare(&random_counting_machine(seed, &size), 2_000)
    });
}
