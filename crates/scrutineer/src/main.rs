//! The command `scrutineer`: says what a person wants to know, and nothing else.

mod args;
mod arguments;
mod beginning;
mod checking;
mod choosing;
mod console;
mod diagnostics;
mod explaining;
mod formatting;
mod interrupt;
mod json;
mod junit;
mod lines;
mod manual;
mod never;
mod offering;
mod places;
mod premises;
mod progress;
mod proving;
mod running;
mod seen;
mod showing;
mod simulating;
mod state_explosion;
mod statistics;
mod stepping;
mod summary;
mod telling;
mod testing;
mod unknowns;
mod verdicts;
mod words;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// The SAT solver: CaDiCaL, unless the command is built without it.
#[cfg(feature = "cadical")]
const SOLVER: sat::Backend = cadical::BACKEND;
#[cfg(not(feature = "cadical"))]
const SOLVER: sat::Backend = sat::Backend::BATSAT;

/// How it went, for whoever called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// All as expected.
    Good = 0,
    /// Something is unknown.
    Unknown = 3,
    /// A claim failed, an error was found, or an answer is not the expected one.
    Bad = 1,
    /// The model or the call is wrong.
    Wrong = 2,
}

impl Exit {
    /// What an answer means for the whole.
    fn of(judgement: driver::Judgement) -> Exit {
        match judgement {
            driver::Judgement::Good => Exit::Good,
            driver::Judgement::Bad => Exit::Bad,
            driver::Judgement::Unknown => Exit::Unknown,
        }
    }

    /// The worse of two: wrong, then bad, then unknown.
    fn and(self, other: Exit) -> Exit {
        let rank = |exit| match exit {
            Exit::Good => 0,
            Exit::Unknown => 1,
            Exit::Bad => 2,
            Exit::Wrong => 3,
        };
        if rank(self) >= rank(other) {
            self
        } else {
            other
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let exit = match args.command {
        Command::Check(args) => checking::check(&args),
        Command::Run(args) => running::run(&args),
        Command::Simulate(args) => simulating::simulate(&args),
        Command::Tests(args) => testing::tests(&args),
        Command::Show(args) => showing::show(&args),
        Command::Audit(args) => proving::audit(&args),
        Command::Explain(args) => explaining::explain(&args),
        Command::Print(args) => showing::print(&args),
        Command::Fmt(args) => formatting::fmt(&args),
        Command::New(args) => beginning::new(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    ExitCode::from(exit as u8)
}

/// Says that the call is wrong.
fn complain(text: &str) -> Exit {
    anstream::eprintln!(
        "{}error{}: {text}",
        lines::RED.render(),
        lines::RED.render_reset()
    );
    Exit::Wrong
}
