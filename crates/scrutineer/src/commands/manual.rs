//! `completions` and `man`: shell completions and manual pages, generated from the definition of the arguments.

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::{Exit, complain};
use clap::CommandFactory;
use std::io::Write;

/// Executes `completions SHELL` and returns the exit code.
pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "scrutineer", &mut text);
    print(&text)
}

/// Executes `man` or `man VERB` and returns the exit code.
pub(crate) fn man(args: &ManArgs) -> Exit {
    let mut command = command();
    command.build();
    let page = match &args.verb {
        None => Some(command),
        Some(verb) => command.find_subcommand(verb).cloned(),
    };
    let Some(page) = page else {
        return complain("there is no such verb; `scrutineer --help` lists all");
    };
    let mut text = Vec::new();
    match clap_mangen::Man::new(page).render(&mut text) {
        Ok(()) => print(&text),
        Err(error) => complain(&format!("cannot write the page: {error}")),
    }
}

fn command() -> clap::Command {
    Args::command().name("scrutineer")
}

/// Writes to standard output. It is no error if the reader closes the pipe early.
fn print(text: &[u8]) -> Exit {
    let _ = std::io::stdout().write_all(text);
    Exit::Good
}
