//! Random Machines with random claims, answered by every search: with each reduction and with several together, with
//! one explorer and with several. All must agree with the search without reductions.
//!
//! The sample consists of the Machines of the first seeds. Quotas guarantee that it is varied. Together with a few
//! small Machines it catches every seeded defect of a reduction.

mod alike;
mod broken;
mod commute;
mod compare;
mod forms;
mod growing;
mod names;
mod orbits;
mod orders;
mod quotas;
mod ways;

use self::compare::Case;
use self::forms::Form;
use self::quotas::Tally;
use self::ways::Way;
use machine::Machine;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

/// The number of Machines in the sample that catches seeded defects.
const SAMPLE: u64 = 300;

/// The time, in seconds, from which on the seed of a slow test is printed.
const LONG: u64 = 20;

/// All searches: the full one and those with reductions.
fn every_way() -> Vec<Way> {
    [&[Way::Whole], &Way::LESS[..]].concat()
}

/// Parses and verifies the text of a Machine.
fn read(text: &str) -> Machine {
    crate::found::read("text", text)
}

/// A Machine of the sample. The full search runs once for all tests.
fn sample(seed: u64) -> &'static Case {
    static CASES: [OnceLock<Case>; SAMPLE as usize] = [const { OnceLock::new() }; SAMPLE as usize];
    CASES[seed as usize].get_or_init(|| Case::new(forms::machine(seed)))
}

/// Compares all searches on the Machine of a seed, and adds it to the tally.
fn compared(seed: u64, tally: &mut Tally) -> Result<(), String> {
    match seed < SAMPLE {
        true => compare(seed, sample(seed), tally),
        false => compare(seed, &Case::new(forms::machine(seed)), tally),
    }
}

fn compare(seed: u64, case: &Case, tally: &mut Tally) -> Result<(), String> {
    let explorers = if seed.is_multiple_of(7) {
        [1, 5]
    } else {
        [1, 2]
    };
    let seen = case.compare(&every_way(), &explorers)?;
    let form = forms::form(seed);
    let alike = matches!(form, Form::Alike | Form::LooseAlike | Form::Timed);
    let by_hand = alike && orbits::count(&case.asked[2].machine, 400)?;
    tally.count(case, &seen, by_hand);
    Ok(())
}

#[test]
fn every_way_says_the_same() {
    let seeds = testkit::sample::seeds(SAMPLE);
    let (next, all) = (AtomicU64::new(seeds.start), Mutex::new(Tally::default()));
    let wrong = Mutex::new(Vec::new());
    let work = || {
        let mut tally = Tally::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            let begin = Instant::now();
            match catch_unwind(AssertUnwindSafe(|| compared(seed, &mut tally))) {
                Ok(Ok(())) => {}
                Ok(Err(why)) => note(&wrong, seed, &why),
                Err(_) => note(&wrong, seed, "falls over"),
            }
            let seconds = begin.elapsed().as_secs();
            if seconds > LONG {
                println!("seed {seed}, {:?}: {seconds} s", forms::form(seed));
            }
            if seed % 500 == 499 {
                println!("{} of {}", seed + 1, seeds.end);
            }
        }
        all.lock().expect("no thread panics").add(tally);
    };
    std::thread::scope(|scope| {
        // One more than cores, because the explorers of a search wait for each other.
        let explorers = std::thread::available_parallelism().map_or(1, |n| n.get()) + 1;
        (0..explorers).for_each(|_| drop(scope.spawn(work)));
    });
    let tally = all.into_inner().expect("no thread panics");
    tally.print();
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing = tally.missing();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn note(wrong: &Mutex<Vec<String>>, seed: u64, why: &str) {
    let why: String = why.chars().take(3_000).collect();
    let found = format!("seed {seed}, {:?}: {why}", forms::form(seed));
    println!("{found}");
    wrong.lock().expect("no thread panics").push(found);
}

/// The Machines of `tests/found`, with their names.
fn found() -> Vec<(String, Case)> {
    let machines = crate::found::machines().into_iter();
    machines
        .map(|(name, machine)| (name, Case::new(machine)))
        .collect()
}

#[test]
fn what_was_found_stays_found() {
    let found = found();
    assert!(!found.is_empty());
    let wrong = found.iter().filter_map(|(name, case)| {
        let why = case.compare(&every_way(), &[1, 2]).err()?;
        Some(format!("{name}: {why}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
