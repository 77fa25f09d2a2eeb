//! `show`, `explain`, `print`.

use crate::args::{ExplainArgs, PrintArgs, ShowArgs};
use crate::telling::{draw, open_end, telling};
use crate::{Exit, complain, diagnostics};
use driver::RunFile;
use picture::{Words, story};

/// `show RUN`.
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
    let telling = telling(words, &file.run, &part);
    for line in story(&telling) {
        anstream::println!("  {line}");
    }
    if let (None, Some(line)) = (file.property, open_end(&file.run)) {
        anstream::println!("  {line}");
    }
    if let Err(error) = draw(&args.pictures, &telling, &file.title, file.property) {
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
            for line in picture::state(words, state) {
                anstream::println!("    {line}");
            }
        }
    }
    Exit::Good
}

/// `explain CODE`.
pub(crate) fn explain(args: &ExplainArgs) -> Exit {
    match &args.code {
        None => {
            for (_, page) in source::codes::PAGES {
                anstream::println!(
                    "{}",
                    page.lines()
                        .next()
                        .unwrap_or_default()
                        .trim_start_matches("# ")
                );
            }
            Exit::Good
        }
        Some(code) => match source::codes::page(&full(code)) {
            Some(page) => {
                anstream::print!("{page}");
                Exit::Good
            }
            None => complain(&format!(
                "there is no code {code}; `scrutineer explain` lists all"
            )),
        },
    }
}

/// A code as it is written: `404`, `e404` and `E0404` are the same.
fn full(code: &str) -> String {
    let digits = code.trim_start_matches(['e', 'E']);
    format!("E{digits:0>4}")
}

/// `print FILE`.
pub(crate) fn print(args: &PrintArgs) -> Exit {
    let loaded = match diagnostics::load(&args.file) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let count = loaded.model.checks.len();
    if args.check == 0 || args.check > count {
        return complain(&format!(
            "{} has {count} checks; there is no check {}",
            args.file.display(),
            args.check
        ));
    }
    let lowered = lower::instances(&loaded.model, args.check - 1, &args.defines)
        .and_then(|requests| lower::lower(&loaded.model, &loaded.sources, &requests[0]));
    match lowered {
        Ok(lowered) => {
            anstream::println!(
                ";; What the engines see of check {}, in its first instance.",
                args.check
            );
            anstream::print!("{}", lowered.machine);
            Exit::Good
        }
        Err(problems) => {
            diagnostics::print(&loaded.sources, &problems);
            Exit::Wrong
        }
    }
}
