//! The root election of FTSP on small graphs: for how many activations nodes can disagree about the root, from every
//! initial state or from extreme ones.
//!
//! `cargo run --release -p scrutineer-enumerator --example ftsp -- FILE` prints one line per row of the table. FILE is
//! the model, for instance `crates/syntax/tests/data/ftsp.scrut`. Further arguments are names of rows and select these
//! rows; `claim` checks the claim of the model itself, which takes longer.

use enumerator::{Most, Setup, ask, most_activations, read, read_condition, read_topology};
use std::time::Instant;

/// Replacements in the model (old, new) that restrict the initial values of all variables to extreme ones.
const EXTREME: [(&str, &str); 4] = [
    (
        "beats: 0..give_up = any",
        "beats: 0..give_up = any in { 0, 7 }",
    ),
    (
        "entries: 0..enough = any",
        "entries: 0..enough = any in { 0, 3 }",
    ),
    (
        "root: Option<Id> = any",
        "root: Option<Id> = any in { first.id, last.id }",
    ),
    ("any in 0..12", "any in { 0, 70 }"),
];

/// The root considers itself the root, and no node has a later sequence number of it.
const SURE: &str =
    "(first.root == first.id and (all k in Mote: k.root == first.id implies k.seq <= first.seq))";

/// Some node does not consider the node with the least id its root.
const APART: &str = "not (all k in Mote: k.root == first.id)";

/// A row of the table: its name, the topology, the ids, the initial states, and the expected least number of
/// activations.
struct Row {
    name: &'static str,
    topology: &'static str,
    ids: &'static [i128],
    /// Whether variables begin with extreme values (true) or with any value (false).
    extreme: bool,
    /// Whether initial states are restricted by `SURE`.
    sure: bool,
    expected: usize,
}

fn rows() -> Vec<Row> {
    let row = |name, topology, ids, (extreme, sure), expected| Row {
        name,
        topology,
        ids,
        extreme,
        sure,
        expected,
    };
    vec![
        row("edge", "line(2)", &[1, 2], (false, false), 11),
        row("star", "star(4)", &[1, 2, 3, 4], (true, true), 4),
        row("complete", "complete(4)", &[1, 2, 3, 4], (true, true), 4),
        row("ring", "ring(4)", &[1, 2, 3, 4], (true, true), 7),
        row("line", "line(4)", &[1, 2, 3, 4], (true, true), 12),
        row("line-any", "line(4)", &[1, 2, 3, 4], (true, false), 43),
    ]
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the path of the model");
    let wanted: Vec<String> = arguments.collect();
    let text = std::fs::read_to_string(path).expect("the model");
    let mut extreme = format!("{text}\nlet last = largest k in Mote by k.id\n");
    for (old, new) in EXTREME {
        assert!(extreme.contains(old), "the model has `{old}`");
        extreme = extreme.replace(old, new);
    }
    if wanted.iter().any(|name| name == "claim") {
        as_written(&text);
    }
    for row in rows() {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == row.name) {
            continue;
        }
        let file = read(if row.extreme { &extreme } else { &text }).expect("it can be read");
        let condition = |text| read_condition(text).expect("a condition");
        let setup = Setup {
            assuming: row.sure.then(|| condition(SURE)),
            limit: 100_000_000,
            ..Setup::default()
        };
        let topology = read_topology(row.topology).expect("a topology");
        let setup = setup.topology(topology).ids(row.ids);
        let begun = Instant::now();
        let (most, states) = most_activations(&file, &setup, &condition(APART)).expect("an answer");
        let seconds = begun.elapsed().as_secs();
        let least = match most {
            Most::Never => "0".to_owned(),
            Most::Number { every, some } => format!("{} (all), {} (exists)", every + 1, some + 1),
            Most::Unbounded => "none".to_owned(),
        };
        let Row { name, expected, .. } = row;
        println!("{name}: {least}, expected {expected}; {states} states, {seconds} s");
    }
}

/// Checks the claim of the model on one edge, from every initial state, for the least number for which it holds and the
/// number below.
fn as_written(text: &str) {
    let file = read(text).expect("it can be read");
    let setup = Setup {
        limit: 100_000_000,
        ..Setup::default()
    };
    let setup = setup.ids(&[1, 2]);
    for number in [10, 11] {
        let begun = Instant::now();
        let claim = read_condition(&format!("one_root({number})")).expect("a claim");
        let answer = ask(&file, &setup, &claim).expect("an answer");
        let seconds = begun.elapsed().as_secs();
        println!("one_root({number}): {answer:?}; {seconds} s");
    }
}
