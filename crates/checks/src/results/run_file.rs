//! Stored runs: everything that is needed to replay one and tell it again, in one file.

use crate::results::audited_run::AuditedRun;
use machine::Machine;
use serde::{Deserialize, Serialize};
use std::path::Path;
use verdict::{Answer, Labels, Question, Run};

/// The version of the format.
const VERSION: u32 = 2;

/// The answer of a run that breaks a claim whatever its bound is.
const EVERY_BOUND: &str = "fails for every bound";

/// A stored run.
#[derive(Serialize, Deserialize)]
pub struct RunFile {
    /// Which format this is.
    pub scrutineer_run: u32,
    /// The line above the story.
    pub title: String,
    /// What is asked, in the model's words.
    pub asked: String,
    /// `fails`, `possible` or `error`; or `run`, if it is there for its own sake.
    pub answer: String,
    /// Whether runs had to be fair.
    pub fair: bool,
    /// Which property of the Machine it says something about.
    pub property: Option<usize>,
    /// The Machine, in its text form.
    pub machine: String,
    /// Names for what is in it.
    pub labels: Labels,
    /// The run.
    pub run: Run,
}

/// Why a stored run cannot be used, in words.
#[derive(Debug)]
pub struct RunFileError(pub String);

impl RunFile {
    /// Makes the file for the run of an answer; none if the answer has no run.
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
            labels: lowered.labels.in_instance(&lowered.machine, &run.frozen),
            run: run.clone(),
        })
    }

    /// Makes the file for a run that is there for its own sake.
    pub fn of_run(title: String, lowered: &lower::Lowered, run: &Run) -> RunFile {
        RunFile {
            scrutineer_run: VERSION,
            title,
            asked: String::new(),
            answer: "run".into(),
            fair: true,
            property: None,
            machine: lowered.machine.to_string(),
            labels: lowered.labels.in_instance(&lowered.machine, &run.frozen),
            run: run.clone(),
        }
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), RunFileError> {
        let fail = |e: std::io::Error| RunFileError(cannot_write(path, &e));
        let text = serde_json::to_string(self).expect("plain data");
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        write_whole(path, &text).map_err(RunFileError)
    }

    /// Reads one, with its Machine.
    pub fn read(path: &Path) -> Result<(RunFile, Machine), RunFileError> {
        let bad =
            |why: String| RunFileError(format!("{} is not a stored run: {why}", path.display()));
        let text = std::fs::read_to_string(path)
            .map_err(|e| RunFileError(format!("cannot read {}: {e}", path.display())))?;
        // The version first: a file of another version may have another form.
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

    /// Replays its run, and makes sure that it shows what it says.
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

/// Writes a file, whole or not at all; says why it cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let written =
        std::fs::write(&unfinished, text).and_then(|()| std::fs::rename(&unfinished, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&unfinished); // if it is there at all
        cannot_write(path, &error)
    })
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
