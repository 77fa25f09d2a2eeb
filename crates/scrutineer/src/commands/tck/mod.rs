//! `check FILE.tck`: questions about timed automata in the TChecker format.

mod asked;
mod data;
mod search;
mod story;

use crate::args::CheckArgs;
use crate::commands::tck::asked::{Asked, refused};
use crate::commands::tck::search::{Answer, Limits, Outcome, Searched, answer};
use crate::console::lines::Mark;
use crate::console::{diagnostics, interrupt, lines};
use crate::results::json;
use crate::results::junit::{Junit, Suite};
use crate::{Exit, complain};
use ::tck::{Progress, Subsumption};
use checks::{Judgement, TotalTime};
use source::{Diagnostic, Sources};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use verdict::Spent;

/// The subsumption between states in a search for a state with labels. It stores the fewest states.
const SUBSUMPTION: Subsumption = Subsumption::Alu;

/// Answers the question about the `.tck` files of the call and returns the exit code. `None` if the call is about models.
pub(crate) fn check_if_asked(args: &CheckArgs, files: &[PathBuf]) -> Option<Exit> {
    let is_tck = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "tck");
    let Some(first) = files.iter().find(is_tck) else {
        let option = args.reach.as_ref().map(|_| "--reach");
        let option = option.or_else(|| (!args.live.is_empty()).then_some("--live"))?;
        return Some(complain(&format!(
            "{option} is about .tck files; a model says itself what is checked: `check possible: …`, `check CLAIM`"
        )));
    };
    if let Some(model) = files.iter().find(|file| !is_tck(file)) {
        return Some(complain(&format!(
            "{} and {} are different kinds of files: check them with two calls",
            first.display(),
            model.display()
        )));
    }
    if let Some(why) = refused(args) {
        return Some(complain(&format!("{}: {why}", first.display())));
    }
    Some(match Asked::new(args) {
        Ok(asked) => check(args, &asked, files),
        Err(why) => complain(&why),
    })
}

/// A file that is checked, with its text if it was read.
struct File {
    name: String,
    stem: String,
    sources: Sources,
    number: Option<source::FileId>,
}

impl File {
    fn new(path: &Path) -> File {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        File {
            name: path.display().to_string(),
            stem: stem.unwrap_or_default().into_owned(),
            sources: Sources::default(),
            number: None,
        }
    }

    /// The error as a diagnostic about the word at its place.
    fn diagnostic(&self, error: &::tck::Error) -> Option<Diagnostic> {
        let file = self.number?;
        let rest = self.sources.text(file).get(error.offset..)?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let first = rest.chars().next().filter(|c| *c != '\n');
        let length = word.max(first.map_or(0, char::len_utf8));
        let (start, end) = (error.offset as u32, (error.offset + length) as u32);
        let span = source::Span::new(file, start, end);
        Some(Diagnostic::error(
            diagnostics::NO_CODE,
            span,
            &error.message[..],
        ))
    }
}

fn check(args: &CheckArgs, asked: &Asked, files: &[PathBuf]) -> Exit {
    let interrupted = interrupt::listen(|| {});
    let total = args.total_time;
    let total = total.map(|total| TotalTime::new(total, files.len() as u32));
    let mut exit = Exit::Good;
    let mut junit = Junit::default();
    let mut reports = Vec::new();
    for path in files {
        let share = total.as_ref().map(TotalTime::share);
        let limits = Limits {
            time: args.time.into_iter().chain(share).min(),
            memory: args.memory.or_else(crate::args::default_memory),
            interrupted: &interrupted,
        };
        let mut file = File::new(path);
        let outcome = answer(path, &mut file, asked, &limits);
        exit = exit.and(outcome.exit());
        let mut suite = Suite::default();
        match &outcome {
            Outcome::Searched(searched) => {
                let (judgement, text) = (searched.judgement(), searched.sentence(asked));
                let name = format!("check 1: {}", asked.text());
                let seconds = searched.took.as_secs_f64();
                suite.case(&file.stem, &name, seconds, judgement, &text);
            }
            Outcome::Wrong(error) => suite.problem(&error.message),
            Outcome::Refused(why) => suite.problem(why),
        }
        junit.add(&file.name, suite);
        match args.json {
            true => reports.push(data::file(&file, asked, &outcome)),
            false => print(args, &file, asked, &outcome),
        }
    }
    if let Some(path) = &args.junit {
        exit = exit.and(junit.write(path));
    }
    if args.json {
        return json::print_report(reports, &interrupted, exit);
    }
    if interrupted.load(Ordering::Relaxed) {
        anstream::println!("interrupted: what is marked ? was not finished");
    }
    exit
}

