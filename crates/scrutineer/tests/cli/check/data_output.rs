//! The output for other programs: JSON according to its schema, JUnit XML, and runs in the Informal Trace Format.

use crate::calling::schema::misfit;
use crate::calling::{call, folder, root};
use serde_json::Value;
use std::path::PathBuf;

fn schema() -> Value {
    let text =
        std::fs::read_to_string(root().join("docs/schema/report.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// Models whose checks take long. Their answers are of the same kinds as those of the other models.
const SLOW: [&str; 10] = [
    "echo-election",
    "ftsp",
    "hirschberg-sinclair",
    "membership",
    "membership-mutants",
    "paxos",
    "polling",
    "thales-election",
    "timeout",
    "drift",
];

#[test]
fn the_json_of_shipped_checks_is_as_the_schema_says() {
    let folder = folder("json");
    let models = std::fs::read_dir(root().join("models")).expect("models");
    let mut models: Vec<PathBuf> = models.map(|entry| entry.expect("a file").path()).collect();
    models.retain(|path| {
        path.is_file()
            && !SLOW
                .iter()
                .any(|slow| path.file_stem() == Some(slow.as_ref()))
    });
    let models = models.iter().map(|path| path.to_str().expect("a path"));
    let args: Vec<&str> = ["check", "--json"].into_iter().chain(models).collect();
    let done = call(&folder, &args);
    assert_eq!(done.code, 0, "{}", done.err);
    let report: Value = serde_json::from_str(&done.out).expect("JSON");
    let schema = schema();
    assert_eq!(misfit(&schema, &schema, &report, "report"), None);
    let answers = |file: &Value| -> Vec<Value> {
        let checks = file["checks"].as_array().expect("checks").iter();
        checks
            .flat_map(|c| c["answers"].as_array().expect("answers").clone())
            .collect()
    };
    let all: Vec<Value> = report["files"]
        .as_array()
        .expect("files")
        .iter()
        .flat_map(answers)
        .collect();
    for wanted in ["holds", "fails", "possible", "error"] {
        assert!(
            all.iter().any(|answer| answer["answer"] == wanted),
            "no answer {wanted}"
        );
    }
    assert!(
        all.iter()
            .filter(|a| a["answer"] == "fails")
            .all(|a| a["run"]["events"].is_array())
    );
}

#[test]
fn problems_are_in_the_json_too() {
    let folder = folder("json-problems");
    std::fs::write(folder.join("broken.scrut"), "node A { var x: Bool = 3 }\n").expect("a file");
    let done = call(
        &folder,
        &["check", "broken.scrut", "nowhere.scrut", "--json"],
    );
    assert_eq!(done.code, 2);
    let report: Value = serde_json::from_str(&done.out).expect("JSON");
    let schema = schema();
    assert_eq!(misfit(&schema, &schema, &report, "report"), None);
    assert_eq!(report["exit"], 2);
    assert_eq!(report["files"][0]["problems"][0]["from"]["line"], 1);
    assert!(
        report["files"][1]["problems"][0]["message"]
            .as_str()
            .expect("a message")
            .contains("nowhere")
    );
}

#[test]
fn the_schema_bites() {
    let schema = schema();
    let good = serde_json::json!({
        "scrutineer_report": 2, "tool": "x", "files": [], "interrupted": false, "exit": 0
    });
    assert_eq!(misfit(&schema, &schema, &good, "report"), None);
    for (name, bad) in [
        ("exit", serde_json::json!(7)),
        ("files", serde_json::json!([{ "file": 1 }])),
        ("interrupted", serde_json::json!("no")),
        ("more", serde_json::json!(0)),
    ] {
        let mut report = good.clone();
        report[name] = bad;
        assert!(
            misfit(&schema, &schema, &report, "report").is_some(),
            "{name}"
        );
    }
}

#[test]
fn junit_counts_what_failed() {
    let folder = folder("junit");
    let model = "node A { var x: 0..2 = 0\n every any { x = 1 } }\nclaim c: always A.x < 1\ncheck c expect holds\ncheck c expect fails\n";
    std::fs::write(folder.join("m.scrut"), model).expect("a file");
    let done = call(&folder, &["check", "m.scrut", "--junit", "out.xml"]);
    assert_eq!(done.code, 1);
    let text = std::fs::read_to_string(folder.join("out.xml")).expect("the file");
    assert!(
        text.contains("<testsuite name=\"m.scrut\" tests=\"2\" failures=\"1\" errors=\"0\">"),
        "{text}"
    );
    assert!(text.contains("fails, expected holds"), "{text}");
}

#[test]
fn a_lasso_in_the_trace_format_says_where_it_loops() {
    let folder = folder("itf");
    let model = root().join("models/ring-mutants.scrut");
    call(&folder, &["check", model.to_str().expect("a path")]);
    let run = "scrutineer-out/ring-mutants/3-termination.run";
    let done = call(&folder, &["show", run, "--itf", "run.itf.json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let text = std::fs::read_to_string(folder.join("run.itf.json")).expect("the file");
    let trace: Value = serde_json::from_str(&text).expect("JSON");
    let from = trace["loop"].as_u64().expect("a loop") as usize;
    let states = trace["states"].as_array().expect("states");
    let without_index = |state: &Value| {
        let mut state = state.clone();
        state["#meta"] = Value::Null;
        state
    };
    assert_eq!(
        without_index(&states[from]),
        without_index(&states[states.len() - 1])
    );
    let vars = trace["vars"].as_array().expect("vars");
    assert!(states.iter().all(|s| {
        vars.iter()
            .all(|v| s.get(v.as_str().expect("a name")).is_some())
    }));
}
