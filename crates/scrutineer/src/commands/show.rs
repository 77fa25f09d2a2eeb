//! `show` shows a stored run; `print` prints the Machine of a check.

use crate::args::{PrintArgs, ShowArgs};
use crate::console::diagnostics;
use crate::console::lines::{self, Mark, many};
use crate::results::runs::{draw, open_end, replayed};
use crate::{Exit, complain};
use checks::RunFile;
use machine::Machine;
use report::{Words, story, whole_story};
use source::Diagnostic;
use std::sync::atomic::AtomicBool;

/// Executes `show RUN` and returns the exit code.
pub(crate) fn show(args: &ShowArgs) -> Exit {
    let (file, machine) = match RunFile::read(&args.run) {
        Ok(read) => read,
        Err(error) => return complain(&error.0),
    };
    let part = match file.audit(&machine) {
        Ok(part) => part,
        Err(why) => return complain(&format!("{}: {}", args.run.display(), why.0)),
    };
    let words = Words {
        machine: &machine,
        labels: &file.labels,
    };
    anstream::println!("{}", file.title);
    let replayed = replayed(words, &file.run, &part);
    let lines = match args.all {
        true => whole_story(&replayed),
        false => story(&replayed),
    };
    for line in lines {
        anstream::println!("  {line}");
    }
    if let (None, Some(line)) = (file.property, open_end(&file.run)) {
        anstream::println!("  {line}");
    }
    if let Err(error) = draw(&args.pictures, &replayed, &file.title, file.property) {
        return complain(&error);
    }
    if args.verbose {
        for (i, state) in part.replayed.states.iter().enumerate() {
            let after = if i == 0 {
                "at first".to_string()
            } else {
                format!("after event {i}")
            };
            anstream::println!("  {after}");
            for line in report::state(words, state) {
                anstream::println!("    {line}");
            }
        }
    }
    Exit::Good
}

/// Executes `print FILE` and returns the exit code.
pub(crate) fn print(args: &PrintArgs) -> Exit {
    let loaded = match diagnostics::load(&args.file, args.time) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let count = loaded.model.checks.len();
    if args.check == 0 || args.check > count {
        return complain(&format!(
            "{} has {}; there is no check {}",
            args.file.display(),
            many(count as u64, "check"),
            args.check
        ));
    }
    // No handler is installed: a signal ends the process.
    let never = AtomicBool::new(false);
    let text = checks::within(args.time, args.memory.limit(), &never, || {
        let lowered = checks::requests(&loaded, args.check - 1, &args.defines)
            .and_then(|requests| lower::lower(&loaded.model, &loaded.sources, &requests[0]))?;
        Ok::<_, Vec<Diagnostic>>((horizons(&lowered.machine), lowered.machine.to_string()))
    });
    match text {
        Ok(Ok((horizons, machine))) => {
            anstream::println!(
                ";; What the engines see of check {}, in its first instance.",
                args.check
            );
            for line in horizons {
                anstream::println!(";; {line}");
            }
            anstream::print!("{machine}");
            Exit::Good
        }
        Ok(Err(problems)) => diagnostics::wrong(&loaded, &problems),
        Err(spent) => {
            let text = format!("nothing is printed: {}", report::spent(&spent));
            lines::verdict(Mark::Unknown, &text, "", None);
            Exit::Unknown
        }
    }
}

/// The values of Δ for which `print` reports the horizon of `every round(Δ)`.
const LEADS: std::ops::RangeInclusive<u32> = 1..=3;

/// The largest number of activations for which a horizon is computed.
const MAX_ACTIVATIONS: u32 = 1_000;

/// For each value of Δ, a sentence about the horizon up to which `every round(Δ)` covers the declared times. Empty if
/// there are fewer than two periodic nodes.
fn horizons(machine: &Machine) -> Vec<String> {
    let kinds = machine.periodic_kinds().into_iter();
    let nodes: u32 = kinds.map(|(k, _)| machine.kinds[k.index()].count).sum();
    if nodes < 2 {
        return Vec::new();
    }
    let horizon = |lead: u32| match machine::horizon(machine, lead, MAX_ACTIVATIONS) {
        Some(most) => format!("  by at most {lead} while nobody has made more than {most}"),
        None => format!("  by at most {lead}, up to {MAX_ACTIVATIONS} at least"),
    };
    let intro = "By their times alone, numbers of activations of nodes that run differ".to_string();
    [intro].into_iter().chain(LEADS.map(horizon)).collect()
}
