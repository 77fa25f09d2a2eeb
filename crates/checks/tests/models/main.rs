//! Random models with data and faults, as text: interpreter, searches and simulation never contradict each other.
//!
//! The sample consists of the models of the first seeds. Quotas ensure its variety, and planted defects its
//! sharpness.

mod broken;
mod claims;
mod code;
mod data;
mod opinions;
#[path = "../sample/mod.rs"]
mod sample;
#[path = "../strolls/mod.rs"]
mod strolls;
mod text;
mod world;

use broken::{forget_a_variable, forget_inboxes, is_missed, is_noticed, last_node_is_missed};
use explicit::defects::Defect;
use opinions::{Case, Truth, opinion};
use sample::{on_all_cores, wanted};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use text::random_model;

/// The number of models in the sample.
const SAMPLE: usize = 1_000;

/// The number of models that the scan for noticing seeds tries.
const FIRST: usize = 300;

/// The number of models that are compared in each test run; the long run takes more.
const COMPARED: usize = 300;

fn case(seed: usize) -> Case {
    Case::new(random_model(seed as u64), seed as u64)
}

/// One of the first models of the sample, made once for all defects.
fn first(seed: usize) -> &'static Case {
    static CASES: [OnceLock<Case>; FIRST] = [const { OnceLock::new() }; FIRST];
    CASES[seed].get_or_init(|| case(seed))
}

/// The numbers of questions by outcome: never happens, happens, error, unknown.
type Tally = [usize; 4];

/// The contradictions in every `step`-th model, and the tallies of the enumerator, the plain search and the tool.
fn compare(from: usize, step: usize) -> (Vec<String>, [Tally; 3]) {
    let mut wrong = Vec::new();
    let mut tallies = [Tally::default(); 3];
    for seed in (from..wanted(COMPARED)).step_by(step) {
        let case = case(seed);
        let said = case.ask();
        if let Err(why) = case.check(&said) {
            wrong.push(format!("seed {seed}: {why}\n{}", case.model.text));
        }
        let place = |truth: Option<Truth>| truth.map_or(3, |truth| truth as usize);
        for truth in &case.truth {
            tallies[0][place(*truth)] += 1;
        }
        for reports in &said {
            for (who, report) in reports.iter().enumerate() {
                for answer in report.iter().flat_map(|report| &report.answers) {
                    tallies[1 + who][place(opinion(answer))] += 1;
                }
            }
        }
    }
    (wrong, tallies)
}

#[test]
fn nobody_contradicts_anybody() {
    let parts = on_all_cores(compare);
    let mut tallies = [Tally::default(); 3];
    let mut wrong = Vec::new();
    for (more, part) in parts {
        wrong.extend(more);
        for (sum, n) in tallies
            .as_flattened_mut()
            .iter_mut()
            .zip(part.as_flattened())
        {
            *sum += n;
        }
    }
    for (who, [never, happens, error, open]) in
        ["enumerator", "plain search", "tool"].iter().zip(tallies)
    {
        println!("{who}: {never} never, {happens} happen, {error} errors, {open} not known");
        let all = never + happens + error + open;
        let known = all - open;
        let most = if *who == "enumerator" { 2 } else { 8 };
        assert!(open * most <= all, "{who}");
        assert!(
            never * 4 >= known && happens * 4 >= known && error * 100 >= known,
            "{who}"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every construct of the models, by the names that the generator uses.
fn all() -> impl Iterator<Item = &'static str> {
    let names = "untimed, timed, two kinds, gossip, hearsay, perhaps no value, instant, channel, latest, all, \
        starts empty, starts with messages, starts with anything, faults, off, mute, deaf, isolated, mixture, faults of a kind, ids, constant, ghost, \
        any, any in, message with any, plain variable, message variable, optional message, option, set, \
        set of nodes, struct, array over a range, array over an enum, array over nodes, part of a variable, \
        match, match as a statement, is, for, for inbox, let, choose, assert, halt, filter, count, count inbox, \
        over inbox, senders, mixed inbox, clear inbox, on Note, send a variable, send a new message, \
        message of two variables, send to some, activations, exists in a claim, two nodes in a claim, \
        temporal claim, fault in a claim";
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
    let unknown: Vec<_> = names
        .keys()
        .filter(|name| !all().any(|n| n == **name))
        .collect();
    assert!(unknown.is_empty(), "not in the list: {unknown:?}");
    let rare = all().map(|name| (name, names.get(name).copied().unwrap_or(0)));
    let rare: Vec<_> = rare.filter(|(_, count)| count * 20 < SAMPLE).collect();
    assert!(rare.is_empty(), "in fewer than one of twenty: {rare:?}");
}

/// Defects of data, inboxes, faulty nodes, errors and lazy initial values. Most other defects concern constructs that
/// these models do not have; some of `choose`, copies in inboxes and the order of messages are not noticed by so few
/// models. The random Machines of the engine's own test notice all.
const RULES: [Defect; 14] = [
    Defect::UnknownIsOld,
    Defect::UnknownIsFalse,
    Defect::DecidedOneWay,
    Defect::DecidedPastErrors,
    Defect::BagForgetsCopies,
    Defect::ClearKeeps,
    Defect::SendersForgotten,
    Defect::MuteNodeSends,
    Defect::DeafNodeReceives,
    Defect::OffNodeRuns,
    Defect::RoundOneMore,
    Defect::OutOfRangeStored,
    Defect::InitialStatesUnseen,
    Defect::ErrorsForgotten,
];

#[test]
fn broken_engines_are_noticed() {
    broken::keep_quiet();
    let mut missed = Vec::new();
    for rule in RULES {
        match (0..FIRST).find(|seed| is_noticed(rule, first(*seed))) {
            Some(seed) => println!("{rule:?}: noticed by {seed}"),
            None => missed.push(rule),
        }
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

#[test]
fn who_leaves_too_much_out_is_noticed() {
    broken::keep_quiet();
    let variable = |seed: &usize| is_missed(forget_a_variable, first(*seed));
    let inboxes = |seed: &usize| is_missed(forget_inboxes, first(*seed));
    let node = |seed: &usize| last_node_is_missed(first(*seed));
    let found = [
        (0..FIRST).find(variable),
        (0..FIRST).find(inboxes),
        (0..FIRST).find(node),
    ];
    println!("a variable, all inboxes, the last node: noticed by {found:?}");
    assert!(found.iter().all(Option::is_some), "{found:?}");
}
