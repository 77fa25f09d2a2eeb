//! `explain`: explains an error code, a word of the language, the answer to a claim, or a stored proof.

pub(crate) mod arguments;
pub(crate) mod every_size;
pub(crate) mod language;
use crate::args::ExplainArgs;
use crate::commands::audit;
use crate::commands::explain::arguments::Argument;
use crate::console::progress::{ProgressLine, count};
use crate::console::{diagnostics, interrupt, lines};
use crate::results::runs::{place, replayed, settings, world_and_variants};
use crate::results::sentences::{Group, groups, sentence};
use crate::{Exit, complain};
use checks::{
    Asked, CheckError, CheckReport, InstanceReport, Judged, Loaded, Options, Proof, ProofFile,
    Subject,
};
use lower::Lowered;
use report::{Words, story};
use std::path::{Path, PathBuf};
use std::time::Instant;
use verdict::Answer;

/// The width at which sentences are wrapped, in columns.
const WIDTH: usize = 100;

/// Executes `explain` for a code, a word, a model with a claim, or a proof. Returns the exit code.
pub(crate) fn explain(args: &ExplainArgs) -> Exit {
    let is_of = |text: &str, kind: &str| Path::new(text).extension().is_some_and(|e| e == kind);
    let (models, rest): (Vec<&String>, Vec<&String>) =
        args.about.iter().partition(|text| is_of(text, "scrut"));
    match (&models[..], &rest[..]) {
        ([model], _) => claim_of(args, &PathBuf::from(model), &joined(&rest)),
        ([], [proof]) if is_of(proof, "proof") => stored(args, Path::new(proof)),
        ([], _) => code_or_word(&joined(&rest)),
        _ => complain("one model at a time: `scrutineer explain MODEL CLAIM`"),
    }
}

fn joined(texts: &[&String]) -> String {
    let texts: Vec<&str> = texts.iter().map(|text| &text[..]).collect();
    texts.join(" ")
}

/// Explains a stored proof.
fn stored(args: &ExplainArgs, path: &Path) -> Exit {
    let interrupted = interrupt::listen(|| {});
    let explained = || match ProofFile::read(path) {
        Ok((file, proof)) => {
            lines::question(&file.title);
            argument(&proof)
        }
        Err(error) => audit::refused(&error),
    };
    let explained = checks::within(args.time, args.memory.limit(), &interrupted, explained);
    explained.unwrap_or_else(|spent| audit::unchecked(&path.display().to_string(), &spent))
}

/// Explains the answer to a claim of a model, by the first check that asks about it.
fn claim_of(args: &ExplainArgs, model: &Path, claim: &str) -> Exit {
    let loaded = match diagnostics::load(model, args.time) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let count = loaded.model.checks.len();
    let checks = match args.check {
        None => 0..count,
        Some(number) if (1..=count).contains(&number) => number - 1..number,
        Some(number) => {
            let count = lines::many(count as u64, "check");
            return complain(&format!("there is no check {number}: {count}"));
        }
    };
    let all: Vec<(usize, usize, Asked)> = checks
        .flat_map(|number| {
            let asked = checks::asked(&loaded, number).into_iter().enumerate();
            asked.map(move |(place, asked)| (number, place, asked))
        })
        .collect();
    let same = |text: &str| bare(text) == bare(claim) || name(text) == bare(claim);
    // Checks are tried in this order: a check of this claim, then a search for the value of its argument, then a search
    // for another value with this claim.
    let rank = |asked: &Asked| match (&asked.sought, same(&asked.text)) {
        (_, true) if name(claim) == bare(claim) => Some(0),
        (None, true) => Some(0),
        (Some(_), false) if name(&asked.text) == name(claim) => Some(1),
        (Some(_), true) => Some(2),
        _ => None,
    };
    let mut candidates: Vec<_> = all
        .iter()
        .filter_map(|(number, place, asked)| Some((rank(asked)?, *number, *place, asked)))
        .collect();
    candidates.sort_by_key(|(rank, ..)| *rank);
    let interrupted = interrupt::listen(|| {});
    let since = Instant::now();
    let time_left = || args.time.map(|time| time.saturating_sub(since.elapsed()));
    for (_, number, place, Asked { text, possible, .. }) in candidates {
        let options = Options {
            defines: args.defines.clone(),
            claim: (!possible).then(|| name(text)),
            time: time_left(),
            memory: args.memory.limit(),
            threads: checks::available_threads(),
            solver: crate::SOLVER,
            ..Options::default()
        };
        let mut progress = ProgressLine::new(format!("check {}", number + 1), options.memory);
        let mut watcher = |p: &verdict::Progress| progress.update(p);
        let report = checks::check(&loaded, number, &options, &interrupted, &mut watcher);
        drop(progress);
        let report = match report {
            Ok(Some(report)) => report,
            Ok(None) => continue,
            Err(CheckError::Problems(problems)) => {
                diagnostics::print(&loaded.sources, &problems);
                return Exit::Wrong;
            }
            Err(CheckError::Contradiction(found)) => {
                complain(&found.to_string());
                return Exit::Contradiction;
            }
        };
        let Some(asked) = report.wanted.iter().position(|wanted| *wanted == place) else {
            continue;
        };
        let judged = checks::judge(&loaded, &report);
        let valued = |judged: &Judged| {
            let value = judged.value_text.as_deref().unwrap_or_default();
            bare(claim) == format!("{}({})", name(text), bare(value))
        };
        if same(text) || judged.iter().any(|row| valued(&row[asked])) {
            let print = || print_answers(&loaded, &report, asked, &judged);
            // Without a proof there is nothing to audit, so the answer is printed even after a limit.
            if report.instances.iter().all(|i| i.proofs[asked].is_none()) {
                return print();
            }
            let printed = checks::within(time_left(), args.memory.limit(), &interrupted, print);
            return printed.unwrap_or_else(|spent| audit::unchecked("the proof", &spent));
        }
    }
    let known: Vec<&str> = all.iter().map(|(_, _, asked)| &asked.text[..]).collect();
    if let Some(near) = nearest_claim(&loaded, claim, &known) {
        return complain(&format!(
            "no check asks about `{claim}`; did you mean `{near}`?"
        ));
    }
    complain(&match (claim.is_empty(), known.is_empty()) {
        (_, true) => format!("there is no check in {}", model.display()),
        (true, _) => format!("which claim? Asked about: {}", listed(&known)),
        (false, _) => format!(
            "no check asks about `{claim}`; asked about: {}",
            listed(&known)
        ),
    })
}

