//! The command-line program `scrutineer`.

mod args;
mod commands;
mod console;
mod results;
use args::{Args, Command};
use clap::Parser;
use commands::{audit, check, explain, fmt, manual, new, run, show, simulate, tests};
use console::lines;
use scrutineer::SOLVER;
use std::process::ExitCode;

// The crate is only linked: it replaces `malloc` and `free` of the program, for Rust and C++. Values of expressions and
// states are small and short-lived; the allocator of the system would take a fifth of the time.
#[cfg(feature = "mimalloc")]
use mimalloc as _;

/// The exit code of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// All answers are as expected.
    Good = 0,
    /// An answer is unknown.
    Unknown = 3,
    /// A claim failed, an error was found, or an answer differs from `expect`.
    Bad = 1,
    /// The model or the call has an error.
    Wrong = 2,
    /// Two methods contradict each other: a bug of this program.
    Contradiction = 4,
}

impl Exit {
    /// The exit code for one judgement.
    fn of(judgement: checks::Judgement) -> Exit {
        match judgement {
            checks::Judgement::Good => Exit::Good,
            checks::Judgement::Bad => Exit::Bad,
            checks::Judgement::Unknown => Exit::Unknown,
        }
    }

    /// The worse of two exit codes. From worst to best: contradiction, wrong, bad, unknown, good.
    fn and(self, other: Exit) -> Exit {
        let rank = |exit| match exit {
            Exit::Good => 0,
            Exit::Unknown => 1,
            Exit::Bad => 2,
            Exit::Wrong => 3,
            Exit::Contradiction => 4,
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
        Command::Check(args) => check::check(&args),
        Command::Run(args) => run::run(&args),
        Command::Simulate(args) => simulate::simulate(&args),
        Command::Tests(args) => tests::tests(&args),
        Command::Show(args) => show::show(&args),
        Command::Audit(args) => audit::audit(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Print(args) => show::print(&args),
        Command::Fmt(args) => fmt::fmt(&args),
        Command::New(args) => new::new(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    ExitCode::from(exit as u8)
}

/// Prints an error message. Returns the exit code for a wrong model or call.
fn complain(text: &str) -> Exit {
    anstream::eprintln!(
        "{}error{}: {text}",
        lines::RED.render(),
        lines::RED.render_reset()
    );
    Exit::Wrong
}
