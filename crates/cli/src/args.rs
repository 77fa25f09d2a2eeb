//! What can be said on the command line.

use clap::{Args as Arguments, Parser, Subcommand};
use lower::Define;
use std::path::PathBuf;
use std::time::Duration;

/// Checks distributed protocols: proves each claim of a model, or shows a run that breaks it.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Answer every check of the models
    Check(CheckArgs),
    /// Tell a stored run again
    Show(ShowArgs),
    /// Explain an error code
    Explain(ExplainArgs),
    /// Print the Machine that a check asks about
    Print(PrintArgs),
    /// Lay out models
    Fmt(FmtArgs),
    /// Write a small model to begin with
    New(NewArgs),
    /// Print what a shell needs to complete commands
    Completions(CompletionsArgs),
    /// Print the manual page, of the whole or of one verb
    Man(ManArgs),
}

#[derive(Arguments)]
#[command(
    after_help = "Exit code: 0 all as expected, 1 a claim failed, an error was found or an answer differs \
from `expect`, 2 the model or the call is wrong, 3 something is unknown."
)]
pub(crate) struct CheckArgs {
    /// Model files, or folders with .scrut files in them
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Set a parameter of the model, for every check; `expect` is then not judged
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
    /// Ask about this claim only
    #[arg(long)]
    pub(crate) claim: Option<String>,
    /// Stop a check after this time, such as 90 (seconds), 500ms, 2min
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Stop a check at this much memory for states, such as 500MB, 8GB; default: three quarters of what is free
    #[arg(long, value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    /// Put stored runs into this folder
    #[arg(long, default_value = "scrutineer-out")]
    pub(crate) out: PathBuf,
    /// Tell every story in full, and say what was visited
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Say everything as JSON instead, in the form of docs/schema/report.schema.json
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write the answers as JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

#[derive(Arguments)]
pub(crate) struct ShowArgs {
    /// A stored run: a .run file that `check` wrote
    pub(crate) run: PathBuf,
    /// Also show every state
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Draw it as a sequence chart into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Make it a page for the browser, in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the run to this file in the Informal Trace Format (ITF), which other tools can show
    #[arg(long, value_name = "FILE")]
    pub(crate) itf: Option<PathBuf>,
}

#[derive(Arguments)]
pub(crate) struct ExplainArgs {
    /// A code such as E0312; without one, all codes are listed
    pub(crate) code: Option<String>,
}

#[derive(Arguments)]
pub(crate) struct PrintArgs {
    /// The model
    pub(crate) file: PathBuf,
    /// Which check, from 1
    #[arg(long, default_value_t = 1)]
    pub(crate) check: usize,
    /// Set a parameter of the model
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
}

#[derive(Arguments)]
#[command(
    after_help = "Lines and columns stay as they are; blanks are put in order, and parentheses are added where \
`always` reaches further than it seems.\n\nExit code: 0 all is laid out, 1 with --check: something is not, 2 a \
model cannot be read or the call is wrong."
)]
pub(crate) struct FmtArgs {
    /// Model files, or folders with .scrut files in them; - lays out standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing: list the files that would change
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Arguments)]
pub(crate) struct NewArgs {
    /// The file to write; one that exists is not touched
    #[arg(default_value = "first.scrut")]
    pub(crate) file: PathBuf,
}

#[derive(Arguments)]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Arguments)]
pub(crate) struct ManArgs {
    /// A verb such as check
    pub(crate) verb: Option<String>,
}

fn define(text: &str) -> Result<Define, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => Ok(Define {
            name: name.trim().into(),
            value: value.trim().into(),
        }),
        _ => Err("write it as -D n=5".into()),
    }
}

/// A number with one of the units behind it.
fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = units
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?
        .1;
    let number: f64 = number.parse().ok()?;
    (number > 0.0).then_some(number * factor)
}

fn duration(text: &str) -> Result<Duration, String> {
    let units = [
        ("", 1.0),
        ("s", 1.0),
        ("ms", 1e-3),
        ("min", 60.0),
        ("h", 3600.0),
    ];
    let seconds = with_unit(text, &units).filter(|s| *s < 1e9);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| {
        "write a positive number of seconds, or a number with ms, s, min or h".into()
    })
}

fn bytes(text: &str) -> Result<u64, String> {
    let units = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)];
    let bytes = with_unit(text, &units).filter(|b| *b < 1e18);
    bytes
        .map(|b| b as u64)
        .ok_or_else(|| "write a positive number with kB, MB, GB or TB, such as 8GB".into())
}
