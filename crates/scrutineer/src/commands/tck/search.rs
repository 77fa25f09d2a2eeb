//! The search for the answer about a `.tck` file, within limits.

use crate::commands::tck::asked::Asked;
use crate::commands::tck::{File, SUBSUMPTION, is_set};
use crate::console::progress::ProgressLine;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tck::{Error, NoRun, Progress, Query, Run, System, Unknown};
use verdict::Spent;

/// The limits of a search.
pub(crate) struct Limits<'a> {
    pub(crate) time: Option<Duration>,
    /// The limit of memory in bytes.
    pub(crate) memory: Option<u64>,
    pub(crate) interrupted: &'a AtomicBool,
}

/// The outcome for a file.
pub(crate) enum Outcome {
    Searched(Box<Searched>),
    /// The file has an error.
    Wrong(Error),
    /// The file cannot be read, or has no such label.
    Refused(String),
}

/// A search that has finished or was ended by a limit.
pub(crate) struct Searched {
    pub(crate) answer: Answer,
    pub(crate) progress: Progress,
    pub(crate) took: Duration,
    pub(crate) has_initial_state: bool,
}

/// The answer to a question.
pub(crate) enum Answer {
    Yes(Run),
    No,
    /// An error of the model in a reachable state, and a run to the state.
    Error(Error, Option<Run>),
    Unknown(String),
    Limit(Spent),
}

/// Reads a file and answers the question.
pub(crate) fn answer(path: &Path, file: &mut File, asked: &Asked, limits: &Limits<'_>) -> Outcome {
    let since = Instant::now();
    let mut progress = Progress::default();
    let mut has_initial_state = true;
    let mut line = ProgressLine::new(file.name.clone(), limits.memory);
    let found = {
        let mut may_continue = |now: &Progress| {
            progress = *now;
            line.update(&verdict::Progress {
                states: now.stored as u64,
                waiting: now.waiting as u64,
                transitions: now.transitions as u64,
                depth: now.depth as u64,
                memory: now.bytes as u64,
                ..verdict::Progress::default()
            });
            limits.memory.is_none_or(|most| now.bytes as u64 <= most)
        };
        checks::within(limits.time, limits.memory, limits.interrupted, || {
            let text = checks::read_text(path).map_err(Outcome::Refused)?;
            file.number = Some(file.sources.add(&file.name[..], &text[..]));
            let system = tck::parse(&text).map_err(Outcome::Wrong)?;
            has_initial_state = system.has_initial_state();
            let queries = queries(&system, asked, &file.name).map_err(Outcome::Refused)?;
            Ok(search(&system, asked, &queries, &mut may_continue))
        })
    };
    drop(line);
    let answer = match found {
        Ok(Ok((answer, end))) => {
            progress = end.unwrap_or(progress);
            answer
        }
        Ok(Err(outcome)) => return outcome,
        Err(spent) => Answer::Limit(spent),
    };
    // The search was told to end at the limit of memory.
    let answer = match (answer, limits.memory) {
        (Answer::Limit(_), _) if is_set(limits.interrupted) => Answer::Limit(Spent::Interrupted),
        (Answer::Limit(Spent::Brief), Some(most)) => Answer::Limit(Spent::Memory(most)),
        (answer, _) => answer,
    };
    Outcome::Searched(Box::new(Searched {
        answer,
        progress,
        took: since.elapsed(),
        has_initial_state,
    }))
}

/// The queries of a question. The error is a message about a label that no location has.
fn queries(system: &System, asked: &Asked, name: &str) -> Result<Vec<Query>, String> {
    let query = |labels: &Vec<String>| {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let query = system.query(&labels);
        query.map_err(|label| {
            let hint = match model::nearest(label, system.labels()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            format!("no location in {name} has the label `{label}`{hint}")
        })
    };
    asked.lists().iter().map(query).collect()
}

/// The answer, and the counts of a finished search.
fn search(
    system: &System,
    asked: &Asked,
    queries: &[Query],
    may_continue: &mut tck::MayContinue<'_>,
) -> (Answer, Option<Progress>) {
    let mut last = Progress::default();
    let mut noting = |now: &Progress| {
        last = *now;
        may_continue(now)
    };
    let found = match asked {
        Asked::Reach(_) => {
            let found = tck::reach(system, &queries[0], SUBSUMPTION, &mut noting);
            found.map(|found| (found.path, found.stored, found.visited, found.transitions))
        }
        Asked::Live(_) => {
            let found = tck::cycle(system, queries, &mut noting);
            found.map(|found| (found.path, found.stored, found.stored, found.transitions))
        }
    };
    let (path, stored, visited, transitions) = match found {
        Ok(found) => found,
        Err(why) => return (unknown(system, why), None),
    };
    let counts = Progress {
        stored,
        visited,
        transitions,
        waiting: 0,
        ..last
    };
    let run = path.map(|path| path.run(system, queries)).transpose();
    let answer = match run {
        Ok(Some(run)) => Answer::Yes(run),
        Ok(None) => Answer::No,
        Err(why @ (NoRun::NoTimes | NoRun::Rejected(_))) => {
            Answer::Unknown(format!("{why}; this is a defect of Scrutineer"))
        }
        Err(why) => Answer::Unknown(why.to_string()),
    };
    (answer, Some(counts))
}

fn unknown(system: &System, why: Unknown) -> Answer {
    match why {
        Unknown::Fault(error, path) => {
            let run = path.and_then(|path| path.run(system, &[]).ok());
            Answer::Error(error, run)
        }
        Unknown::Cancelled => Answer::Limit(Spent::Brief),
        other => Answer::Unknown(other.to_string()),
    }
}
