//! Checkpoints of one call of `check`: names the files, decides when to write them, and removes them at the end.
//!
//! Each question of a long search has its own checkpoint file, in the folder in which runs are stored. Before the
//! search starts, all existing files are verified. A file that is damaged, or was written for another model, other
//! options or another tool version, is refused.

use crate::call::checkpoint_file::{self as file, LogFile};
use crate::call::load::Loaded;
use crate::call::options::Options;
use crate::call::out_folder::out_folder;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use verdict::{CheckpointStore, Log};

/// The extension of checkpoint files.
const EXTENSION: &str = "checkpoint";

/// The interval between two checkpoints, divided by the least time after which a milestone of the search causes a
/// checkpoint.
const MILESTONE_DIVISOR: u32 = 10;

/// What a checkpoint file was written for: tool version, model and options. Only a call with an equal owner may resume
/// from the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    /// The version of the tool.
    pub(crate) tool: String,
    /// The name of the model file, as given in the call.
    pub(crate) model: String,
    /// The text of the model.
    pub(crate) text: String,
    /// The options of the call that affect the search (`-D`, `--claim`, `--by`), as text.
    pub(crate) call: String,
}

/// The first record of a checkpoint file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) owner: Owner,
    /// The number of the check in the model, counted from 1.
    pub(crate) check: usize,
    /// The text that identifies the question: all data that the search depends on.
    pub(crate) question: String,
}

/// The checkpoint files of one call, over all models and checks.
#[derive(Debug)]
pub struct Checkpoints {
    out: PathBuf,
    /// The interval between two checkpoints.
    every: Duration,
    /// When the last checkpoint was written; before the first one, when the call started.
    last: Mutex<Instant>,
    /// The checkpoint files of the call: those found at the start, and one for each question since. A file may not
    /// exist yet.
    files: Mutex<Vec<PathBuf>>,
    /// Messages for the user that `notes` has not yet returned. The flag says whether a message is important.
    notes: Mutex<Vec<(bool, String)>>,
    /// Whether the files are kept at the end: a search reached a limit, or a file was refused.
    limited: AtomicBool,
}

impl Checkpoints {
    /// Checkpoints below the folder `out`, at most one per interval `every`.
    pub fn new(out: &Path, every: Duration) -> Checkpoints {
        Checkpoints {
            out: out.into(),
            every,
            last: Mutex::new(Instant::now()),
            files: Mutex::default(),
            notes: Mutex::default(),
            limited: AtomicBool::default(),
        }
    }

    /// Verifies the existing checkpoint files. Without `resume`, an existing file is an error.
    pub fn look(&self, loaded: &[Loaded], options: &Options, resume: bool) -> Result<(), String> {
        let owners: Vec<Owner> = loaded.iter().map(|l| owner(l, options)).collect();
        let mut folders: Vec<PathBuf> = loaded.iter().map(|l| self.folder(l)).collect();
        folders.sort();
        folders.dedup();
        for folder in &folders {
            let mut files = self.in_folder(folder)?;
            files.sort();
            for path in files {
                if !resume {
                    return Err(format!(
                        "there is a checkpoint of an earlier call, {}: go on from it with --resume, or remove it to begin anew",
                        path.display()
                    ));
                }
                file::read(&path)?.belongs_to(&owners)?;
                locked(&self.files).push(path);
            }
        }
        if resume && locked(&self.files).is_empty() {
            self.note(
                false,
                "there is no checkpoint to go on from: everything begins anew",
            );
        }
        Ok(())
    }

