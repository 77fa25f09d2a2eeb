//! The engine against the reference interpreter on random Machines, and on Machines that once distinguished them.
//!
//! The sample consists of the Machines of the first seeds: varied (quotas), and sharp enough to catch every seeded
//! defect.

use crate::oracle::judge::Outcome;
use crate::oracle::referee::{Case, Said};
use crate::oracle::{Judgement, broken, constructs};
use explicit::defects::Defect;
use machine::{parse, verify};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use testkit::{Size, random_counting_machine, random_machine, random_timed_machine};

/// The size of the sample that has quotas and catches seeded defects.
const SAMPLE: usize = 300;

/// The number of Machines that are compared; the long run sets it.
pub fn wanted() -> usize {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(SAMPLE, |n| {
        n.parse().expect("SCRUTINEER_SAMPLE is a number")
    })
}

fn case(seed: usize) -> Case {
    Case::new(random_machine(seed as u64, &Size::default()))
}

/// A Machine of the sample, judged once for all tests.
fn sample(seed: usize) -> &'static Case {
    static CASES: [OnceLock<Case>; SAMPLE] = [const { OnceLock::new() }; SAMPLE];
    CASES[seed].get_or_init(|| case(seed))
}

#[test]
fn engine_and_interpreter_agree() {
    let mut wrong = Vec::new();
    for seed in 0..wanted() {
        let result = match seed < SAMPLE {
            true => sample(seed).compare(),
            false => case(seed).compare(),
        };
        if let Err(why) = result {
            wrong.push(format!("seed {seed}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The number of timed Machines that are compared; the long run takes more.
const TIMED: usize = 150;

#[test]
fn engine_and_interpreter_agree_about_time() {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 5,
    };
    let most = wanted() * TIMED / SAMPLE;
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for seed in 0..most {
        let machine = random_timed_machine(seed as u64, &size);
        verify(&machine).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let case = Case::new(machine);
        judged += usize::from(matches!(case.outcome, Outcome::Judged(_)));
        if let Err(why) = case.compare() {
            wrong.push(format!("seed {seed}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > most / 3, "only {judged} are small enough");
}

/// The number of Machines with counters that are compared; the long run takes more.
const COUNTING: usize = 120;

fn counting(seed: usize) -> Case {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 3,
    };
    Case::new(random_counting_machine(seed as u64, &size))
}

#[test]
fn engine_and_interpreter_agree_about_counters() {
    let most = wanted() * COUNTING / SAMPLE;
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for seed in 0..most {
        let case = counting(seed);
        judged += usize::from(matches!(case.outcome, Outcome::Judged(_)));
        if let Err(why) = case.compare() {
            wrong.push(format!("seed {seed}: {why}"));
        }
    }
    println!("{judged} of {most} are small enough");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > most / 3, "only {judged} are small enough");
}

/// Machines on which engine, audit or interpreter were wrong once, or could be.
fn found() -> Vec<(String, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/found");
    let files = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<_> = files.map(|f| f.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "machine"));
    paths.sort();
    let case = |path: &std::path::PathBuf| {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).expect("a text");
        let machine = parse(&text).unwrap_or_else(|e| panic!("{name}:{}: {}", e.line, e.expected));
        verify(&machine).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, Case::new(machine))
    };
    paths.iter().map(case).collect()
}

#[test]
fn what_was_found_stays_found() {
    let found = found();
    assert!(!found.is_empty());
    let wrong = found.iter().filter_map(|(name, case)| {
        let why = case.compare().err()?;
        Some(format!("{name}: {why}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every seeded defect is caught. The test stops at the fifth catch of each, unless the size of the sample is set.
#[test]
fn broken_engines_are_caught() {
    broken::keep_quiet();
    let enough = match std::env::var("SCRUTINEER_SAMPLE") {
        Ok(_) => SAMPLE,
        Err(_) => 5,
    };
    let small = (0..SAMPLE).filter(|seed| matches!(sample(*seed).outcome, Outcome::Judged(_)));
    let small = small.map(|seed| (seed.to_string(), sample(seed)));
    let found = found();
    let counting: Vec<(String, Case)> = (0..COUNTING / 2)
        .map(|seed| (format!("counting {seed}"), counting(seed)))
        .filter(|(_, case)| matches!(case.outcome, Outcome::Judged(_)))
        .collect();
    let others = found.iter().chain(&counting);
    let cases = small.chain(others.map(|(name, case)| (name.clone(), case)));
    let sound: Vec<(String, &Case, Said)> = cases.map(|(n, case)| (n, case, case.ask())).collect();
    let mut missed = Vec::new();
    for rule in Defect::ALL {
        let caught = sound
            .iter()
            .filter(|(_, case, sound)| broken::is_caught(rule, case, sound));
        let caught: Vec<&String> = caught.map(|(name, ..)| name).take(enough).collect();
        match caught.last() {
            Some(last) => println!("{rule:?}: caught {} times, last by {last}", caught.len()),
            None => missed.push(rule),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

#[test]
fn the_sample_is_varied() {
    let (mut judged, mut cycles, mut large, mut odd) = (0, 0, 0, 0);
    let (mut never, mut happens, mut errors) = (0, 0, 0);
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..SAMPLE {
        let case = sample(seed);
        for name in constructs::constructs(&case.machine) {
            *names.entry(name).or_default() += 1;
        }
        match &case.outcome {
            Outcome::Judged(found) => {
                judged += 1;
                cycles += usize::from(found.cycle);
                for judgement in found.fair.iter().chain(&found.unfair) {
                    match judgement {
                        Judgement::Never => never += 1,
                        Judgement::Happens(_) => happens += 1,
                        Judgement::Error => errors += 1,
                        Judgement::TooLarge => {}
                    }
                }
            }
            Outcome::TooLarge => large += 1,
            Outcome::NoInitialState | Outcome::Initial | Outcome::TooLong => odd += 1,
        }
    }
    let answers = never + happens + errors;
    println!("{judged} judged, {large} too large, {odd} without initial states or too slow");
    println!("{cycles} with cycles");
    println!("{answers} answers: {never} hold, {happens} fail or are possible, {errors} errors");
    assert!(judged * 3 >= SAMPLE * 2);
    assert!(cycles * 3 >= SAMPLE);
    assert!(never * 4 >= answers && happens * 4 >= answers);
    let all = constructs::all();
    let unknown: Vec<_> = names.keys().filter(|name| !all.contains(*name)).collect();
    assert!(unknown.is_empty(), "not in the list: {unknown:?}");
    let count = |name: &String| names.get(name).copied().unwrap_or(0);
    let rare = all.iter().map(|name| (name, count(name)));
    let rare: Vec<_> = rare.filter(|(_, count)| count * 20 < SAMPLE).collect();
    assert!(rare.is_empty(), "in fewer than one of twenty: {rare:?}");
}
