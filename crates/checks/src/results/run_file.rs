//! Stored runs: one file with everything that is needed to replay a run and show its story.

use crate::results::audited_run::AuditedRun;
use machine::Machine;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;
use verdict::{Answer, Labels, Question, Run};

/// The version of the file format.
const VERSION: u32 = 2;

/// The `answer` of a run that violates a claim for every bound.
const EVERY_BOUND: &str = "fails for every bound";

/// The contents of a run file.
#[derive(Serialize, Deserialize)]
pub struct RunFile {
    /// The version of the file format.
    pub scrutineer_run: u32,
    /// The title of the story.
    pub title: String,
    /// The question in the words of the model.
    pub asked: String,
    /// `fails`, `fails for every bound`, `possible` or `error`; or `run`, if the run answers no question.
    pub answer: String,
    /// Whether only weakly fair runs count.
    pub fair: bool,
    /// The index of the property that the run is about; `None` if it answers no question.
    pub property: Option<usize>,
    /// The Machine as text.
    pub machine: String,
    /// Names for the nodes, blocks and other parts of the Machine.
    pub labels: Labels,
    /// The run.
    pub run: Run,
}

/// The message why a stored run cannot be used.
#[derive(Debug)]
pub struct RunFileError(pub String);

impl RunFile {
    /// The file contents for the run of an answer; `None` if the answer has no run.
    pub fn new(
        title: String,
        asked: String,
        fair: bool,
        property: usize,
        lowered: &lower::Lowered,
        answer: &Answer,
    ) -> Option<RunFile> {
        let run = answer.run()?;
        let word = match answer {
            Answer::NoBound(_) => EVERY_BOUND,
            Answer::Possible(_) => "possible",
            Answer::Error(_) => "error",
            _ => "fails",
        };
        Some(RunFile {
            scrutineer_run: VERSION,
            title,
            asked,
            answer: word.into(),
            fair,
            property: Some(property),
            machine: lowered.machine.to_string(),
            labels: stored_labels(lowered, run),
            run: run.clone(),
        })
    }

    /// The file contents for a run that answers no question.
    pub fn of_run(title: String, lowered: &lower::Lowered, run: &Run) -> RunFile {
        RunFile {
            scrutineer_run: VERSION,
            title,
            asked: String::new(),
            answer: "run".into(),
            fair: true,
            property: None,
            machine: lowered.machine.to_string(),
            labels: stored_labels(lowered, run),
            run: run.clone(),
        }
    }

    /// Writes the file atomically.
    pub fn write(&self, path: &Path) -> Result<(), RunFileError> {
        let fail = |e: std::io::Error| RunFileError(cannot_write(path, &e));
        let text = serde_json::to_string(self).expect("plain data");
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        write_whole(path, &text).map_err(RunFileError)
    }

    /// Reads a run file. Returns its contents and its Machine.
    pub fn read(path: &Path) -> Result<(RunFile, Machine), RunFileError> {
        let bad =
            |why: String| RunFileError(format!("{} is not a stored run: {why}", path.display()));
        let text = read_bytes(path, MOST_STORED).map_err(RunFileError)?;
        let text = String::from_utf8(text).map_err(|e| bad(e.to_string()))?;
        // The version is compared first, because a file of another version may have other fields.
        let form: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
        match form["scrutineer_run"].as_u64() {
            Some(version) if version != u64::from(VERSION) => {
                return Err(bad(format!(
                    "it has format {version}, and this version reads format {VERSION}"
                )));
            }
            _ => {}
        }
        let file: RunFile = serde_json::from_value(form).map_err(|e| bad(e.to_string()))?;
        let machine =
            machine::parse(&file.machine).map_err(|e| bad(format!("its machine: {e}")))?;
        machine::verify(&machine).map_err(|e| bad(format!("its machine: {e}")))?;
        if file.property.is_some_and(|p| p >= machine.properties.len()) {
            return Err(bad(
                "it names a property that its machine does not have".into()
            ));
        }
        Ok((file, machine))
    }

    /// Replays the run and verifies that it shows its answer.
    pub fn audit(&self, machine: &Machine) -> Result<AuditedRun, RunFileError> {
        let run = || Box::new(self.run.clone());
        let answer = match &self.answer[..] {
            "run" => None,
            "fails" => Some(Answer::Fails(run())),
            EVERY_BOUND => Some(Answer::NoBound(run())),
            "possible" => Some(Answer::Possible(run())),
            "error" => Some(Answer::Error(run())),
            other => {
                return Err(RunFileError(format!(
                    "a stored run cannot have the answer `{other}`"
                )));
            }
        };
        let question = Question {
            machine,
            fair: self.fair,
        };
        let part = match (answer, self.property) {
            (None, _) => AuditedRun::of_run(machine, &self.run),
            (Some(_), None) => {
                return Err(RunFileError(
                    "it has an answer, and nothing that was asked".into(),
                ));
            }
            (Some(answer), Some(property)) => AuditedRun::of_answer(&question, property, &answer)
                .map(|part| part.expect("an answer with a run")),
        };
        part.map_err(|why| RunFileError(format!("the run does not show what it says: {why}")))
    }
}

/// The largest stored run or proof, in bytes.
pub(crate) const MOST_STORED: u64 = 256_000_000;

/// The bytes of a file; an error if it cannot be read or has more than `most` bytes.
pub(crate) fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let cannot = |e: std::io::Error| format!("cannot read {}: {e}", path.display());
    let file = std::fs::File::open(path).map_err(cannot)?;
    let mut bytes = Vec::new();
    // A file that is not regular, such as a pipe, has no length and may have no end.
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    if bytes.len() as u64 > most {
        return Err(format!(
            "{} has more than {most} bytes, and files of this kind have at most as many",
            path.display()
        ));
    }
    Ok(bytes)
}

/// The labels of a stored run.
fn stored_labels(lowered: &lower::Lowered, run: &Run) -> Labels {
    let labels = lowered.labels.in_instance(&lowered.machine, &run.frozen);
    labels.without_folders()
}

/// Writes a file atomically: under a temporary name, then renamed. The error is a message.
pub fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let written =
        std::fs::write(&unfinished, text).and_then(|()| std::fs::rename(&unfinished, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&unfinished); // it may not exist
        cannot_write(path, &error)
    })
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
