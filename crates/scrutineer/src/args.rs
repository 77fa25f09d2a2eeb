//! The command-line arguments. The doc comments of types, variants and fields are the help texts of the program.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as Arguments, Parser, Subcommand};
use lower::Define;
use std::path::PathBuf;
use std::time::Duration;
use strategy::Method;
use verdict::Storage;

/// Checks distributed protocols: proves each claim of a model, or shows a run that breaks it.
#[derive(Parser)]
#[command(name = "scrutineer", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Answer every check of the models
    Check(CheckArgs),
    /// Execute a model once: at random, or interactively
    Run(RunArgs),
    /// Execute a model many times at random, and count how often its checks fail or are reached
    Simulate(SimulateArgs),
    /// Generate test vectors for the code of a node
    Tests(TestsArgs),
    /// Replay a stored run and print its story
    Show(ShowArgs),
    #[command(about = "Check stored proofs again, without whoever found them")]
    Audit(AuditArgs),
    /// Explain an error code, a word of the language, or why a claim of a model is true
    Explain(ExplainArgs),
    /// Print the Machine of a check, which all engines read
    Print(PrintArgs),
    /// Format models
    Fmt(FmtArgs),
    /// Write a small model to start from
    New(NewArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of one command
    Man(ManArgs),
}

#[derive(Arguments)]
#[command(
    after_help = "Exit code: 0 all as expected, 1 a claim failed, an error was found or an answer differs \
from `expect`, 2 the model or the call is wrong, 3 something is unknown, 4 two methods contradict each other: a bug. A question about a .tck file is answered \
by yes and by no, so both are 0.\n\nA search that takes hours had better be called \
with --checkpoint: then whatever ends it, the same call with --resume goes on from there, and comes to the same answers \
and counts. docs/checkpoints.md says more."
)]
// Plain data: one field per option of the command line.
pub(crate) struct CheckArgs {
    /// Model files, or folders that contain .scrut files; or timed automata, .tck files (docs/tck.md)
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Of a .tck file: is a state reachable whose locations have all of these labels? Such as --reach cs1,cs2
    #[arg(long, value_name = "LABELS", conflicts_with = "live")]
    pub(crate) reach: Option<String>,
    /// Of a .tck file: is there an infinite run that is again and again in a state with all of these labels? If given
    /// several times: in a state for each of them
    #[arg(long, value_name = "LABELS")]
    pub(crate) live: Vec<String>,
    /// Set a parameter of the model in every check; answers are then not compared with `expect`
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
    /// Check this claim only
    #[arg(long)]
    pub(crate) claim: Option<String>,
    /// Run only the check with this number, from 1 in the order of the file
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) check: Option<u32>,
    /// Stop a check after this time, such as 90 (seconds), 500ms, 2min
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Share this time among all checks: each check gets at most an equal part of the time that is left, so later
    /// checks can use the time that a quick check leaves; --time limits each check in addition
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) total_time: Option<Duration>,
    /// Stop a check when its states need this much memory, such as 500MB, 8GB; default: three quarters of the free
    /// memory
    #[arg(long, value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    /// Use this number of threads where possible; default: the number of processors. It does not change answers
    #[arg(long, value_name = "NUMBER", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// How visited states are stored: `plain`; `compressed` (less memory, more time); or `hashes` (least memory), which
    /// may miss states and therefore proves nothing. `hashes:48` stores 48 bits of each hash. Default: plain, and
    /// compressed when memory runs out
    #[arg(long, value_name = "HOW", value_parser = storage)]
    pub(crate) store: Option<Storage>,
    /// For experiments: use this method only; questions that it does not answer are unknown
    #[arg(long, value_name = "METHOD", value_parser = method())]
    pub(crate) by: Option<Method>,
    /// Store runs in this folder; not with --json, which stores nothing
    #[arg(long, default_value = "scrutineer-out")]
    pub(crate) out: PathBuf,
    /// Write checkpoints of long searches to the folder of stored runs, at most one per this time, such as
    /// --checkpoint=30s or 10min; without a time, one per 5min
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "5min",
          value_parser = duration)]
    pub(crate) checkpoint: Option<Duration>,
    /// Resume from the checkpoints of an earlier call with --checkpoint that was killed, interrupted, or ended by
    /// --time or --memory
    #[arg(long)]
    pub(crate) resume: bool,
    /// Print every story in full, and the methods and counts of each check
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Print answers and runs as JSON instead, in the form of docs/schema/report.schema.json
    #[arg(long, conflicts_with = "out")]
    pub(crate) json: bool,
    /// Also write the answers as JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

