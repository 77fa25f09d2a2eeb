//! Compares the execution of code over bits with the reference interpreter, on random Machines in reachable states.
//!
//! Every comparison is made twice: in a world of constants, and in a world whose variables, frozen variables, inboxes
//! and messages are inputs. The inputs are then set to the values of the state.

mod by_hand;
mod compare;
mod expressions;
mod laws;
mod worlds;

use bits::defects::{Breaking, Defect};
use compare::Tally;
use machine::{parse, verify};
use std::path::Path;
use testkit::{Size, random_counting_machine, random_machine};

/// The number of random Machines; SCRUTINEER_SAMPLE overrides it.
fn wanted() -> u64 {
    testkit::sample::sample_size(250)
}

fn compare(seeds: impl Iterator<Item = u64>, tally: &mut Tally) -> Result<(), String> {
    for seed in seeds {
        let machine = random_machine(seed, &Size::default());
        compare::machine(machine, seed, tally).map_err(|why| format!("seed {seed}: {why}"))?;
    }
    Ok(())
}

#[test]
fn bits_and_interpreter_agree() {
    let mut tally = Tally::default();
    let result = compare(0..wanted(), &mut tally);
    assert_eq!(result, Ok(()));
    println!("{tally:#?}");
    assert!(tally.events > 2000, "{tally:#?}");
    assert!(tally.errors > 50, "{tally:#?}");
    assert!(tally.picks > 200, "{tally:#?}");
    assert!(tally.sends > 500, "{tally:#?}");
    assert!(tally.inboxes > 200, "{tally:#?}");
    assert!(tally.conditions > 2000, "{tally:#?}");
    // These Machines have no timers, and their numbers are small, so little is refused.
    let refused: u64 = tally.refused.values().sum();
    assert!(refused * 20 < tally.conditions, "{tally:#?}");
}

/// The same for Machines with larger values and deeper expressions.
#[test]
fn bits_and_interpreter_agree_on_larger_ones() {
    let size = Size {
        nodes: 4,
        values: 200,
        depth: 3,
        properties: 5,
    };
    let mut tally = Tally::default();
    for seed in 0..wanted() / 3 {
        let machine = random_machine(seed, &size);
        let result = compare::machine(machine, seed, &mut tally);
        assert_eq!(result, Ok(()), "seed {seed}");
    }
    println!("{tally:#?}");
}

/// The same for Machines in text form, each written for a rule that is easily misunderstood.
#[test]
fn bits_and_interpreter_agree_on_machines_in_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut tally = Tally::default();
    for folder in ["tests/machine", "crates/report/tests/data"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder") {
            let path = entry.expect("an entry of the folder").path();
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            // The folders also contain Machines that are deliberately invalid.
            if path.extension().is_none_or(|e| e != "machine") {
                continue;
            }
            if let Ok(machine) = parse(&text)
                && verify(&machine).is_ok()
            {
                let result = compare::machine(machine, 1, &mut tally);
                assert_eq!(result, Ok(()), "{}", path.display());
            }
        }
    }
    println!("{tally:#?}");
    assert!(tally.events > 500, "{tally:#?}");
    assert!(tally.errors > 20, "{tally:#?}");
}

/// A counter cannot be packed into bits of a state, so it is compared only in the world of constants.
#[test]
fn bits_and_interpreter_agree_on_known_counters() {
    let mut tally = Tally::default();
    for seed in 0..wanted() / 5 {
        let machine = random_counting_machine(seed, &Size::default());
        let result = compare::machine(machine, seed, &mut tally);
        assert_eq!(result, Ok(()), "seed {seed}");
    }
    println!("{tally:#?}");
    assert!(tally.known > 200, "{tally:#?}");
}

#[test]
fn what_is_broken_is_noticed() {
    for defect in Defect::ALL {
        let _breaking = Breaking::rule(defect);
        let noticed = compare(0..250, &mut Tally::default()).is_err() || laws::compare().is_err();
        assert!(noticed, "{defect:?} is not noticed");
    }
}
