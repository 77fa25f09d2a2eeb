//! `check FILE.tck`: answers, runs, errors, wrong calls and limits. `docs/tck.md` has the outputs as a whole.

use crate::calling::schema::misfit;
use crate::calling::{Done, call, folder, root};
use serde_json::Value;
use std::path::Path;

/// Calls `check` of a file of the repository.
fn check(name: &str, file: &str, options: &[&str]) -> Done {
    let path = root().join(file).display().to_string();
    let args = [&["check", &path[..]], options].concat();
    call(&folder(name), &args)
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not said:\n{text}");
}

const FISCHER: &str = "models/tck/fischer.tck";
const HASTY: &str = "models/tck/fischer-hasty.tck";
const GATE: &str = "models/tck/gate.tck";
const LARGE: &str = "tests/limits/many-zones.tck";

#[test]
fn answers_have_the_exit_code_0() {
    for (file, options, verdict) in [
        (
            FISCHER,
            &["--reach", "cs1,cs2"][..],
            "not reachable: cs1, cs2",
        ),
        (FISCHER, &["--reach", "cs3"], "reachable: cs3"),
        (FISCHER, &["--live", "cs1,cs2"], "no cycle: cs1, cs2"),
        (
            FISCHER,
            &["--live", "cs1", "--live", "cs2"],
            "cycle: cs1; cs2",
        ),
        (HASTY, &["--reach", "cs1,cs2"], "reachable: cs1, cs2"),
        (
            GATE,
            &["--reach", "crossing,open"],
            "not reachable: crossing, open",
        ),
        (
            GATE,
            &["--live", "open,crossing"],
            "no cycle: open, crossing",
        ),
        (GATE, &[], "not reachable: no label is asked about"),
    ] {
        let done = check("answers", file, options);
        assert_eq!((done.code, &done.err[..]), (0, ""), "{file} {options:?}");
        says(&done.out, &format!("✓ {verdict}"));
    }
}

#[test]
fn the_other_counts_of_the_tool_are_those_of_alu_covreach() {
    // The number of states and transitions of `tck-reach -a aLU-covreach -s bfs`.
    let file = "crates/timed/tck/tests/vectors/v9_init_labels.tck";
    let done = check("counts", file, &["--reach", "p1,q1"]);
    says(&done.out, "4 states stored, 4 visited, 5 transitions");
}

#[test]
fn options_that_make_no_sense_are_refused_by_name() {
    for (options, part) in [
        (&["-D", "n=3"][..], "-D: there are no parameters"),
        (&["--claim", "c"], "--claim: there are no claims"),
        (&["--check", "1"], "--check: there are no checks"),
        (&["--threads", "2"], "--threads: "),
        (&["--store", "hashes"], "--store: "),
        (&["--by", "states"], "--by: "),
        (&["--out", "there"], "--out: "),
        (&["--checkpoint"], "--checkpoint: "),
        (&["--resume"], "--resume: "),
        (&["--reach", "a,,b"], "--reach: write labels with commas"),
        (&["--live", ""], "--live: write labels with commas"),
        (
            &["--reach", "cs4"],
            "has the label `cs4`; did you mean `cs1`?",
        ),
        (&["models/lease.scrut"], "different kinds of files"),
    ] {
        let done = check("refused", FISCHER, options);
        assert_eq!(done.code, 2, "{options:?}\n{}", done.out);
        assert_eq!(done.out, "", "{options:?}");
        says(&done.err, part);
    }
    for option in ["--reach", "--live"] {
        let done = check("models", "models/lease.scrut", &[option, "a"]);
        assert_eq!((done.code, &done.out[..]), (2, ""));
        says(&done.err, &format!("{option} is about .tck files"));
    }
}

#[test]
fn an_error_of_the_file_has_a_place() {
    let done = check(
        "place",
        "crates/timed/tck/tests/vectors/v4e_weak_guard.tck",
        &[],
    );
    assert_eq!(done.code, 2);
    says(&done.err, "v4e_weak_guard.tck:13:25");
    says(&done.out, "not checked: 1 problem, see above");
    let folder = folder("no-file");
    let done = call(&folder, &["check", "absent.tck"]);
    assert_eq!(done.code, 2);
    says(&done.err, "absent.tck");
    std::fs::write(folder.join("bytes.tck"), b"system:s\n\xff\n").expect("a file");
    let done = call(&folder, &["check", "bytes.tck"]);
    assert_eq!(done.code, 2);
    says(&done.err, "line 2 is not UTF-8");
    std::fs::write(folder.join("long.tck"), vec![b'\n'; 4_000_001]).expect("a file");
    let done = call(&folder, &["check", "long.tck"]);
    assert_eq!(done.code, 2);
    says(&done.err, "more than 4000000 bytes");
    std::fs::write(folder.join("open.tck"), "system:s\nprocess").expect("a file");
    let done = call(&folder, &["check", "open.tck"]);
    assert_eq!(done.code, 2);
    says(&done.err, "open.tck:2:8");
}

