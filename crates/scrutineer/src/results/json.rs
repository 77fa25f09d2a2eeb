//! `check --json`: the whole report as JSON. `docs/schema/report.schema.json` defines the format. A change of the
//! meaning of a field raises [`VERSION`].

use crate::Exit;
use crate::console::diagnostics::{NO_CODE, why_not_read};
use crate::results::junit::{Junit, Suite};
use crate::results::proofs;
use crate::results::runs::replayed;
use crate::results::sentences::word;
use crate::results::state_explosion;
use checks::{
    AuditedRun, CheckError, CheckReport, InstanceReport, Judged, Judgement, Loaded, Options,
};
use lower::{Lowered, Request};
use report::{Words, run_data};
use serde_json::{Value, json};
use source::{Diagnostic, Severity, Sources};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use verdict::{Answer, Counts, Omission, Premise, Run};

/// The version of the format.
const VERSION: u32 = 2;

/// Answers every check of the files and prints the report, also if a file has errors. Returns the exit code.
pub(crate) fn all(
    options: &Options,
    files: &[PathBuf],
    interrupted: &AtomicBool,
    junit: Option<&Path>,
) -> Exit {
    let mut exit = Exit::Good;
    let mut file_reports = Vec::new();
    let mut suites = Junit::default();
    for path in files {
        let name = path.display().to_string();
        let loaded = checks::load_within(path, options.time, options.memory, interrupted);
        let loaded = loaded.map_err(|spent| (Exit::Unknown, why_not_read(&spent)));
        let loaded = loaded.and_then(|loaded| loaded.map_err(|error| (Exit::Wrong, error)));
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err((worse, error)) => {
                exit = exit.and(worse);
                suites.problem(&name, &error);
                file_reports.push(file(&name, vec![plain_problem(&error)], Vec::new()));
                continue;
            }
        };
        let mut problems: Vec<Value> = loaded
            .diagnostics
            .iter()
            .map(|d| problem(&loaded.sources, d))
            .collect();
        let mut checks = Vec::new();
        let mut suite = Suite::default();
        if loaded.has_errors() {
            exit = exit.and(Exit::Wrong);
            suite.problem(&loaded.diagnostics[0].message);
        } else {
            for number in 0..loaded.model.checks.len() {
                match checks::check(&loaded, number, options, interrupted, &mut |_| {}) {
                    Ok(None) => {}
                    Ok(Some(report)) => {
                        for judged in checks::judge(&loaded, &report).iter().flatten() {
                            exit = exit.and(Exit::of(judged.judgement));
                        }
                        suite.check(&loaded, &report);
                        checks.push(check(&loaded, &report));
                    }
                    Err(CheckError::Contradiction(found)) => {
                        exit = exit.and(Exit::Contradiction);
                        suite.problem(&found.to_string());
                        problems.push(plain_problem(&found.to_string()));
                        break;
                    }
                    Err(CheckError::Problems(found)) => {
                        exit = exit.and(Exit::Wrong);
                        suite.problem(&found[0].message);
                        problems.extend(found.iter().map(|d| problem(&loaded.sources, d)));
                    }
                }
            }
        }
        suites.add(&name, suite);
        file_reports.push(file(&name, problems, checks));
    }
    if let Some(path) = junit {
        exit = exit.and(suites.write(path));
    }
    print_report(file_reports, interrupted, exit)
}

/// Prints the report of a call to the standard output. Returns the exit code.
pub(crate) fn print_report(files: Vec<Value>, interrupted: &AtomicBool, exit: Exit) -> Exit {
    let report = json!({
        "scrutineer_report": VERSION,
        "tool": env!("CARGO_PKG_VERSION"),
        "files": files,
        "interrupted": interrupted.load(Ordering::Relaxed),
        "exit": exit as u8,
    });
    match print(&report) {
        Ok(()) => exit,
        Err(why) => exit.and(crate::complain(&format!("standard output: {why}"))),
    }
}

/// Prints a report to the standard output.
fn print(report: &Value) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, report)?;
    writeln!(out)?;
    out.flush()
}

/// The report of a file.
pub(crate) fn file(name: &str, problems: Vec<Value>, checks: Vec<Value>) -> Value {
    json!({ "file": name, "problems": problems, "checks": checks })
}

/// A diagnostic about a file.
pub(crate) fn problem(sources: &Sources, diagnostic: &Diagnostic) -> Value {
    let span = diagnostic.primary.span;
    let text = sources.text(span.file);
    let place = |at: u32| {
        let before = &text[..at as usize];
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        json!({ "line": before.matches('\n').count() + 1, "column": column })
    };
    json!({
        "code": (diagnostic.code != NO_CODE).then_some(diagnostic.code.0),
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": diagnostic.message,
        "from": place(span.start),
        "to": place(span.end),
        "at": diagnostic.primary.text,
        "notes": diagnostic.notes,
        "replace_by": diagnostic.fix.as_ref().map(|fix| &fix.replacement),
    })
}

/// A problem without a place in a text.
pub(crate) fn plain_problem(message: &str) -> Value {
    json!({ "code": null, "severity": "error", "message": message })
}

