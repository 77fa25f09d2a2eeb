//! `tests`: generates test vectors for the code of a node.

use crate::args::TestsArgs;
use crate::console::lines;
use crate::console::lines::{Mark, many};
use crate::console::{diagnostics, interrupt};
use crate::results::runs::all_settings;
use crate::{Exit, complain};
use checks::{Loaded, NoSetup, Setup, Wanted};
use lower::{Lowered, Request};
use machine::KindId;
use std::path::Path;
use std::time::Instant;
use vectors::{About, Fate, Refused, Suite};

/// The largest number of listed outcomes per fate; `coverage.txt` lists all.
const LISTED: usize = 10;

/// Executes `tests MODEL` and returns the exit code.
pub(crate) fn tests(args: &TestsArgs) -> Exit {
    let mut loaded = match diagnostics::load(&args.model, args.time) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let kind = match kind(&loaded, args.node.as_deref()) {
        Ok(kind) => kind,
        Err(call) => return complain(&call),
    };
    let wanted = Wanted {
        check: None,
        world: args.world.clone(),
        variants: args.variants.clone(),
        defines: args.defines.clone(),
    };
    let interrupted = interrupt::listen(|| {});
    let since = Instant::now();
    let made = checks::within(args.time, args.memory.limit(), &interrupted, || {
        checks::acknowledge(); // if a limit is reached, what is already decided is written
        made(&mut loaded, &wanted, kind)
    });
    let (request, lowered, suite) = match made {
        Ok(Ok(made)) => made,
        Ok(Err(exit)) => return exit,
        Err(spent) => {
            let text = format!("no vectors: {}", report::spent(&spent));
            lines::verdict(Mark::Unknown, &text, "", None);
            return Exit::Unknown;
        }
    };
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let name = &lowered.machine.kinds[kind.index()].name;
            let folder = checks::out_folder(Path::new("scrutineer-out"), &loaded);
            checks::mark_folder(&folder, &loaded.path());
            folder.join(name)
        }
    };
    let about = about(args, &loaded, &request);
    match write(&folder, &lowered, &suite, &about) {
        Ok(()) => print_summary(&lowered, &suite, &folder, since),
        Err(error) => complain(&error),
    }
}

/// The first instance of the setup, its Machine, and the vectors.
fn made(
    loaded: &mut Loaded,
    wanted: &Wanted,
    kind: KindId,
) -> Result<(Request, Lowered, Suite), Exit> {
    let mut setup = checks::setup(loaded, wanted).map_err(|why| match why {
        NoSetup::Call(call) => complain(&call),
        NoSetup::Model(problems) => diagnostics::wrong(loaded, &problems),
    })?;
    let lowered = setup.lower(loaded, &setup.requests[0]);
    let lowered = lowered.map_err(|problems| diagnostics::wrong(loaded, &problems))?;
    title(loaded, &setup, &lowered, kind);
    let restrictions = lowered.instance_restrictions;
    let suite = Suite::of(&lowered.machine, kind, restrictions, crate::SOLVER);
    let suite = suite.map_err(|why| refuse(&why))?;
    Ok((setup.requests.swap_remove(0), lowered, suite))
}

/// The kind of node that the call names, or the only kind. The error is a message.
fn kind(loaded: &Loaded, name: Option<&str>) -> Result<KindId, String> {
    let file = loaded.sources.name(loaded.file);
    let kinds: Vec<&str> = loaded.model.kinds.iter().map(|k| &k.name[..]).collect();
    let Some(name) = name else {
        return match &kinds[..] {
            [_] => Ok(KindId(0)),
            [] => Err(format!("{file} has no nodes")),
            several => Err(format!(
                "{file} has several kinds of node: {}; say which with --node {}",
                several.join(", "),
                several[0]
            )),
        };
    };
    if let Some(place) = kinds.iter().position(|k| *k == name) {
        return Ok(KindId(place as u32));
    }
    if let Some(variant) = loaded.model.variants.iter().find(|v| v.name == name) {
        let of = &loaded.model.kinds[variant.of.index()].name;
        return Err(format!(
            "`{name}` is a variant of `{of}`: write --node {of} --with {name}"
        ));
    }
    let hint = match model::nearest(name, kinds.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", kinds.join(", ")),
    };
    Err(format!("there is no kind of node `{name}`; {hint}"))
}

fn title(loaded: &Loaded, setup: &Setup, lowered: &Lowered, kind: KindId) {
    let file = loaded.sources.name(loaded.file);
    let kind = &lowered.machine.kinds[kind.index()].name;
    let settings = all_settings(loaded, &setup.requests[0]);
    let settings = match settings.is_empty() {
        true => String::new(),
        false => format!("   {settings}"),
    };
    anstream::println!("test vectors for {kind} of {file}{}{settings}", setup.name);
    if setup.requests.len() > 1 {
        let others = many(setup.requests.len() as u64 - 1, "other network");
        lines::aside(&format!(
            "the first network only, of {others} nothing is said"
        ));
    }
}

