//! Random Machines with and without the passes.

use crate::compare::compare;
use std::collections::BTreeMap;
use testkit::{Size, random_counting_machine, random_machine};

/// The number of Machines to compare; the long run takes more.
fn sample_size() -> u64 {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(150, |n| n.parse().expect("SCRUTINEER_SAMPLE is a number"))
}

#[test]
fn random_machines_keep_their_answers() {
    let mut wrong = Vec::new();
    let mut removed: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..sample_size() {
        let machine = random_machine(seed, &Size::default());
        match compare(&machine, 2_000) {
            Ok(shrunk) => {
                for what in &shrunk.removed {
                    let sort = format!("{what:?}");
                    let sort = sort.split('(').next().unwrap_or_default();
                    *removed.entry(sort.into()).or_default() += 1;
                }
            }
            Err(why) => wrong.push(format!("seed {seed}: {why}")),
        }
    }
    println!("removed: {removed:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_machines_that_count_keep_their_answers() {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 3,
    };
    let wrong = (0..sample_size() / 2).filter_map(|seed| {
        let machine = random_counting_machine(seed, &size);
        let why = compare(&machine, 2_000).err()?;
        Some(format!("seed {seed}: {why}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