#[derive(Arguments)]
#[command(
    after_help = "There need be no claim and no check in the model: without --check it runs as it stands, with the \
values that its parameters have in the text. At random, everything that is possible is equally likely: the \
arrangement of ids, first values, and at each step what happens next. No claim is judged.\n\nExit code: 0 the \
run was told, 1 it ends in an error of the model, 2 the model or the call is wrong, 3 a limit or an \
interrupt ended it."
)]
pub(crate) struct RunArgs {
    /// The model
    pub(crate) model: PathBuf,
    /// Choose each event yourself; `help` lists the commands
    #[arg(long)]
    pub(crate) by_hand: bool,
    /// Execute the model as the check with this number configures it: world, variants, parameters, assumptions
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["world", "variants"])]
    pub(crate) check: Option<usize>,
    /// Execute the model in this world
    #[arg(long = "in", value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Execute the model with this variant of a node
    #[arg(long = "with", value_name = "VARIANT")]
    pub(crate) variants: Vec<String>,
    /// Set a parameter of the model
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
    /// The seed: the same number gives the same run; default: a random seed, which is printed
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Stop after this number of events, unless the run ends earlier
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = steps, conflicts_with = "by_hand")]
    pub(crate) steps: usize,
    /// Stop after this time, such as 90 (seconds), 500ms, 2min
    #[arg(long, value_parser = duration, conflicts_with = "by_hand")]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    /// Store the run in this folder
    #[arg(long, default_value = "scrutineer-out")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

#[derive(Arguments)]
#[command(
    after_help = "With times, each node draws when its next activation is, half of the time as early or as late as \
can be; what has no time of its own happens at any time. Without times everything that is possible is equally \
likely. A claim about every state fails in a run if it is false in one of its states. A simulation proves \
nothing: runs that were not drawn may fail.\n\nWithout --steps a run has at least 60 events, and about 10 \
activations of each node more than the claim speaks of; if nodes have no rhythm, at most 1000 \
events.\n\nExit code: 0 nothing was seen that `expect` rules out, 1 a run breaks a claim that should hold, or \
ends in an error, 2 the model or the call is wrong, 3 it was interrupted or ran out of time."
)]
pub(crate) struct SimulateArgs {
    /// The model
    pub(crate) model: PathBuf,
    /// Simulate only the check with this number, from 1
    #[arg(long, value_name = "NUMBER")]
    pub(crate) check: Option<usize>,
    /// Evaluate this claim only
    #[arg(long)]
    pub(crate) claim: Option<String>,
    /// Set a parameter of the model; answers are then not compared with `expect`
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
    /// The number of runs for each choice of parameters
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = runs)]
    pub(crate) runs: u64,
    /// The seed: the same number gives the same runs; default: a random seed, which is printed
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Stop each run after this number of events
    #[arg(long, value_name = "NUMBER", value_parser = steps)]
    pub(crate) steps: Option<usize>,
    /// Stop a check after this time, such as 90 (seconds), 500ms, 2min
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    /// Store runs and histograms in this folder
    #[arg(long, default_value = "scrutineer-out")]
    pub(crate) out: PathBuf,
}

#[derive(Arguments)]
#[command(
    after_help = "A vector is what a node's code does once: state, inbox and message before; state and messages sent \
after. Together the vectors meet every outcome of every decision in the code, or the outcome is proved to be \
unreachable. Each was replayed on the reference interpreter. vectors.json is for a test of an implementation, in the \
form of docs/schema/vectors.schema.json; coverage.txt says what is covered. docs/test-vectors.md shows how to use \
them.\n\nExit code: 0 every outcome is covered or unreachable, 2 the model or the call is wrong, 3 something is unknown."
)]
pub(crate) struct TestsArgs {
    /// The model
    pub(crate) model: PathBuf,
    /// The kind of node; optional if there is only one
    #[arg(long, value_name = "KIND")]
    pub(crate) node: Option<String>,
    /// Use this world
    #[arg(long = "in", value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Use this variant of a node
    #[arg(long = "with", value_name = "VARIANT")]
    pub(crate) variants: Vec<String>,
    /// Set a parameter of the model
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
    /// Stop after this time, such as 90 (seconds), 500ms, 2min
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    /// Write the files to this folder; default: scrutineer-out/MODEL/KIND
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Arguments)]
pub(crate) struct ShowArgs {
    /// A stored run: a .run file that `check`, `simulate` or `run` wrote
    pub(crate) run: PathBuf,
    /// Print every event, also events without a lasting effect
    #[arg(short, long)]
    pub(crate) all: bool,
    /// Also print every state
    #[arg(short, long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

/// The limit of memory of the commands other than `check`.
#[derive(Arguments)]
pub(crate) struct MemoryArgs {
    /// Stop when the process needs this much memory, such as 500MB, 8GB; default: three quarters of the free memory
    #[arg(long, value_parser = bytes)]
    memory: Option<u64>,
}

impl MemoryArgs {
    /// The limit in bytes; `None` if none is given and the free memory is not known.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.memory.or_else(default_memory)
    }
}

/// The limit of memory without the option: three quarters of the free memory.
pub(crate) fn default_memory() -> Option<u64> {
    checks::available_memory().map(|free| free / 4 * 3)
}