fn refuse(why: &Refused) -> Exit {
    match why {
        Refused::Unsupported(what) => {
            lines::verdict(Mark::Unknown, &format!("no vectors: {what}"), "", None);
            lines::detail(
                "this cannot be said in bits, so nothing can be found or proved about it",
            );
            Exit::Unknown
        }
        Refused::Disagrees(why) => complain(&format!(
            "the interpreter does not agree with a vector ({}); this is a bug in Scrutineer, please report it with the \
             model. Nothing was written",
            why.0
        )),
    }
}

fn about(args: &TestsArgs, loaded: &Loaded, request: &Request) -> About {
    let params = loaded.model.params.iter().zip(&request.params);
    let params = params.map(|(param, value)| (param.name.clone(), value.text(&loaded.model)));
    About {
        model: loaded.portable_name(),
        world: args.world.clone(),
        variants: args.variants.clone(),
        parameters: params.collect(),
        tool: env!("CARGO_PKG_VERSION").to_string(),
    }
}

fn write(folder: &Path, lowered: &Lowered, suite: &Suite, about: &About) -> Result<(), String> {
    let (machine, labels) = (&lowered.machine, &lowered.labels);
    let created = std::fs::create_dir_all(folder);
    created.map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    let json = vectors::json(machine, labels, suite, about);
    checks::write_whole(&folder.join("vectors.json"), &vectors::text(&json))?;
    let mut text = vectors::coverage(machine, labels, suite).join("\n");
    text.push('\n');
    checks::write_whole(&folder.join("coverage.txt"), &text)
}

fn print_summary(lowered: &Lowered, suite: &Suite, folder: &Path, since: Instant) -> Exit {
    let covered = suite.count(|fate| matches!(fate, Fate::Covered(_)));
    let unreachable = suite.count(|fate| fate == Fate::Unreachable);
    let unknown = suite.outcomes.len() - covered - unreachable;
    let mark = match unknown {
        0 => Mark::Good,
        _ => Mark::Unknown,
    };
    let what = format!(
        "{} for {}",
        many(suite.vectors.len() as u64, "vector"),
        many(suite.outcomes.len() as u64, "outcome")
    );
    let mut covers = format!("{covered} covered, {unreachable} unreachable");
    if unknown > 0 {
        covers += &format!(", {unknown} unknown");
    }
    lines::verdict(mark, &what, &covers, Some(since.elapsed().as_secs_f64()));
    list(lowered, suite, "unreachable", |o| {
        o.fate == Fate::Unreachable
    });
    list(lowered, suite, "unknown", |o| {
        matches!(o.fate, Fate::NotWith(_) | Fate::Open)
    });
    if suite.stopped {
        lines::detail("stopped before all outcomes were decided");
    }
    let is_error = |o: &vectors::Outcome| o.is_error() && matches!(o.fate, Fate::Covered(_));
    list(lowered, suite, "from an assumed start", is_error);
    if suite.outcomes.iter().any(is_error) {
        lines::detail(
            "that a run comes to the start of a vector is assumed, not proved: `scrutineer check` finds the errors that runs \
             come to",
        );
    }
    lines::aside(&format!(
        "vectors: {}",
        folder.join("vectors.json").display()
    ));
    lines::aside(&format!(
        "coverage: {}",
        folder.join("coverage.txt").display()
    ));
    match unknown {
        0 => Exit::Good,
        _ => Exit::Unknown,
    }
}

/// Lists the outcomes for which `is` is true, each with `word` before it.
fn list(lowered: &Lowered, suite: &Suite, word: &str, is: impl Fn(&vectors::Outcome) -> bool) {
    let found: Vec<&vectors::Outcome> = suite.outcomes.iter().filter(|o| is(o)).collect();
    let text = |outcome: &vectors::Outcome| {
        let line = vectors::place_of(&lowered.labels, outcome).map_or(0, |label| label.line);
        let text = vectors::outcome_text(&lowered.machine, &lowered.labels, outcome);
        format!("{word}, line {line}: {text}")
    };
    for outcome in found.iter().take(LISTED) {
        let line = text(outcome);
        // The code of an action is part of every block that runs it.
        let is_elsewhere = |other: &&vectors::Outcome| other.block != outcome.block;
        let mut others = suite.outcomes.iter().filter(is_elsewhere);
        let block = match others.any(|other| text(other) == line) {
            true => {
                let code = &lowered.machine.blocks[outcome.block.index()];
                let name = lowered.labels.block(outcome.block).unwrap_or(&code.name);
                format!(" (in {name})")
            }
            false => String::new(),
        };
        lines::detail(&format!("{line}{block}"));
    }
    if found.len() > LISTED {
        let more = found.len() - LISTED;
        lines::detail(&format!("{more} more: see coverage.txt"));
    }
}