/// The text that a misspelt claim probably means. `None` if none is similar, or if the model has a claim with this
/// name, which no check asks about.
fn nearest_claim<'t>(loaded: &Loaded, claim: &str, known: &[&'t str]) -> Option<&'t str> {
    let wanted = name(claim);
    let mut claims = loaded.model.claims.iter();
    if claims.any(|claim| claim.name == wanted) {
        return None;
    }
    let names: Vec<String> = known.iter().map(|text| name(text)).collect();
    let near = model::nearest(&wanted, names.iter().map(String::as_str))?;
    let place = names.iter().position(|name| name == near)?;
    Some(known[place])
}

/// The texts as a list, without repetitions.
fn listed(texts: &[&str]) -> String {
    let mut once: Vec<&str> = Vec::new();
    for text in texts {
        if !once.contains(text) {
            once.push(text);
        }
    }
    once.join(", ")
}

/// The text without whitespace.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The name of a claim, without its arguments.
fn name(text: &str) -> String {
    bare(text.split('(').next().unwrap_or_default())
}

/// Explains each different answer to a question of a check, by the instance that decides it.
fn print_answers(
    loaded: &Loaded,
    report: &CheckReport,
    asked: usize,
    judged: &[Vec<Judged>],
) -> Exit {
    let mut exit = Exit::Good;
    let groups = groups(report, judged).into_iter();
    for (place, group) in groups.filter(|g| g.asked.contains(&asked)).enumerate() {
        if place > 0 {
            anstream::println!();
        }
        exit = exit.and(print_reason(loaded, report, asked, &group));
    }
    heading("What is assumed");
    print_sentence(&format!("{}.", checks::assumptions(loaded, report)));
    exit
}

/// Explains the answer of a group of instances, by the instance that decides the answer of its first family.
fn print_reason(loaded: &Loaded, report: &CheckReport, asked: usize, group: &Group) -> Exit {
    let question = &report.asked[asked];
    let families = report.families();
    let mut families = families
        .iter()
        .filter(|family| group.instances.contains(&family[0]));
    let Some(family) = families.next() else {
        return Exit::Good;
    };
    let instance = &report.instances[report.deciding(family, asked)];
    let what = sentence(&question.text, &[], question, &group.judged);
    let covers = checks::coverage(loaded, report, &group.instances, asked, group.is_complete());
    let setup = world_and_variants(loaded, report.number);
    lines::question(format!("{what}{setup}   {covers}").trim_end());
    if families.next().is_some() {
        let settings = settings(&instance.request);
        print_sentence(&format!(
            "What follows is about {settings}; -D sets the parameters of another instance."
        ));
    }
    let answer = &instance.report.results[asked].answer;
    let exit = match (answer, &instance.proofs[asked]) {
        (_, Some(proof)) => argument(proof),
        (Answer::Unknown(why), None) => {
            let why = report::reason(why, &instance.lowered.labels);
            print_sentence(&format!("The answer is not known: {why}."));
            Exit::Unknown
        }
        (Answer::Holds | Answer::Impossible | Answer::Value(..) | Answer::Time(..), None) => {
            let every = family.iter().map(|i| &report.instances[*i]);
            let every = { every }.find(|instance| instance.every.is_some());
            if let Some(every) = every {
                print_projection(loaded, every, asked);
            }
            searched(instance);
            Exit::Good
        }
        _ => Exit::Good,
    };
    if let (Some(run), Some(part)) = (answer.run(), &instance.parts[asked]) {
        let Lowered {
            machine, labels, ..
        } = &instance.lowered;
        let labels = &labels.in_instance(machine, &run.frozen);
        let words = Words { machine, labels };
        heading(&match (answer, &question.sought) {
            (Answer::Value(value, _), Some((_, true))) => format!("Why not {}", value + 1),
            (Answer::Value(value, _), _) => format!("Why not {}", value - 1),
            (Answer::Time(..), Some((_, true))) => "Why not more".into(),
            (Answer::Time(..), _) => "Why not less".into(),
            (Answer::Possible(_), _) => "This run reaches it".into(),
            (Answer::Error(_), _) => "This run ends in an error".into(),
            _ => "This run breaks it".into(),
        });
        let place = place(settings(&instance.request), words, run);
        if !place.is_empty() {
            print_sentence(&format!("with {place}"));
        }
        for line in story(&replayed(words, run, part)) {
            anstream::println!("  {line}");
        }
    }
    exit
}

