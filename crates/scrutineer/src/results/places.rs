//! The paths of the stored runs and proofs of a check. Each has its own file, but a run that ends in an error and
//! answers several questions is stored only once.

use checks::{Asked, CheckReport, InstanceReport, Loaded};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use verdict::Run;

/// The paths of the files of one check.
pub(crate) struct Places {
    folder: PathBuf,
    /// The path of the model.
    model: PathBuf,
    number: usize,
    taken: HashSet<PathBuf>,
    /// The runs that end in an error and were already shown: the index of the instance, the run, the question, and the
    /// path.
    errors: Vec<(usize, Run, String, PathBuf)>,
}

impl Places {
    /// The paths for a check, with none taken yet.
    pub(crate) fn new(out: &Path, loaded: &Loaded, report: &CheckReport) -> Places {
        Places {
            folder: checks::out_folder(out, loaded),
            model: loaded.path(),
            number: report.number + 1,
            taken: HashSet::new(),
            errors: Vec::new(),
        }
    }

    /// Removes the files that an earlier call stored for this question, because they may be out of date.
    pub(crate) fn remove_old(&self, asked: &Asked) {
        let name = self.name(asked);
        remove(&self.folder, |question| question == name);
    }

    /// An unused path for a file of this kind. The first file of a question is named after the question; the others
    /// also name their instance.
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
        self.taken.insert(free.clone());
        checks::mark_folder(&self.folder, &self.model);
        free
    }

    /// Records that a run that ends in an error was shown and stored.
    pub(crate) fn record(&mut self, instance: usize, run: &Run, asked: &Asked, place: PathBuf) {
        let error = (instance, run.clone(), asked.text.clone(), place);
        self.errors.push(error);
    }

    /// A text that refers to a run that ends in an error, if the same run was already shown for another question.
    pub(crate) fn reference(&self, instance: usize, run: &Run) -> Option<String> {
        let same = |(i, known, ..): &&(usize, Run, String, PathBuf)| *i == instance && known == run;
        let (_, _, asked, place) = self.errors.iter().find(same)?;
        let place = place.display();
        Some(format!(
            "the same run as for {asked}: scrutineer show {place}"
        ))
    }

    fn name(&self, asked: &Asked) -> String {
        name(self.number, asked)
    }
}

/// The number of the check and the text of the question, with only characters that every file system accepts.
fn name(number: usize, asked: &Asked) -> String {
    let mut name = number.to_string();
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

/// Removes the files of questions that the model no longer asks. Files whose names do not begin with the number of a
/// check were not written by `check` and are kept.
pub(crate) fn remove_stale(out: &Path, loaded: &Loaded) {
    let checks = 0..loaded.model.checks.len();
    let known: Vec<String> = checks
        .flat_map(|check| {
            let asked = checks::asked(loaded, check).into_iter();
            asked.map(move |asked| name(check + 1, &asked))
        })
        .collect();
    let of_check = |question: &str| {
        let number = question.split('-').next().unwrap_or_default();
        !number.is_empty()
            && number.len() < question.len()
            && number.chars().all(|c| c.is_ascii_digit())
    };
    remove(&checks::out_folder(out, loaded), |question| {
        of_check(question) && !known.iter().any(|name| name == question)
    });
}

/// Removes the stored files of the questions that `old` accepts by the names of their files.
fn remove(folder: &Path, old: impl Fn(&str) -> bool) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return; // the folder does not exist yet
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let kinds = ["run", "html", "proof"];
        let kind = path.extension().and_then(|kind| kind.to_str());
        let stored = kind.is_some_and(|kind| kinds.contains(&kind));
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let question = stem.and_then(|stem| stem.split('@').next());
        if stored && question.is_some_and(&old) {
            // If the file cannot be removed, writing the new one reports the error.
            let _ = std::fs::remove_file(path);
        }
    }
}