    /// The checkpoint files in a folder; none if the folder does not exist.
    fn in_folder(&self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let entries = match std::fs::read_dir(folder) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|e| format!("cannot read {}: {e}", folder.display()))?,
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        Ok(paths
            .filter(|path| path.extension().is_some_and(|e| e == EXTENSION))
            .collect())
    }

    fn folder(&self, loaded: &Loaded) -> PathBuf {
        out_folder(&self.out, loaded)
    }

    /// The checkpoint files of one check of a model.
    pub(crate) fn of<'a>(
        &'a self,
        loaded: &Loaded,
        number: usize,
        options: &Options,
    ) -> CheckFiles<'a> {
        CheckFiles {
            all: self,
            folder: self.folder(loaded),
            owner: owner(loaded, options),
            check: number + 1,
        }
    }

    /// Returns and removes the messages so far. The flag says whether a message is important.
    pub fn notes(&self) -> Vec<(bool, String)> {
        std::mem::take(&mut *locked(&self.notes))
    }

    fn note(&self, important: bool, text: &str) {
        let mut notes = locked(&self.notes);
        if !notes.iter().any(|(_, known)| known == text) {
            notes.push((important, text.into()));
        }
    }

    /// Ends the call and returns the number of files left behind. If no search reached a limit and no file was refused,
    /// all files are removed and the number is 0.
    pub fn end(&self) -> usize {
        let files = std::mem::take(&mut *locked(&self.files));
        if self.limited.load(Ordering::Relaxed) {
            return files.iter().filter(|path| path.exists()).count();
        }
        for path in files {
            // A file may not exist; that is no error.
            let _ = std::fs::remove_file(file::unfinished(&path));
            let _ = std::fs::remove_file(path);
        }
        0
    }
}

/// Locks a mutex, even if it is poisoned: the data behind the locks of this module is valid after every single write.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn owner(loaded: &Loaded, options: &Options) -> Owner {
    let defines = options.defines.iter();
    let mut call: Vec<String> = defines
        .map(|d| format!("-D {}={}", d.name, d.value))
        .collect();
    call.extend(options.claim.iter().map(|claim| format!("--claim {claim}")));
    let method = strategy::NAMED
        .iter()
        .find(|(_, method)| options.by == Some(*method));
    call.extend(method.map(|(name, _)| format!("--by {name}")));
    Owner {
        tool: env!("CARGO_PKG_VERSION").into(),
        model: loaded.sources.name(loaded.file).into(),
        text: loaded.sources.text(loaded.file).into(),
        call: call.join(" "),
    }
}

/// The checkpoint files of one check.
pub struct CheckFiles<'a> {
    all: &'a Checkpoints,
    folder: PathBuf,
    owner: Owner,
    check: usize,
}

impl CheckFiles<'_> {
    /// Records that a search reached a limit, so that the files are kept.
    pub(crate) fn limited(&self) {
        self.all.limited.store(true, Ordering::Relaxed);
    }
}

impl CheckpointStore for CheckFiles<'_> {
    fn log(&self, question: &str) -> Box<dyn Log + '_> {
        let hash = file::checksum(self.check as u64, question.as_bytes());
        let name = format!("{}-{hash:016x}.{EXTENSION}", self.check);
        let path = self.folder.join(name);
        let mut files = locked(&self.all.files);
        if !files.contains(&path) {
            files.push(path.clone());
        }
        drop(files);
        let header = Header {
            owner: self.owner.clone(),
            check: self.check,
            question: question.into(),
        };
        Box::new(KeptFile {
            all: self.all,
            file: LogFile::new(path, serde_json::to_vec(&header).expect("plain data")),
        })
    }

    fn note(&self, text: &str) {
        self.all
            .note(false, &format!("check {}: {text}", self.check));
    }
}

/// The log of one question in its checkpoint file.
struct KeptFile<'a> {
    all: &'a Checkpoints,
    file: LogFile,
}

impl Log for KeptFile<'_> {
    fn each(&mut self, visit: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
        self.file.each(visit)
    }

    fn refuse(&self, why: &str) -> String {
        self.all.limited.store(true, Ordering::Relaxed); // keeps the files: the user may want to inspect the refused one
        match why.starts_with(file::MESSAGE_START) {
            true => why.into(), // the message already names the file
            false => file::damaged(&self.file.path, why),
        }
    }

    fn is_due(&self, milestone: bool) -> bool {
        let wait = match milestone {
            true => self.all.every / MILESTONE_DIVISOR,
            false => self.all.every,
        };
        locked(&self.all.last).elapsed() >= wait
    }

    fn begin(&mut self) {
        self.file.begin();
    }

    fn put(&mut self, record: &[u8]) {
        self.file.put(record);
    }

    fn commit(&mut self) -> bool {
        let committed = self.file.commit();
        *locked(&self.all.last) = Instant::now();
        if let Err(error) = &committed {
            let before = match self.file.path.exists() {
                true => "what was kept before is still there",
                false => "nothing is kept so far",
            };
            let path = self.file.path.display();
            self.all.note(
                true,
                &format!(
                    "cannot write the checkpoint {path}: {error}; the search goes on, and {before}"
                ),
            );
        }
        committed.is_ok()
    }
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;