/// Further forms in which a run is written.
#[derive(Arguments)]
pub(crate) struct PictureArgs {
    /// Write the run to this file as a sequence chart
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the run to this file as a page for the browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the run to this file in the Informal Trace Format (ITF), which other tools can show
    #[arg(long, value_name = "FILE")]
    pub(crate) itf: Option<PathBuf>,
}

#[derive(Arguments)]
#[command(
    after_help = "Nothing that a proof says is believed: docs/evidence.md says what is checked, and what one still has \
to trust.\n\nExit code: 0 everything is proved, 1 something is not, or a file was changed or is of another version, 2 a file \
cannot be read, 3 a limit or an interrupt ended an audit: that proof was not checked."
)]
pub(crate) struct AuditArgs {
    /// Stored proofs: .proof files that `check` wrote
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Stop the audit of a proof after this time, such as 90 (seconds), 500ms, 2min; the proof is then unchecked
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

#[derive(Arguments)]
#[command(
    after_help = "With a model, explain says why a claim is true, or shows why it is not: `scrutineer explain model.scrut \
\"elected(4)\"`. The claim is written as a check asks about it; where a check seeks a value, also with the value that it finds. \
A stored proof is explained without a search.\n\nExit code: 0 it was explained, 2 the model or the call is wrong, 3 the answer \
is not known."
)]
pub(crate) struct ExplainArgs {
    /// A code such as E0312; a word of the language such as fifo; a model and a claim; or a stored proof. Without an
    /// argument, all codes are listed
    #[arg(value_name = "CODE|WORD|MODEL CLAIM|PROOF")]
    pub(crate) about: Vec<String>,
    /// The number of the check, from 1, if several ask about the claim
    #[arg(long, value_name = "NUMBER")]
    pub(crate) check: Option<usize>,
    /// Set a parameter of the model
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
    /// Stop after this time, such as 90 (seconds), 500ms, 2min
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

#[derive(Arguments)]
#[command(
    after_help = "A Machine is what becomes of a model before anything is searched: one check for one choice of \
parameters, with every node, channel, variable and block spelt out and no abbreviation left. Its text form says \
exactly what is checked; tests/machine/README.md describes it. Of a check with several instances the first is \
printed; -D picks another. Where nodes have real times it says first how far numbers of activations can differ."
)]
pub(crate) struct PrintArgs {
    /// The model
    pub(crate) file: PathBuf,
    /// The number of the check, from 1
    #[arg(long, default_value_t = 1)]
    pub(crate) check: usize,
    /// Set a parameter of the model
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<Define>,
    /// Stop after this time, such as 90 (seconds), 500ms, 2min
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

#[derive(Arguments)]
#[command(
    after_help = "Lines and columns stay as they are; blanks are put in order, and parentheses are added where \
`always` reaches further than it seems.\n\nExit code: 0 all is laid out, 1 with --check: something is not, 2 a \
model cannot be read or the call is wrong."
)]
pub(crate) struct FmtArgs {
    /// Model files, or folders that contain .scrut files; - formats standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing: list the files that would change
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Arguments)]
pub(crate) struct NewArgs {
    /// The file to write; an existing file is not overwritten
    #[arg(default_value = "first.scrut")]
    pub(crate) file: PathBuf,
}

#[derive(Arguments)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Arguments)]
pub(crate) struct ManArgs {
    /// A command such as check
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

fn storage(text: &str) -> Result<Storage, String> {
    let few = "write plain, compressed, hashes, or hashes with a number of bits from 32 to 64, such as hashes:48";
    match text.split_once(':') {
        None if text == "plain" => Ok(Storage::Plain),
        None if text == "compressed" => Ok(Storage::Compressed),
        None if text == "hashes" => Ok(Storage::Hashes(u64::BITS)),
        Some(("hashes", bits)) => {
            let bits = bits.parse().ok().filter(|bits| (32..=64).contains(bits));
            bits.map(Storage::Hashes).ok_or_else(|| few.into())
        }
        _ => Err(few.into()),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=256).contains(n));
    number.ok_or_else(|| "write a whole number from 1 to 256".into())
}

fn seed(text: &str) -> Result<u64, String> {
    let number = text.parse();
    number.map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

fn runs(text: &str) -> Result<u64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|n| (1..=1_000_000_000).contains(n));
    number.ok_or_else(|| "write a whole number from 1 to 1000000000".into())
}

fn steps(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=1_000_000).contains(n));
    number.ok_or_else(|| "write a whole number from 1 to 1000000".into())
}

/// Parses a positive number followed by one of the units; the result is in the unit with factor 1.
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

/// The parser for the method names of `--by`.
fn method() -> impl TypedValueParser<Value = Method> {
    let named = strategy::NAMED;
    let names = PossibleValuesParser::new(named.map(|(name, _)| name));
    names.map(move |text| {
        let found = named.into_iter().find(|(name, _)| *name == text);
        found.expect("one of the names").1
    })
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
