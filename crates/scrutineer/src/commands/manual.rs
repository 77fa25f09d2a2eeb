//! `completions` and `man`: shell completions and manual pages, generated from the definition of the command.

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::{Exit, complain};
use clap::CommandFactory;
use std::io::Write;

/// `completions SHELL`.
pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "scrutineer", &mut text);
    print(&text)
}

/// `man`, `man VERB`.
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

/// Writes to standard output; a pipe that the reader closes early is no error.
fn print(text: &[u8]) -> Exit {
    let _ = std::io::stdout().write_all(text);
    Exit::Good
}
