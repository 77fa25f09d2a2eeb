//! The question of a call about `.tck` files.

use crate::args::CheckArgs;
use std::path::Path;

/// What is asked.
pub(crate) enum Asked {
    /// Whether a state with all of these labels is reachable; if there are none, only whether the search has an error.
    Reach(Vec<String>),
    /// Whether there is a cycle that has, for each of these lists, a state with all of its labels.
    Live(Vec<Vec<String>>),
}

impl Asked {
    pub(crate) fn new(args: &CheckArgs) -> Result<Asked, String> {
        let live = args.live.iter().map(|text| labels("--live", text));
        let live: Vec<Vec<String>> = live.collect::<Result<_, _>>()?;
        if !live.is_empty() {
            return Ok(Asked::Live(live));
        }
        let reach = args.reach.as_ref().map(|text| labels("--reach", text));
        Ok(Asked::Reach(reach.transpose()?.unwrap_or_default()))
    }

    /// The lists of labels.
    pub(crate) fn lists(&self) -> &[Vec<String>] {
        match self {
            Asked::Reach(labels) => std::slice::from_ref(labels),
            Asked::Live(lists) => lists,
        }
    }

    /// The labels as text.
    pub(crate) fn labels(&self) -> String {
        let lists: Vec<String> = self.lists().iter().map(|list| list.join(", ")).collect();
        lists.join("; ")
    }

    /// The question as text.
    pub(crate) fn text(&self) -> String {
        let verb = match self {
            Asked::Reach(_) => "reach",
            Asked::Live(_) => "live",
        };
        format!("{verb} {}", self.labels()).trim_end().to_string()
    }

    /// The algorithm.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Asked::Reach(_) => "breadth-first search of the zone graph, ExtraLU+, aLU subsumption",
            Asked::Live(_) => {
                "strongly connected components of the zone graph, ExtraLU+, no subsumption"
            }
        }
    }
}

/// The labels of a list such as `a,b`.
fn labels(option: &str, text: &str) -> Result<Vec<String>, String> {
    let labels: Vec<String> = text.split(',').map(|label| label.trim().into()).collect();
    match labels.iter().any(String::is_empty) {
        true => Err(format!(
            "{option}: write labels with commas between them, such as {option} a,b"
        )),
        false => Ok(labels),
    }
}

/// The reason why an option of the call makes no sense for a `.tck` file.
pub(crate) fn refused(args: &CheckArgs) -> Option<&'static str> {
    let given = [
        (
            !args.defines.is_empty(),
            "-D: there are no parameters in a .tck file",
        ),
        (
            args.claim.is_some(),
            "--claim: there are no claims in a .tck file; ask with --reach or --live",
        ),
        (
            args.check.is_some(),
            "--check: there are no checks in a .tck file; ask with --reach or --live",
        ),
        (
            args.threads.is_some(),
            "--threads: .tck files are searched with one thread",
        ),
        (
            args.store.is_some(),
            "--store: the states of .tck files are always stored plainly",
        ),
        (
            args.by.is_some(),
            "--by: there is one method for .tck files",
        ),
        (
            args.out != Path::new("scrutineer-out"),
            "--out: runs of .tck files are not stored",
        ),
        (
            args.checkpoint.is_some(),
            "--checkpoint: there are no checkpoints of .tck files",
        ),
        (
            args.resume,
            "--resume: there are no checkpoints of .tck files",
        ),
    ];
    let found = given.into_iter().find(|(is_given, _)| *is_given);
    found.map(|(_, why)| why)
}