/// Prints why a claim for every size follows from the claim at some sizes, if it does.
fn print_projection(loaded: &Loaded, instance: &InstanceReport, asked: usize) {
    let every = instance.every.as_ref();
    let param = every.and_then(|request| Some((*request.every.first()?, request)));
    let projection = instance.report.results[asked].projection;
    if let (Some((param, request)), Some(projection)) = (param, projection) {
        let name = &loaded.model.param(param).name;
        let least = request.params[param.index()].as_int();
        let least = least.and_then(|least| u32::try_from(least).ok());
        let (title, text) = every_size::by_projection(name, least.unwrap_or(1), projection);
        heading(&title);
        text.iter().for_each(|sentence| print_sentence(sentence));
    }
}

/// Prints the size of a search that produced no evidence.
fn searched(instance: &InstanceReport) {
    let counts = &instance.report.counts;
    heading("Why");
    if counts.states == 0 {
        print_sentence(&format!(
            "That was found by {}, which keeps no evidence that could be told.",
            instance.report.method
        ));
        return;
    }
    let (states, initial) = (
        count(counts.states),
        lines::many(counts.initial, "initial state"),
    );
    print_sentence(&format!(
        "Explicit-state model checking visited every one of {states} states, from {initial} by {} steps, and found nothing \
         that speaks against it. There is no shorter argument; `check --by states` repeats the search without reductions.",
        count(counts.transitions)
    ));
    if counts.up_to_rotation {
        print_sentence("Arrangements that are rotations of each other were visited once.");
    }
    if instance.every.is_none() {
        print_sentence(&format!("The method was {}.", instance.report.method));
    }
    for reduction in &instance.report.findings.reduced {
        let reduction = report::reduction(reduction, &instance.lowered.labels);
        print_sentence(&format!("{reduction}."));
    }
    if let Some(abstraction) = &instance.report.abstraction {
        let Lowered {
            machine, labels, ..
        } = &instance.lowered;
        let abstraction = report::time_abstraction(abstraction, machine, labels);
        print_sentence(&format!("Time: {abstraction}."));
    }
}

/// Audits a proof and prints its argument.
fn argument(proof: &Proof) -> Exit {
    let checked = match proof.audit(crate::SOLVER) {
        Ok(checked) => checked,
        Err(why) => {
            complain(&format!("it proves nothing: {why}"));
            return Exit::Bad;
        }
    };
    let paragraphs = match &proof.machine {
        Subject::One(machine) => {
            let labels = &proof.labels;
            Argument { machine, labels }.paragraphs(&checked)
        }
        Subject::Open(open) => every_size::paragraphs(open, &proof.labels, &checked),
    };
    for (title, text) in paragraphs {
        heading(&title);
        text.iter().for_each(|sentence| print_sentence(sentence));
    }
    Exit::Good
}

fn heading(text: &str) {
    anstream::println!();
    lines::question(text);
}

/// Prints a sentence, wrapped at `WIDTH`.
fn print_sentence(text: &str) {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            anstream::println!("  {line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    anstream::println!("  {line}");
}

/// Explains an error code or a word; without text, lists all codes.
fn code_or_word(asked: &str) -> Exit {
    if asked.is_empty() {
        for (_, page) in source::codes::PAGES {
            anstream::println!(
                "{}",
                page.lines()
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches("# ")
            );
        }
        return Exit::Good;
    }
    if asked.trim_start_matches(['e', 'E']).parse::<u32>().is_ok() {
        return match source::codes::page(&full(asked)) {
            Some(page) => {
                anstream::print!("{page}");
                Exit::Good
            }
            None => complain(&format!(
                "there is no code {asked}; `scrutineer explain` lists all"
            )),
        };
    }
    if let Some(lines) = language::explained(asked) {
        for line in lines {
            anstream::println!("{line}");
        }
        return Exit::Good;
    }
    if let Some(here) = language::term(asked) {
        return complain(&format!(
            "`{asked}` is no word of the language; here {here}"
        ));
    }
    let hint = match language::nearest(asked) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "docs/language.md has all of them, and `scrutineer explain` lists the codes".into(),
    };
    complain(&format!("`{asked}` is no word of the language; {hint}"))
}

/// An error code in full: `404` and `e404` become `E0404`.
fn full(code: &str) -> String {
    let digits = code.trim_start_matches(['e', 'E']);
    format!("E{digits:0>4}")
}
