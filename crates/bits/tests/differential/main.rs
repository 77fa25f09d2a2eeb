//! Code over bits against the reference interpreter, on random Machines in states that they reach.
//!
//! Everything is compared twice: in a world in which all is known, and in one whose variables, constants, inboxes and
//! messages are inputs, which are then set to what they are in the state.

mod compare;
mod laws;
mod worlds;

use bits::defects::{Breaking, Defect};
use compare::Tally;
use machine::random::{Size, random_machine};

/// How many Machines are compared; the long run takes more.
fn wanted() -> u64 {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(250, |n| n.parse().expect("SCRUTINEER_SAMPLE is a number"))
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
    // Timers do not occur in these, and what is random is small.
    let refused: u64 = tally.refused.values().sum();
    assert!(refused * 20 < tally.conditions, "{tally:#?}");
}

/// Machines with larger values and deeper expressions.
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

#[test]
fn what_is_broken_is_noticed() {
    for defect in Defect::ALL {
        let _breaking = Breaking::rule(defect);
        // What is broken may end in a panic: values are not what they promise to be.
        let noticed = std::panic::catch_unwind(|| {
            compare(0..250, &mut Tally::default()).is_err() || laws::compare().is_err()
        });
        assert!(noticed.unwrap_or(true), "{defect:?} is not noticed");
    }
}