#[test]
fn an_error_in_a_reachable_state_has_the_exit_code_1_and_a_run() {
    let file = "crates/timed/tck/tests/vectors/v6e_range.tck";
    let done = check("error", file, &[]);
    assert_eq!(done.code, 1);
    says(&done.err, "error: the value 3 is not in 0..2");
    says(
        &done.out,
        "✗ error in line 9, column 19: the value 3 is not in 0..2",
    );
    says(&done.out, "2  at 0  P a: l0 → l0   i 1 → 2");
    says(&done.out, "an edge that leaves this state has the error");
}

#[test]
fn a_process_without_an_initial_location_is_named() {
    let folder = folder("no-initial");
    std::fs::write(folder.join("m.tck"), "system:s\nprocess:P\nlocation:P:l\n").expect("a file");
    let done = call(&folder, &["check", "m.tck"]);
    assert_eq!(done.code, 0);
    says(&done.out, "the system has no initial state");
}

#[test]
fn a_limit_makes_the_answer_unknown_and_says_what_was_explored() {
    for (limit, said) in [
        (["--time", "300ms"], "time limit of 0.3 s reached"),
        (
            ["--total-time", "300ms"],
            "what to try next: more time (`--total-time`)",
        ),
        (["--memory", "1MB"], "memory limit of 1 MB reached"),
    ] {
        for question in ["--reach", "--live"] {
            let done = check("limits", LARGE, &[question, "cs1,cs2", limit[0], limit[1]]);
            assert_eq!(done.code, 3, "{}", done.out);
            says(&done.out, "cs1, cs2 unknown");
            says(&done.out, " states stored, ");
            says(&done.out, said);
        }
    }
}

#[test]
fn the_json_is_as_the_schema_says() {
    let schema = std::fs::read_to_string(root().join("docs/schema/report.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("a schema")).expect("JSON");
    for (file, options, answer) in [
        (HASTY, &["--reach", "cs1,cs2"][..], "possible"),
        (FISCHER, &["--reach", "cs1,cs2"], "impossible"),
        (GATE, &["--live", "closed"], "possible"),
        ("crates/timed/tck/tests/vectors/v6e_range.tck", &[], "error"),
        (LARGE, &["--memory", "100kB"], "unknown"),
    ] {
        let done = check("json", file, &[options, &["--json"]].concat());
        let report: Value = serde_json::from_str(&done.out).expect("JSON");
        assert_eq!(misfit(&schema, &schema, &report, "report"), None, "{file}");
        assert_eq!(report["exit"], done.code);
        let found = &report["files"][0]["checks"][0]["answers"][0];
        assert_eq!(found["answer"], answer, "{file}");
        assert_eq!(
            found["run"].is_object(),
            ["possible", "error"].contains(&answer)
        );
        if options.contains(&"--live") {
            assert_eq!(found["run"]["ending"], "loops");
        }
    }
    let file = "crates/timed/tck/tests/vectors/v4e_weak_guard.tck";
    let done = check("json-problem", file, &["--json"]);
    let report: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(misfit(&schema, &schema, &report, "report"), None);
    let problem = &report["files"][0]["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["from"]["line"]),
        (&Value::Null, &13.into())
    );
}

#[test]
fn the_answers_are_written_for_build_servers() {
    let done = check("junit", HASTY, &["--reach", "cs1", "--junit", "out.xml"]);
    assert_eq!(done.code, 0);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("timed_automata/junit/out.xml");
    let text = std::fs::read_to_string(path).expect("a file");
    says(
        &text,
        "<testcase name=\"check 1: reach cs1\" classname=\"fischer-hasty\"",
    );
    says(&text, "tests=\"1\" failures=\"0\" errors=\"0\"");
}

#[test]
fn a_folder_stands_for_its_models_only() {
    let done = check("folder", "models/tck", &[]);
    assert_eq!(done.code, 2);
    says(&done.err, "there is no .scrut file in");
}
