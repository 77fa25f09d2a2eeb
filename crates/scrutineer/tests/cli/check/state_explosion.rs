//! The output for a state space that is too large: the explored bound, what multiplies the states, and what may help.
//! The memory limit counts bytes of states, so the output is reproducible.

use crate::calling::schema::misfit;
use crate::calling::{call, folder, root};
use serde_json::Value;

/// Nodes that count independently. They halt at the end, so that random runs are short.
const COUNTERS: &str = "\
param n: 1..8 = 5
param most: 1..40 = 12
node Member[n] {
    var count: 0..most = 0
    var flag: Bool = false
    every any {
        if count < most { count = count + 1 }
        else { flag = true; halt }
    }
}
network line(n) { }
claim small: always all k in Member: k.count <= most
check small expect holds
";

/// The exit code and the output of `check` by explicit search without reduction.
fn checked(name: &str, model: &str, args: &[&str]) -> (i32, String) {
    let folder = folder(name);
    std::fs::write(folder.join("big.scrut"), model).expect("a file that can be written");
    let done = call(
        &folder,
        &[&["check", "big.scrut", "--by", "states"], args].concat(),
    );
    (done.code, done.out)
}

/// The lines below the answer.
fn details(out: &str) -> Vec<&str> {
    out.lines()
        .filter_map(|line| line.strip_prefix("      "))
        .collect()
}

#[test]
fn the_whole_text() {
    let (code, out) = checked("too-big-text", COUNTERS, &["--memory", "3MB"]);
    assert_eq!(code, 3, "{out}");
    assert_eq!(details(&out), TEXT, "{out}");
}

const TEXT: &[&str] = &[
    "memory limit of 3 MB reached after 371721 states, at depth 36; no run of up to 35 events breaks it",
    "what multiplies the states: count (×23233)",
    "what would help: n = 4 instead of 5 (fewer nodes), or most = 11 instead of 12 (fewer values of `count`)",
    "where `count` is no longer read, set it to one value: states that differ in nothing else are then one",
    "what to try next: more memory (`--memory`), every method (without `--by`)",
];

#[test]
fn a_small_search_has_no_diagnosis() {
    let (code, out) = checked("too-big-small", COUNTERS, &["--memory", "20kB"]);
    assert_eq!(code, 3, "{out}");
    let [_, next] = details(&out)[..] else {
        panic!("{out}");
    };
    assert!(next.contains("smaller parameters (`-D n=…`)"), "{out}");
}

#[test]
fn the_same_as_data() {
    let (code, out) = checked("too-big-json", COUNTERS, &["--memory", "3MB", "--json"]);
    assert_eq!(code, 3);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let schema = root().join("docs/schema/report.schema.json");
    let schema = std::fs::read_to_string(schema).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert_eq!(misfit(&schema, &schema, &report, "report"), None);
    let answer = &report["files"][0]["checks"][0]["answers"][0];
    let big = &answer["state_explosion"];
    assert_eq!(big["multipliers"][0]["what"], "count");
    let factor = big["multipliers"][0]["factor"].as_f64().expect("a number");
    let states = big["of_states"].as_f64().expect("a number");
    assert!(1.0 < factor && factor < states, "{big:#}");
    let by_depth = big["states_by_depth"].as_array().expect("a list");
    let all: u64 = by_depth.iter().filter_map(Value::as_u64).sum();
    assert_eq!(all as f64, states, "every state has a depth");
    assert_eq!(
        answer["explored_events"].as_u64().expect("a number"),
        by_depth.len() as u64 - 3,
        "the last level is not complete, and the one before was not looked at completely"
    );
}
