//! The engine against the reference interpreter on random Machines, and on those that once told them apart.

mod oracle;

use machine::random::{Size, random_machine};
use machine::{parse, verify};
use oracle::referee::Case;
use std::path::Path;

/// How many random Machines; the long run takes more.
fn sample() -> u64 {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(300, |n| n.parse().expect("SCRUTINEER_SAMPLE is a number"))
}

#[test]
fn engine_and_interpreter_agree() {
    let mut wrong = Vec::new();
    for seed in 0..sample() {
        let case = Case::new(random_machine(seed, &Size::default()));
        if let Err(why) = case.compare() {
            wrong.push(format!("seed {seed}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Machines on which engine, audit or interpreter were wrong once.
#[test]
fn what_was_found_stays_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/found");
    let files = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<_> = files.map(|f| f.expect("a file").path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.display();
        let text = std::fs::read_to_string(&path).expect("a text");
        let machine = parse(&text).unwrap_or_else(|e| panic!("{name}:{}: {}", e.line, e.expected));
        verify(&machine).unwrap_or_else(|e| panic!("{name}: {e}"));
        if let Err(why) = Case::new(machine).compare() {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