/// The result of a check.
fn check(loaded: &Loaded, report: &CheckReport) -> Value {
    let judged = checks::judge(loaded, report);
    let check = &loaded.model.checks[report.number];
    let mut answers = Vec::new();
    for family in report.families() {
        for (asked, judged) in judged[family[0]].iter().enumerate() {
            answers.push(answer(loaded, report, (&family, asked), judged));
        }
    }
    let variants = check
        .variants
        .iter()
        .map(|v| &loaded.model.variants[v.index()].name);
    json!({
        "check": report.number + 1,
        "line": loaded.sources.line(check.span),
        "world": check.world.map(|w| &loaded.model.worlds[w.index()].name),
        "variants": variants.collect::<Vec<_>>(),
        "fair": !check.unfair,
        "changed": report.changed,
        "assumed": checks::assumptions(loaded, report),
        "seconds": report.took.as_secs_f64(),
        "answers": answers,
    })
}

fn answer(
    loaded: &Loaded,
    checked: &CheckReport,
    (family, asked): (&[usize], usize),
    judged: &Judged,
) -> Value {
    let instance = &checked.instances[checked.deciding(family, asked)];
    let answer = &instance.report.results[asked].answer;
    let complete = matches!(
        answer,
        Answer::Holds | Answer::Impossible | Answer::Value(..) | Answer::Time(..)
    );
    let parameters = loaded.model.params.iter().zip(&instance.request.params);
    let parameters = parameters.map(|(p, v)| (p.name.clone(), json!(v.text(&loaded.model))));
    let counts = || family.iter().map(|i| &checked.instances[*i].report.counts);
    let sum = |of: fn(&Counts) -> u64| counts().map(of).sum::<u64>();
    let largest = |of: fn(&Counts) -> u64| counts().map(of).max().unwrap_or(0);
    let unknown = match answer {
        Answer::Unknown(why) => Some(why),
        _ => None,
    };
    let Lowered {
        machine, labels, ..
    } = &instance.lowered;
    let abstraction = instance.report.abstraction.as_ref();
    let told = answer.run();
    let told = told.and_then(|run| Some((run, instance.parts[asked].as_ref()?)));
    json!({
        "asked": checked.asked[asked].text,
        "kind": if checked.asked[asked].possible { "possible" } else { "claim" },
        "parameters": parameters.collect::<serde_json::Map<_, _>>(),
        "network": network(&instance.request, complete),
        "answer": word(judged.answer),
        "value": number_or_text(judged.value, judged.value_text.as_deref()),
        "expected_value": number_or_text(judged.expected_value, judged.expected_text.as_deref()),
        "expected": judged.expected.map(word),
        "judgement": match judged.judgement {
            Judgement::Good => "good",
            Judgement::Bad => "bad",
            Judgement::Unknown => "unknown",
        },
        "vacuous": judged.is_vacuous(),
        "premise": judged.premise.map(|premise| match premise {
            Premise::Met => "met",
            Premise::Never => "never",
            Premise::Open => "unknown",
        }),
        "covers": checks::coverage(loaded, checked, family, asked, complete),
        "why_unknown": unknown.map(|why| report::reason(why, labels)),
        "unknown_kind": unknown.map(|why| why.kind()),
        "explored_events": unknown.and(instance.report.findings.explored),
        "hash_compaction": unknown.and(instance.report.findings.omission.as_ref()).map(omission),
        "state_explosion": unknown.map(|_| state_explosion::data(loaded, instance)),
        "method": instance.report.method,
        "abstraction": abstraction.map(|one| report::time_abstraction(one, machine, labels)),
        "counts": {
            "instances": sum(|c| c.instances),
            "up_to_rotation": counts().any(|c| c.up_to_rotation),
            "initial": sum(|c| c.initial),
            "states": sum(|c| c.states),
            "transitions": sum(|c| c.transitions),
            "depth": largest(|c| c.depth),
            "bytes": largest(|c| c.memory),
        },
        "run": told.map(|(run, part)| self::run(instance, run, part)),
        "proof": instance.proofs[asked].as_ref().map(|proof| {
            proofs::file(loaded, checked, &checked.asked[asked], (instance, judged), proof)
        }),
    })
}

/// The omission probability of a search with hash compaction.
fn omission(omission: &Omission) -> Value {
    json!({
        "hash_bits": omission.bits,
        "states": omission.states,
        "omission_probability_at_most": omission.probability(),
    })
}

/// The topology that the check sets with `for`, the graph that decides the answer, the number of graphs, and the number
/// of strangers. The graph is null if `all` graphs decide.
fn network(request: &Request, all: bool) -> Value {
    let mut set = request.set.iter();
    let topology = set.find(|(name, _)| name == "network");
    let graph = request.graph.as_ref().filter(|_| !request.every_graph);
    let decides = graph.filter(|_| !all);
    let edges = decides.map(|g| g.edges.iter().map(|(a, b)| [a + 1, b + 1]));
    json!({
        "topology": topology.filter(|_| request.topology.is_some()).map(|(_, words)| words),
        "graphs": graph.map(|graph| graph.of),
        "graph": edges.map(|edges| edges.collect::<Vec<_>>()),
        "strangers": request.strangers,
    })
}

/// The number, or the text if there is no number.
fn number_or_text(number: Option<i64>, text: Option<&str>) -> Value {
    match number {
        Some(number) => json!(number),
        None => json!(text),
    }
}

fn run(instance: &InstanceReport, run: &Run, part: &AuditedRun) -> Value {
    let machine = &instance.lowered.machine;
    let labels = &instance.lowered.labels.in_instance(machine, &run.frozen);
    let words = Words { machine, labels };
    json!(run_data(&replayed(words, run, part)))
}