/// Prints the answer about a file.
fn print(args: &CheckArgs, file: &File, asked: &Asked, outcome: &Outcome) {
    let searched = match outcome {
        Outcome::Searched(searched) => searched,
        Outcome::Wrong(error) => {
            diagnostics::print(&file.sources, file.diagnostic(error).as_slice());
            anstream::println!("{}: not checked: 1 problem, see above", file.name);
            return;
        }
        Outcome::Refused(why) => {
            complain(why);
            return;
        }
    };
    if let Answer::Error(error, _) = &searched.answer {
        diagnostics::print(&file.sources, file.diagnostic(error).as_slice());
    }
    anstream::println!("{}", file.name);
    let mark = match searched.judgement() {
        Judgement::Good => Mark::Good,
        Judgement::Bad => Mark::Bad,
        Judgement::Unknown => Mark::Unknown,
    };
    let (what, covers) = (searched.sentence(asked), searched.covers());
    let seconds = searched.took.as_secs_f64();
    lines::verdict(mark, &what, &covers, Some(seconds));
    match &searched.answer {
        Answer::Yes(run) => story::print(run, args.verbose),
        Answer::Error(_, Some(run)) => {
            story::print(run, args.verbose);
            lines::detail("an edge that leaves this state has the error");
        }
        Answer::No if !searched.has_initial_state => {
            lines::detail("the system has no initial state: a process has no initial location");
        }
        Answer::Unknown(why) => lines::detail(why),
        Answer::Limit(spent) => {
            lines::detail(&report::spent(spent));
            let next = match spent {
                Spent::Time(limit) if args.time == Some(*limit) => "more time (`--time`)",
                Spent::Time(_) => "more time (`--total-time`)",
                Spent::Memory(_) => "more memory (`--memory`)",
                _ => return,
            };
            lines::detail(&format!("what to try next: {next}"));
        }
        _ => {}
    }
    if args.verbose {
        let Progress { depth, bytes, .. } = searched.progress;
        let bytes = lines::bytes(bytes as u64);
        lines::aside(&format!("  {}, depth {depth}, {bytes}", asked.method()));
    }
}

/// Whether a limit or a signal has set the flag.
fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

impl Outcome {
    fn exit(&self) -> Exit {
        match self {
            Outcome::Searched(searched) => Exit::of(searched.judgement()),
            Outcome::Wrong(_) | Outcome::Refused(_) => Exit::Wrong,
        }
    }
}

impl Searched {
    fn judgement(&self) -> Judgement {
        match self.answer {
            Answer::Yes(_) | Answer::No => Judgement::Good,
            Answer::Error(..) => Judgement::Bad,
            Answer::Unknown(_) | Answer::Limit(_) => Judgement::Unknown,
        }
    }

    /// The verdict.
    fn sentence(&self, asked: &Asked) -> String {
        let labels = asked.labels();
        match (&self.answer, asked) {
            (Answer::Yes(_), Asked::Reach(_)) => format!("reachable: {labels}"),
            (Answer::Yes(_), Asked::Live(_)) => format!("cycle: {labels}"),
            (Answer::No, Asked::Reach(some)) if some.is_empty() => {
                "not reachable: no label is asked about".into()
            }
            (Answer::No, Asked::Reach(_)) => format!("not reachable: {labels}"),
            (Answer::No, Asked::Live(_)) => format!("no cycle: {labels}"),
            (Answer::Error(error, _), _) => format!(
                "error in line {}, column {}: {}",
                error.line, error.column, error.message
            ),
            (Answer::Unknown(_) | Answer::Limit(_), _) => format!("{} unknown", asked.text()),
        }
    }

    /// What was explored.
    fn covers(&self) -> String {
        let Progress {
            stored,
            visited,
            transitions,
            ..
        } = self.progress;
        format!(
            "{} stored, {visited} visited, {}",
            lines::many(stored as u64, "state"),
            lines::many(transitions as u64, "transition")
        )
    }
}
