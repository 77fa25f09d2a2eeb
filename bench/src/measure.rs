//! A process of its own for each question: its answer, its CPU seconds, its memory.
//!
//! CPU seconds are those of the process, user and system, as Linux counts them for children that have ended (hundredths of a
//! second). Memory is the most that it had, looked up while it runs.

use crate::model;
use crate::tables::Row;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What came of a question.
pub(crate) struct Asked {
    /// The answers, one for each claim, in words.
    pub(crate) answer: String,
    /// By what method.
    pub(crate) method: String,
    pub(crate) as_expected: bool,
    pub(crate) cpu_seconds: f64,
    pub(crate) megabytes: f64,
}

/// Nothing is asked for longer.
const LIMIT: &str = "900";

/// Asks a question.
pub(crate) fn ask(root: &Path, tool: &Path, row: &Row) -> Result<Asked, String> {
    let text = model::asking(&root.join(row.model), row.check)?;
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

/// What a process did.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) cpu_seconds: f64,
    pub(crate) megabytes: f64,
}

/// Lets a process run to its end. What it says goes through a file in the folder, so that it waits for nobody.
pub(crate) fn process(command: &mut Command, folder: &Path) -> Result<Ended, String> {
    let program = command.get_program().display().to_string();
    let said = folder.join("said");
    let file = std::fs::File::create(&said).map_err(|why| format!("{}: {why}", said.display()))?;
    let before = children_seconds()?;
    let child = command.stdout(file).stderr(Stdio::piped()).spawn();
    let child = child.map_err(|why| format!("{program}: {why}"))?;
    let (code, megabytes, err) = wait(child)?;
    let cpu_seconds = children_seconds()? - before;
    let out = std::fs::read_to_string(&said);
    let out = out.map_err(|why| format!("{}: {why}", said.display()))?;
    Ok(Ended {
        code,
        out,
        err,
        cpu_seconds,
        megabytes,
    })
}

/// Waits for the end; the exit code, the most memory, and what was said of errors.
fn wait(mut child: Child) -> Result<(Option<i32>, f64, String), String> {
    let status = format!("/proc/{}/status", child.id());
    let mut most: f64 = 0.0;
    let begin = Instant::now();
    loop {
        if let Ok(text) = std::fs::read_to_string(&status)
            && let Some(line) = text.lines().find(|line| line.starts_with("VmHWM:"))
            && let Some(Ok(kilobytes)) = line.split_whitespace().nth(1).map(str::parse::<f64>)
        {
            most = most.max(kilobytes / 1e3);
        }
        if let Some(ended) = child.try_wait().map_err(|why| why.to_string())? {
            let mut said = String::new();
            if let Some(mut err) = child.stderr.take() {
                std::io::Read::read_to_string(&mut err, &mut said).map_err(|e| e.to_string())?;
            }
            return Ok((ended.code(), most, said));
        }
        let short = begin.elapsed() < Duration::from_millis(200);
        std::thread::sleep(Duration::from_millis(if short { 2 } else { 20 }));
    }
}

/// CPU seconds of all children that have ended.
fn children_seconds() -> Result<f64, String> {
    const FILE: &str = "/proc/self/stat";
    let text = std::fs::read_to_string(FILE).map_err(|why| format!("{FILE}: {why}"))?;
    // Behind the name, which may hold anything, in parentheses; the fields of waited-for children are the 16th and 17th of all.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: Option<Vec<f64>> = ticks.map(|field| field.parse().ok()).collect();
    match ticks {
        Some(ticks) if ticks.len() == 2 => Ok((ticks[0] + ticks[1]) / 100.0),
        _ => Err(format!("{FILE} has no times of children")),
    }
}

/// The answers of the only check of a report, and the methods that gave them.
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
