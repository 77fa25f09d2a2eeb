//! The paths of the stored runs and proofs of a check: each has a file of its own, and a run that decides several
//! claims is stored once.

use checks::{Asked, CheckReport, InstanceReport, Loaded};
use std::path::{Path, PathBuf};
use verdict::Run;

/// The files of one check.
pub(crate) struct Places {
    folder: PathBuf,
    number: usize,
    taken: Vec<PathBuf>,
    /// Rendered runs to errors: the instance, the run, the question, and the path.
    errors: Vec<(usize, Run, String, PathBuf)>,
}

impl Places {
    /// The paths of a check, none taken.
    pub(crate) fn new(out: &Path, loaded: &Loaded, report: &CheckReport) -> Places {
        Places {
            folder: out.join(loaded.stem()),
            number: report.number + 1,
            taken: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Removes the files that an earlier invocation stored for this question: they may be out of date.
    pub(crate) fn remove_old(&self, asked: &Asked) {
        let name = self.name(asked);
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return; // no file exists yet
        };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let kinds = ["run", "html", "proof"];
            let kind = path.extension().and_then(|kind| kind.to_str());
            let stored = kind.is_some_and(|kind| kinds.contains(&kind));
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let behind = stem.and_then(|stem| stem.strip_prefix(&name[..]));
            if stored && behind.is_some_and(|rest| rest.is_empty() || rest.starts_with('@')) {
                // If the file cannot be removed, writing the new one reports the error.
                let _ = std::fs::remove_file(path);
            }
        }
    }

    /// The path of a file of a sort: the first one of a question has its name, others name their instance.
    pub(crate) fn take(&mut self, asked: &Asked, instance: &InstanceReport, kind: &str) -> PathBuf {
        let name = self.name(asked);
        let set = instance.request.set.iter();
        let set: Vec<String> = set.map(|(n, v)| format!("{n}={v}")).collect();
        let full = format!("{name}@{}", set.join(","));
        let numbered = (2..).map(|again| format!("{full}@{again}"));
        let names = [name, full.clone()].into_iter().chain(numbered);
        let mut places = names.map(|name| self.folder.join(format!("{name}.{kind}")));
        let free = places.find(|place| !self.taken.contains(place));
        let free = free.expect("numbers do not end");
        self.taken.push(free.clone());
        free
    }

    /// Records a rendered run to an error.
    pub(crate) fn record(&mut self, instance: usize, run: &Run, asked: &Asked, place: PathBuf) {
        let error = (instance, run.clone(), asked.text.clone(), place);
        self.errors.push(error);
    }

    /// A reference to a run to an error, if it was rendered before.
    pub(crate) fn reference(&self, instance: usize, run: &Run) -> Option<String> {
        let same = |(i, known, ..): &&(usize, Run, String, PathBuf)| *i == instance && known == run;
        let (_, _, asked, place) = self.errors.iter().find(same)?;
        let place = place.display();
        Some(format!(
            "the same run as for {asked}: scrutineer show {place}"
        ))
    }

    /// The number of the check, and its question in characters that every file system accepts.
    fn name(&self, asked: &Asked) -> String {
        let mut name = self.number.to_string();
        if asked.possible {
            name.push_str("-possible");
            return name;
        }
        let words = asked
            .text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty());
        for word in words {
            name.push('-');
            name.push_str(word);
        }
        name
    }
}
