//! `tests`: files, output, refusals, and the example test harnesses, which pass with correct code and fail with wrong
//! code.

use crate::calling::models::{RING, says, with};
use crate::calling::schema::misfit;
use crate::calling::{call, folder, root, without_times};
use expect_test::expect;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

fn model(name: &str) -> String {
    root().join("models").join(name).display().to_string()
}

#[test]
fn what_is_covered_is_said_in_short() {
    let folder = with("tests-ring", "ring.scrut", RING);
    let done = call(&folder, &["tests", "ring.scrut"]);
    assert_eq!((done.code, &done.err[..]), (0, ""));
    expect![[r#"
        test vectors for Member of ring.scrut   n = 3 (default)
          ✓ 5 vectors for 8 outcomes                     8 covered, 0 unreachable … s
            vectors: scrutineer-out/ring/Member/vectors.json
            coverage: scrutineer-out/ring/Member/coverage.txt
    "#]]
    .assert_eq(&without_times(&done.out));
    let coverage = folder.join("scrutineer-out/ring/Member/coverage.txt");
    let coverage = std::fs::read_to_string(coverage).expect("coverage");
    expect![[r#"
        start, line 7
             7  runs: vector 1
             7  `not tired` holds: vector 1
             7  `not tired` does not hold: vector 2
        on Election, line 8
             8  runs: vector 3
             9  `m.candidate > id` holds: vector 3
             9  `m.candidate > id` does not hold: vector 4
            10  `m.candidate == id` holds: vector 4
            10  `m.candidate == id` does not hold: vector 5
    "#]]
    .assert_eq(&coverage);
}

#[test]
fn vectors_are_as_the_schema_says() {
    let folder = folder("tests-schema");
    let schema = json(&root().join("docs/schema/vectors.schema.json"));
    let calls: [(&str, &[&str]); 8] = [
        ("membership.scrut", &["-D", "p=3"]),
        ("membership.scrut", &["--with", "Linked", "--in", "Deaf"]),
        ("mutual-exclusion.scrut", &[]),
        ("agreement.scrut", &[]),
        ("heartbeat.scrut", &[]),
        ("lease.scrut", &["--node", "Server"]),
        ("monitor.scrut", &["--node", "Monitor"]),
        ("commit-recovery.scrut", &["--node", "Coordinator"]),
    ];
    for (file, args) in calls {
        let path = model(file);
        let args: Vec<&str> = ["tests", &path, "--out", "out"]
            .into_iter()
            .chain(args.iter().copied())
            .collect();
        let done = call(&folder, &args);
        assert_eq!((done.code, &done.err[..]), (0, ""), "{file}: {}", done.out);
        let vectors = json(&folder.join("out/vectors.json"));
        assert_eq!(misfit(&schema, &schema, &vectors, file), None);
    }
    let mut wrong = json(&folder.join("out/vectors.json"));
    wrong["vectors"][0]["runs"] = Value::from(3);
    assert!(
        misfit(&schema, &schema, &wrong, "wrong").is_some(),
        "it barks"
    );
}

#[test]
fn timers_and_choices_are_in_the_vectors() {
    let folder = folder("tests-timers");
    let path = model("heartbeat.scrut");
    let done = call(&folder, &["tests", &path, "--out", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let file = json(&folder.join("out/vectors.json"));
    let vectors = file["vectors"].as_array().expect("vectors");
    let fired = vectors
        .iter()
        .any(|vector| vector["timer"] == "silence[1]" || vector["timer"] == "silence[2]");
    assert!(fired, "{vectors:#?}");
    let set = vectors.iter().any(|vector| {
        vector["after"]["timers"]["silence[2]"] == serde_json::json!(["8 ms", "8 ms"])
    });
    assert!(set, "{vectors:#?}");
}

#[test]
fn calls_that_are_wrong() {
    let folder = with("tests-wrong", "ring.scrut", RING);
    let said = |args: &[&str], code: i32, part: &str| {
        let done = call(&folder, args);
        assert_eq!(done.code, code, "{} {}", done.out, done.err);
        says(&format!("{}{}", done.out, done.err), part);
    };
    said(
        &["tests", "ring.scrut", "--node", "Membr"],
        2,
        "did you mean `Member`?",
    );
    said(
        &["tests", "ring.scrut", "--node", "Deaf"],
        2,
        "write --node Member --with Deaf",
    );
    said(
        &["tests", "ring.scrut", "--in", "Losy"],
        2,
        "did you mean `Lossy`?",
    );
    said(
        &["tests", &model("lease.scrut")],
        2,
        "has several kinds of node: Server, Client; say which with --node Server",
    );
    said(
        &["tests", "ring.scrut", "--out", "ring.scrut/in"],
        2,
        "cannot make the folder ring.scrut/in",
    );
    said(&["tests", "nowhere.scrut"], 2, "cannot read nowhere.scrut");
    said(
        &["tests", &model("ftsp.scrut")],
        3,
        "no vectors: a counter without bounds",
    );
    said(
        &[
            "tests",
            &model("membership.scrut"),
            "--time",
            "300ms",
            "-D",
            "p=60",
            "--out",
            "part",
        ],
        3,
        "stopped before all outcomes were decided",
    );
    std::fs::write(folder.join("bad.scrut"), "node A { var x: Bol = true }\n").expect("a file");
    said(&["tests", "bad.scrut"], 2, "Bol");
    let part = std::fs::read_to_string(folder.join("part/coverage.txt")).expect("what was decided");
    says(&part, "not looked at");
    assert!(
        !folder.join("scrutineer-out").exists(),
        "nothing is written"
    );
}

/// Generates the vectors for the example harnesses. Returns the folder and the path of the vectors.
fn example_vectors(name: &str) -> (PathBuf, String) {
    let folder = folder(name);
    let done = call(
        &folder,
        &[
            "tests",
            &model("membership.scrut"),
            "-D",
            "p=3",
            "--out",
            "vectors",
        ],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    (folder, "vectors/vectors.json".into())
}

/// Compiles and runs a harness. Returns its exit code and its output.
fn harness(folder: &Path, compiler: &mut Command, vectors: &str) -> (Option<i32>, String) {
    let compiled = compiler.current_dir(folder).output().expect("a compiler");
    let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{said}");
    let done = Command::new(folder.join("harness"))
        .arg(vectors)
        .current_dir(folder)
        .output();
    let done = done.expect("a harness that can be called");
    (
        done.status.code(),
        String::from_utf8_lossy(&done.stdout).into_owned(),
    )
}

fn passes_and_fails(good: (Option<i32>, String), planted: (Option<i32>, String)) {
    assert_eq!(good.0, Some(0), "{}", good.1);
    says(&good.1, "vectors passed");
    assert_eq!(planted.0, Some(1), "{}", planted.1);
    says(&planted.1, "vector 3");
    says(&planted.1, "inbox");
}

#[test]
fn the_harness_in_rust_passes_and_finds_a_mistake() {
    let (folder, vectors) = example_vectors("harness-rust");
    let main = root().join("examples/vectors/rust/main.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let run = |more: &[&str]| {
        let mut compiler = Command::new(&rustc);
        compiler
            .args(["--edition", "2021", "-o", "harness"])
            .args(more)
            .arg(&main);
        harness(&folder, &mut compiler, &vectors)
    };
    passes_and_fails(run(&[]), run(&["--cfg", "planted"]));
}

#[test]
fn the_harness_in_c_passes_and_finds_a_mistake() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: there is no C compiler called `cc` here");
        return;
    }
    let (folder, vectors) = example_vectors("harness-c");
    let source = |name: &str| root().join("examples/vectors/c").join(name);
    let run = |more: &[&str]| {
        let mut compiler = Command::new("cc");
        compiler
            .args([
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pedantic",
                "-o",
                "harness",
            ])
            .args(more);
        compiler.args([source("test.c"), source("member.c")]);
        harness(&folder, &mut compiler, &vectors)
    };
    passes_and_fails(run(&[]), run(&["-DPLANTED"]));
}
