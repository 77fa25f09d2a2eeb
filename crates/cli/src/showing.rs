//! `show`, `explain`, `print`.

use crate::args::{ExplainArgs, PrintArgs, ShowArgs};
use crate::{Exit, complain, diagnostics};
use driver::{RunFile, load};
use machine::Instance;
use picture::{Caption, Telling, Words, chart, page, story};
use verdict::{Ending, Question};

/// `show RUN`.
pub(crate) fn show(args: &ShowArgs) -> Exit {
    let (file, machine) = match RunFile::read(&args.run) {
        Ok(read) => read,
        Err(error) => return complain(&error.0),
    };
    let answer = match file.answer() {
        Ok(answer) => answer,
        Err(error) => return complain(&error.0),
    };
    let question = Question {
        machine: &machine,
        fair: file.fair,
    };
    let replayed = match audit::confirm(&question, file.property, &answer) {
        Ok(replayed) => replayed.expect("a run"),
        Err(why) => {
            return complain(&format!(
                "{}: the run does not show what it says: {why}",
                args.run.display()
            ));
        }
    };
    let instance = Instance {
        machine: &machine,
        rigid: &file.run.rigid,
    };
    let explanation = audit::explain(instance, file.property, &file.run, &replayed);
    let waiting = match file.run.ending {
        Ending::StandsStill => audit::waiting(instance, replayed.states.last().expect("a state")),
        _ => Vec::new(),
    };
    let words = Words {
        machine: &machine,
        labels: &file.labels,
    };
    anstream::println!("{}", file.title);
    let telling = Telling {
        words,
        run: &file.run,
        states: &replayed.states,
        error: replayed.error.as_ref(),
        explanation: explanation.as_ref(),
        waiting: &waiting,
    };
    if let Some(path) = &args.itf {
        let trace = picture::itf::itf(&telling, &file.title);
        if let Err(error) = std::fs::write(path, format!("{trace:#}\n")) {
            return complain(&format!("cannot write {}: {error}", path.display()));
        }
    }
    for line in story(&telling) {
        anstream::println!("  {line}");
    }
    let (title, subtitle) = file.title.split_once("   ").unwrap_or((&file.title, ""));
    let caption = Caption { title, subtitle };
    let svg = args
        .svg
        .as_ref()
        .map(|path| (path, chart(&telling, &caption)));
    let html = args
        .html
        .as_ref()
        .map(|path| (path, page(&telling, &caption, file.property)));
    for (path, picture) in svg.into_iter().chain(html) {
        if let Err(error) = std::fs::write(path, picture) {
            return complain(&format!("cannot write {}: {error}", path.display()));
        }
    }
    if args.verbose {
        for (i, state) in replayed.states.iter().enumerate() {
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
    let loaded = match load(&args.file) {
        Ok(loaded) => loaded,
        Err(error) => return complain(&error),
    };
    diagnostics::print(&loaded.sources, &loaded.diagnostics);
    if loaded.has_errors() {
        return Exit::Wrong;
    }
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
