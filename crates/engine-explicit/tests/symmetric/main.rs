//! States up to symmetry against all states, and against counting by hand.

mod compare;
mod defective;
mod made;
mod orbits;

use compare::compare;
use made::{Made, made};

/// How many Machines are compared; the long run takes more.
fn wanted(usual: u64) -> u64 {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(usual, |n| n.parse().expect("SCRUTINEER_SAMPLE is a number"))
}

/// Compares the Machines of the first seeds; so many of a hundred are reduced at least.
fn sample(sort: Made, count: u64, reduced: u64) {
    let (mut wrong, mut all) = (Vec::new(), [0u64; 8]);
    for seed in 0..count {
        match compare(&made(seed, sort)) {
            Ok(None) => {}
            Ok(Some(found)) => {
                all[0] += 1;
                all[1] += u64::from(found.reduced);
                all[2] += u64::from(found.fewer);
                all[3] += u64::from(found.counted);
                all[4] += found.runs as u64;
                all[5] += found.temporal as u64;
                all[6] += found.of_one as u64;
                all[7] += u64::from(found.without);
            }
            Err(why) => wrong.push(format!("seed {seed}: {why}")),
        }
    }
    let [
        compared,
        used,
        fewer,
        counted,
        runs,
        temporal,
        of_one,
        without,
    ] = all;
    println!(
        "{count} Machines, {compared} small enough, {used} reduced, {fewer} of them to fewer states, {counted} counted by hand"
    );
    println!("{runs} runs replayed, {without} reduced without what is not relevant");
    println!("{temporal} temporal claims answered up to symmetry, {of_one} about one node for all");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(used * 100 >= count * reduced, "only {used} are reduced");
    assert!(
        fewer * 100 >= count * reduced / 2,
        "only {fewer} have fewer states"
    );
    assert!(
        without * 10 > count,
        "only {without} without what is not relevant"
    );
    assert!(runs > 0 && (sort == Made::Timed || counted * 20 > count));
}

#[test]
fn up_to_symmetry_and_not() {
    sample(Made::Plain, wanted(400), 34);
}

#[test]
fn up_to_symmetry_and_not_with_counters() {
    sample(Made::Counting, wanted(400) / 4, 20);
}

#[test]
fn up_to_symmetry_and_not_in_time() {
    sample(Made::Timed, wanted(400) / 4, 10);
}
