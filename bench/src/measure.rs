//! Answers a question by one process, and measures the CPU seconds and memory of the process.
//!
//! CPU seconds are user plus system time of the process; memory is its peak resident size. Linux reports both when the
//! process ends. The figure for memory is at least the size of `bench` itself, because the process is forked from it.

use crate::model;
use crate::tables::Row;
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use wait4::Wait4;

/// The answers to a question, and the measurements.
pub(crate) struct Asked {
    /// The answers in words, one per claim.
    pub(crate) answer: String,
    /// The methods that gave the answers.
    pub(crate) method: String,
    pub(crate) as_expected: bool,
    pub(crate) cpu_seconds: f64,
    pub(crate) megabytes: f64,
}

/// The time limit of a question, in seconds.
const LIMIT: &str = "900";

/// Answers and measures a question.
pub(crate) fn ask(root: &Path, tool: &Path, row: &Row) -> Result<Asked, String> {
    let text = model::with_check(&root.join(row.model), row.check)?;
    let folder = std::env::temp_dir().join(format!("scrutineer-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let file = folder.join("asked.scrut");
    std::fs::write(&file, text).map_err(|why| format!("{}: {why}", file.display()))?;
    let mut command = Command::new(tool);
    command.args(["check", "--json", "--time", LIMIT]);
    command.args(row.options).arg(&file);
    let ended = process(&mut command, &folder)?;
    std::fs::remove_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let report: Value = serde_json::from_str(&ended.out).map_err(|why| {
        let (check, model, said) = (row.check, row.model, &ended.err);
        format!("`check {check}` of {model}: {why}\n{said}")
    })?;
    let (answer, method) = answers(&report);
    Ok(Asked {
        answer,
        method,
        as_expected: ended.code == Some(0),
        cpu_seconds: ended.cpu_seconds,
        megabytes: ended.megabytes,
    })
}

/// A process that has ended: its exit code, output and measurements.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) cpu_seconds: f64,
    pub(crate) wall_seconds: f64,
    pub(crate) megabytes: f64,
}

/// Runs a process to its end. The output is written to files in `folder`, so that the process never blocks on a pipe.
pub(crate) fn process(command: &mut Command, folder: &Path) -> Result<Ended, String> {
    let program = command.get_program().display().to_string();
    let (out, err) = (folder.join("out"), folder.join("err"));
    let unread = |path: &Path, why| format!("{}: {why}", path.display());
    let create = |path: &Path| File::create(path).map_err(|why| unread(path, why));
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|why| unread(path, why));
    let began = Instant::now();
    let child = command.stdout(create(&out)?).stderr(create(&err)?).spawn();
    let ended = child.and_then(Wait4::wait4);
    let wall_seconds = began.elapsed().as_secs_f64();
    let ended = ended.map_err(|why| format!("{program}: {why}"))?;
    Ok(Ended {
        code: ended.status.code(),
        out: read(&out)?,
        err: read(&err)?,
        cpu_seconds: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
        wall_seconds,
        megabytes: ended.rusage.maxrss as f64 / 1e6,
    })
}

/// The answers to the only check in a report, and the methods that gave them.
fn answers(report: &Value) -> (String, String) {
    let all = report["files"][0]["checks"][0]["answers"].as_array();
    let all = all.map_or(&[][..], |all| &all[..]);
    let answer = |answer: &Value| match &answer["value"] {
        Value::Null => words(&answer["answer"]),
        value => words(value),
    };
    let answers: Vec<String> = all.iter().map(answer).collect();
    let mut methods: Vec<String> = all.iter().map(|answer| words(&answer["method"])).collect();
    methods.dedup();
    (answers.join(", "), methods.join(", "))
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
