//! Checkpoints of a call of `check`: their files, their owners, and when they are written and removed.
//!
//! Each question of a long search has a file of its own beside the stored runs. All files are verified before the search starts: a
//! file that is damaged, or belongs to another model, another call or another version, is refused.

use crate::call::checkpoint_file::{self as file, LogFile};
use crate::call::load::Loaded;
use crate::call::options::Options;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use verdict::{CheckpointStore, Log};

/// The extension of checkpoint files.
const EXTENSION: &str = "checkpoint";

/// At a milestone a checkpoint is due after the usual interval divided by this number.
const MILESTONE_DIVISOR: u32 = 10;

/// The owner of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    /// The version of the tool.
    pub(crate) tool: String,
    /// The name of the model file.
    pub(crate) model: String,
    /// The text of the model.
    pub(crate) text: String,
    /// The options of the call that affect the search.
    pub(crate) call: String,
}

/// The header of a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) owner: Owner,
    /// The number of the check, from 1.
    pub(crate) check: usize,
    /// The question, with everything that the search depends on.
    pub(crate) question: String,
}

/// The checkpoints of a call.
#[derive(Debug)]
pub struct Checkpoints {
    out: PathBuf,
    /// The interval between two checkpoints.
    every: Duration,
    /// The time of the last checkpoint, or the start of the call.
    last: Cell<Instant>,
    /// All files that belong to the call.
    files: RefCell<Vec<PathBuf>>,
    /// Messages for the user, with whether they are important.
    notes: RefCell<Vec<(bool, String)>>,
    /// A search was not finished because a limit was reached.
    limited: Cell<bool>,
}

impl Checkpoints {
    /// Checkpoints in a folder, at most one per interval.
    pub fn new(out: &Path, every: Duration) -> Checkpoints {
        Checkpoints {
            out: out.into(),
            every,
            last: Cell::new(Instant::now()),
            files: RefCell::default(),
            notes: RefCell::default(),
            limited: Cell::default(),
        }
    }

    /// Verifies the existing files before the search starts. Without `resume` there must be none.
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
                self.files.borrow_mut().push(path);
            }
        }
        if resume && self.files.borrow().is_empty() {
            self.note(
                false,
                "there is no checkpoint to go on from: everything begins anew",
            );
        }
        Ok(())
    }

    /// The checkpoint files in a folder.
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
        self.out.join(loaded.stem())
    }

    /// The checkpoints of one check.
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

    /// The messages since the last call, each with whether it is important.
    pub fn notes(&self) -> Vec<(bool, String)> {
        std::mem::take(&mut self.notes.borrow_mut())
    }

    fn note(&self, important: bool, text: &str) {
        let mut notes = self.notes.borrow_mut();
        if !notes.iter().any(|(_, known)| known == text) {
            notes.push((important, text.into()));
        }
    }

    /// Ends the call. If every search was finished, removes the files; otherwise returns the number of remaining files.
    pub fn end(&self) -> usize {
        let files = self.files.take();
        if self.limited.get() {
            return files.iter().filter(|path| path.exists()).count();
        }
        for path in files {
            // The files may not exist.
            let _ = std::fs::remove_file(file::unfinished(&path));
            let _ = std::fs::remove_file(path);
        }
        0
    }
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

/// The checkpoints of one check.
pub struct CheckFiles<'a> {
    all: &'a Checkpoints,
    folder: PathBuf,
    owner: Owner,
    check: usize,
}

impl CheckFiles<'_> {
    /// Records that a limit was reached, so that the files are kept.
    pub(crate) fn limited(&self) {
        self.all.limited.set(true);
    }
}

impl CheckpointStore for CheckFiles<'_> {
    fn log(&self, question: &str) -> Box<dyn Log + '_> {
        let hash = file::checksum(self.check as u64, question.as_bytes());
        let name = format!("{}-{hash:016x}.{EXTENSION}", self.check);
        let path = self.folder.join(name);
        let known = self.all.files.borrow().contains(&path);
        if !known {
            self.all.files.borrow_mut().push(path.clone());
        }
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

/// The checkpoint of one question.
struct KeptFile<'a> {
    all: &'a Checkpoints,
    file: LogFile,
}

impl Log for KeptFile<'_> {
    fn each(&mut self, visit: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
        self.file.each(visit)
    }

    fn refuse(&self, why: &str) -> String {
        self.all.limited.set(true); // the user may want to inspect the file
        match why.starts_with(file::MESSAGE_START) {
            true => why.into(), // the message is complete
            false => file::damaged(&self.file.path, why),
        }
    }

    fn is_due(&self, milestone: bool) -> bool {
        let wait = match milestone {
            true => self.all.every / MILESTONE_DIVISOR,
            false => self.all.every,
        };
        self.all.last.get().elapsed() >= wait
    }

    fn begin(&mut self) {
        self.file.begin();
    }

    fn put(&mut self, record: &[u8]) {
        self.file.put(record);
    }

    fn commit(&mut self) -> bool {
        let committed = self.file.commit();
        self.all.last.set(Instant::now());
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
