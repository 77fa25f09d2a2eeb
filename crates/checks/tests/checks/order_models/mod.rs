//! Random models of periodic nodes with inboxes, as text: the order-of-events engine, the other methods and random runs
//! never contradict each other.
//!
//! The sample consists of the models of the first seeds. Quotas ensure that it contains all constructs.

mod by_hand;
mod claims;
mod code;
pub mod comparison;
mod defects;
mod loops;
mod text;

use comparison::{Case, Outcome, outcome};
use std::collections::BTreeMap;
use testkit::sample::{compare_all, seeds};
use text::random_model;

/// The number of models over which the quotas are counted.
const SAMPLE: usize = 1_000;

/// The number of models compared in a test run; SCRUTINEER_SAMPLE may set more.
const COMPARED: u64 = 40;

/// The number of random runs for each claim.
const RUNS: u64 = 200;

/// The text of the model of a seed.
pub fn random_text(seed: u64) -> String {
    random_model(seed).text
}

fn case(seed: usize, runs: u64) -> Case {
    Case::new(random_model(seed as u64), seed as u64, runs)
}

/// The number of answers, by method and answer.
type Tally = BTreeMap<(&'static str, Outcome), usize>;

/// The answers of all methods for one model, or a contradiction between them.
fn compare(seed: u64) -> Result<Tally, String> {
    let mut tally = Tally::new();
    let mut case = case(seed as usize, RUNS);
    case.ask_others();
    let reports = case.ask();
    let checked = case.check(&reports);
    checked.map_err(|why| format!("{why}\n{}", case.model.text))?;
    for (claim, report) in case.claims.iter().zip(&reports) {
        let all = [
            outcome(&report.results[0].answer),
            claim.others[0],
            claim.others[1],
        ];
        for (method, outcome) in ["order", "abstractions", "integer time"]
            .into_iter()
            .zip(all)
        {
            *tally.entry((method, outcome)).or_default() += 1;
        }
    }
    Ok(tally)
}

#[test]
fn all_methods_agree() {
    let mut tally = Tally::new();
    for (what, number) in compare_all(seeds(COMPARED), compare).into_iter().flatten() {
        *tally.entry(what).or_default() += number;
    }
    tally
        .iter()
        .for_each(|(what, n)| println!("{n:6} {what:?}"));
    let by_order = |outcome| tally.get(&("order", outcome)).copied().unwrap_or(0);
    let (holds, fails) = (by_order(Outcome::Holds), by_order(Outcome::Fails));
    let known = holds + fails;
    assert!(holds * 4 >= known && fails * 4 >= known, "{holds}, {fails}");
    assert!(known >= by_order(Outcome::Open), "{known} answers");
}

/// The names of all constructs that the generator uses.
fn all() -> impl Iterator<Item = &'static str> {
    let names = "three nodes, two kinds, ids, latest, all, messages that say nothing, jitter per gap, \
        jitter on the grid, fixed, free gaps, first, not complete, starts empty, starts with one from each sender, \
        starts with anything, to self, off, mute, deaf, isolated, faults, initially, turn any, turn given, \
        changes behind the send, senders, intersect, sets in messages, clears at times, clears, election, all in inbox, \
        exists in inbox, risky code, to some, sends at times, assuming, least, count of each, counts of all, \
        least count, two counts, no counts, risky claim, largest, fault in a claim, beside a fault, \
        takes time, lost, fifo, unordered";
    names.split(", ")
}

#[test]
fn the_sample_is_varied() {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..SAMPLE {
        for name in random_model(seed as u64).constructs {
            *names.entry(name).or_default() += 1;
        }
    }
    println!("{names:?}");
    let rare = all().map(|name| (name, names.get(name).copied().unwrap_or(0)));
    let rare: Vec<_> = rare.filter(|(_, count)| count * 20 < SAMPLE).collect();
    assert!(rare.is_empty(), "in fewer than one of twenty: {rare:?}");
}

#[test]
fn every_text_is_a_model() {
    let mut wrong = BTreeMap::new();
    for seed in 0..SAMPLE {
        let model = random_model(seed as u64);
        let loaded = checks::load_text("random.scrut", &model.text);
        for diagnostic in loaded.diagnostics.iter().filter(|_| loaded.has_errors()) {
            let line = loaded.sources.line(diagnostic.primary.span);
            let what = model.text.lines().nth(line as usize - 1).unwrap_or("");
            let key = format!("{} `{}`", diagnostic.message, what.trim());
            wrong.insert(key, seed);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
