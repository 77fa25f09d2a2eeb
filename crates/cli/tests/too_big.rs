//! What a person reads when a search is too big: how far it came, what was established, what multiplies the states and what would
//! help. Limits of memory are counted, so the text is the same every time.

mod scrutineer;

use scrutineer::schema::misfit;
use scrutineer::{call, folder, root};
use serde_json::Value;

/// Nodes that count by themselves, and forget nothing.
const COUNTERS: &str = "\
param n: 1..8 = 5
param most: 1..40 = 30
node Member[n] {
    var count: 0..most = 0
    var flag: Bool = false
    every any {
        if count < most { count = count + 1 }
        else { flag = not flag }
    }
}
network line(n) { }
claim small: always all k in Member: k.count <= most
check small expect holds
";

/// Without what takes time, and without what circuits say.
fn checked(name: &str, model: &str, args: &[&str]) -> (i32, String) {
    let folder = folder(name);
    std::fs::write(folder.join("big.scrut"), model).expect("a file that can be written");
    let done = call(
        &folder,
        &[&["check", "big.scrut", "--by", "search"], args].concat(),
    );
    (done.code, done.out)
}

/// The lines of a report below the verdict.
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

const TEXT: &[&str] = &[];

#[test]
fn a_small_search_has_nothing_to_add() {
    let (code, out) = checked("too-big-small", COUNTERS, &["--memory", "20kB"]);
    assert_eq!(code, 3, "{out}");
    assert_eq!(details(&out).len(), 1, "{out}");
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
    let big = &answer["too_big"];
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

/// A search that is over the summit says how much is left; and with that much more memory it comes to its end.
#[test]
fn what_is_said_to_be_enough_is_enough() {
    let args = ["-D", "n=4", "-D", "most=13", "--memory"];
    let with = |memory: &str| checked("too-big-enough", COUNTERS, &[&args[..], &[memory]].concat());
    let mut told = 0;
    for kilobytes in (500..2_000).step_by(50) {
        let (code, out) = with(&format!("{kilobytes}kB"));
        let Some((_, enough)) = out.split_once("`--memory ") else {
            continue;
        };
        assert_eq!(code, 3);
        told += 1;
        let (enough, _) = enough.split_once('`').expect("the end");
        let (code, out) = with(enough);
        assert_eq!(code, 0, "{kilobytes}: {enough} is not enough:\n{out}");
    }
    assert!(told > 0, "it is never said");
}
