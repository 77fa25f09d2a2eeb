//! Every seeded defect is detected by a trap or by the random Machines.

use crate::random::{machine, same_answers, same_states};
use crate::traps::TRAPS;
use zones::defects::{Breaking, Defect};

/// The random Machines that are tried.
const SEEDS: u64 = 150;

#[test]
fn every_defect_is_detected() {
    let mut missed = Vec::new();
    for defect in Defect::ALL {
        let _breaking = Breaking::rule(defect);
        let traps = TRAPS.iter().filter(|trap| trap.check().is_err());
        let traps: Vec<&str> = traps.map(|trap| trap.name).collect();
        let is_wrong = |seed: &u64| {
            let machine = machine(*seed);
            same_answers(&machine).is_err() || same_states(&machine).is_err()
        };
        let seed = match traps.is_empty() {
            true => (0..SEEDS).find(is_wrong),
            false => None,
        };
        println!("{defect:?}: {traps:?}, seed {seed:?}");
        if traps.is_empty() && seed.is_none() {
            missed.push(defect);
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
