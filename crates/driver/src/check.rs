//! One check of a model: every instance that it asks for, answered and audited.

use crate::{Limits, Loaded, Watcher, later};
use audit::Replayed;
use lower::{Define, Lowered, Request};
use machine::Instance;
use model::Question as Asks;
use source::{Diagnostic, codes};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use verdict::{Answer, Budget, Ending, Explanation, Progress, Question, Refusal, Report, Waiting};

/// What the caller wants.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D name=value`.
    pub defines: Vec<Define>,
    /// Only this claim.
    pub claim: Option<String>,
    /// Wall-clock time for each check.
    pub time: Option<Duration>,
    /// Bytes for each check.
    pub memory: Option<u64>,
}

/// One thing that a check asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The claim with its arguments, or the condition, as the model writes it.
    pub text: String,
    /// A condition to reach rather than a claim.
    pub possible: bool,
}

/// What came out of a check.
pub struct CheckReport {
    /// Which check, from 0.
    pub number: usize,
    /// What is asked, in order.
    pub asked: Vec<Asked>,
    /// For each its place in the check: with `--claim` some are left out.
    pub wanted: Vec<usize>,
    /// One for each choice of parameters.
    pub instances: Vec<InstanceReport>,
    /// `-D` changed it: its `expect` is not judged.
    pub changed: bool,
    /// Wall-clock time.
    pub took: Duration,
}

/// The answers for one choice of parameters.
pub struct InstanceReport {
    /// The parameters.
    pub request: Request,
    /// The Machine and its names.
    pub lowered: Lowered,
    /// What the engine said; its runs have been audited.
    pub report: Report,
    /// For each thing asked what its run shows, if it has one.
    pub parts: Vec<Option<Part>>,
}

/// What is known of a run once it has been audited.
pub struct Part {
    /// Its states.
    pub replayed: Replayed,
    /// Why the claim is false on it.
    pub explanation: Option<Explanation>,
    /// Who waits for what at its end.
    pub waiting: Vec<Waiting>,
}

/// Answers a check; or says what is wrong with it.
pub fn check(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
) -> Result<Option<CheckReport>, Vec<Diagnostic>> {
    let since = Instant::now();
    let asks = &loaded.model.checks[number];
    let asked = asked(loaded, number);
    let wanted: Vec<usize> = (0..asked.len())
        .filter(|a| is_wanted(loaded, number, *a, options))
        .collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let requests = lower::instances(&loaded.model, number, &options.defines)?;
    let changed = requests.iter().any(|r| r.changed);
    let mut instances = Vec::new();
    for request in requests {
        let later = later::reason(&loaded.model, &request);
        let request = later::some_value(&loaded.model, request)?;
        let mut lowered = lower::lower(&loaded.model, &loaded.sources, &request)?;
        lowered.machine.properties = wanted
            .iter()
            .map(|a| lowered.machine.properties[*a].clone())
            .collect();
        let question = Question {
            machine: &lowered.machine,
            fair: !asks.unfair,
        };
        let limits = Limits {
            since,
            time: options.time,
            memory: options.memory,
            interrupted,
            watcher: RefCell::new(&mut *watcher),
        };
        let spent = match instances.is_empty() {
            true if !interrupted.load(Ordering::Relaxed) => None,
            _ => limits.ask(&Progress::default()),
        };
        let answered = match (later, spent) {
            (Some(reason), _) => Ok(unanswered(&question, &reason)),
            (_, Some(spent)) => Ok(unanswered(&question, &format!("not begun: {spent}"))),
            _ => engine_explicit::run(&question, &limits),
        };
        let mut report = match answered {
            Ok(report) => report,
            Err(Refusal::Unsupported(why)) => unanswered(
                &question,
                &format!("the explicit search cannot represent this model: {why}"),
            ),
            Err(refusal) => return Err(vec![refused(loaded, number, &lowered, &refusal)]),
        };
        let parts = audited(&question, &mut report);
        instances.push(InstanceReport {
            request,
            lowered,
            report,
            parts,
        });
    }
    Ok(Some(CheckReport {
        number,
        asked: wanted.iter().map(|a| asked[*a].clone()).collect(),
        wanted,
        instances,
        changed,
        took: since.elapsed(),
    }))
}

/// What a check asks, in the model's words.
fn asked(loaded: &Loaded, number: usize) -> Vec<Asked> {
    let one_line = |span| {
        loaded
            .sources
            .slice(span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    match &loaded.model.checks[number].question {
        Asks::Extreme {
            greatest,
            claims,
            span,
            ..
        } => {
            let word = if *greatest { "greatest" } else { "least" };
            let asked = claims.iter().map(|c| Asked {
                text: format!("{word} {}: {}", one_line(*span), one_line(c.span)),
                possible: false,
            });
            asked.collect()
        }
        Asks::Claims(claims) => {
            let asked = claims.iter().map(|c| Asked {
                text: one_line(c.span),
                possible: false,
            });
            asked.collect()
        }
        Asks::Possible(condition) => vec![Asked {
            text: one_line(condition.span),
            possible: true,
        }],
    }
}

fn is_wanted(loaded: &Loaded, number: usize, asked: usize, options: &Options) -> bool {
    let Some(only) = &options.claim else {
        return true;
    };
    match &loaded.model.checks[number].question {
        Asks::Claims(claims) | Asks::Extreme { claims, .. } => {
            loaded.model.claims[claims[asked].claim.index()].name == *only
        }
        Asks::Possible(_) => false,
    }
}

/// Replays every run. One that does not show what the engine said is not shown: the answer is unknown.
fn audited(question: &Question<'_>, report: &mut Report) -> Vec<Option<Part>> {
    let mut parts = Vec::new();
    for (property, answer) in report.answers.iter_mut().enumerate() {
        let replayed = match audit::confirm(question, property, answer) {
            Ok(replayed) => replayed,
            Err(rejected) => {
                *answer = Answer::Unknown(format!(
                    "the engine's run does not stand up to the reference interpreter ({rejected}); \
                     this is a bug in Scrutineer, please report it with the model"
                ));
                None
            }
        };
        parts.push(match (replayed, &*answer) {
            (Some(replayed), Answer::Fails(run) | Answer::Possible(run) | Answer::Error(run)) => {
                let instance = Instance {
                    machine: question.machine,
                    rigid: &run.rigid,
                };
                let waiting = match run.ending {
                    Ending::StandsStill => {
                        audit::waiting(instance, replayed.states.last().expect("a state"))
                    }
                    _ => Vec::new(),
                };
                Some(Part {
                    explanation: audit::explain(instance, property, run, &replayed),
                    waiting,
                    replayed,
                })
            }
            _ => None,
        });
    }
    let deadlock = report.findings.deadlock.take();
    report.findings.deadlock = deadlock.filter(|run| audit::replay(question.machine, run).is_ok());
    parts
}

/// A report without answers, and why.
fn unanswered(question: &Question<'_>, why: &str) -> Report {
    let answer = Answer::Unknown(why.to_string());
    Report {
        method: "none",
        rung: None,
        answers: vec![answer; question.machine.properties.len()],
        counts: verdict::Counts::default(),
        findings: verdict::Findings::default(),
    }
}

/// What a check asks of the states that begin a run, besides the first values of variables.
fn restrictions(loaded: &Loaded, number: usize) -> Vec<source::Span> {
    let check = &loaded.model.checks[number];
    let world = check.world.map(|w| &loaded.model.worlds[w.index()]);
    let initially = world
        .and_then(|w| w.initially.as_ref())
        .unwrap_or(&loaded.model.initially);
    let all = initially.iter().chain(&check.assuming);
    all.map(|e| e.span).collect()
}

/// There is no initial state.
fn refused(loaded: &Loaded, number: usize, lowered: &Lowered, refusal: &Refusal) -> Diagnostic {
    let span = loaded.model.checks[number].span;
    let nodes = lowered.machine.node_count();
    match refusal {
        Refusal::NoInitialState => {
            let text = format!("no state can begin a run of this check ({nodes} nodes)");
            let first = Diagnostic::error(codes::NO_INITIAL_STATE, span, text);
            let restrictions = restrictions(loaded, number);
            let all = restrictions.into_iter().fold(first, |d, place| {
                d.other(place, "what the variables begin with does not allow this")
            });
            all.note(
                "a variable that may begin with several values is declared `= any` or `= any in …`",
            )
        }
        Refusal::Initial(machine::InitialError::OutOfRange(var, value)) => {
            let var = &lowered.machine.vars[var.index()];
            let kind = &lowered.machine.kinds[var.kind.index()].name;
            let value = lowered.machine.show_value(value);
            let text = format!(
                "`{}` cannot begin with {value}: its type does not have that value",
                var.name
            );
            let declared = loaded.model.kinds.iter().find(|k| k.name == *kind);
            let declared = declared.and_then(|k| k.fields.iter().find(|f| f.name == var.name));
            match declared {
                Some(field) => Diagnostic::error(codes::BAD_INITIAL_VALUE, field.span, text)
                    .other(span, "in this check"),
                None => Diagnostic::error(codes::BAD_INITIAL_VALUE, span, text),
            }
        }
        Refusal::Initial(machine::InitialError::Error(error)) => {
            let place = error.origin.and_then(|o| lowered.labels.origin(o));
            let place = place.map_or(String::new(), |label| {
                format!(": {} (line {})", label.text, label.line)
            });
            Diagnostic::error(
                codes::BAD_INITIAL_VALUE,
                span,
                format!("an initial value or restriction has no value{place}"),
            )
        }
        Refusal::Unsupported(why) => {
            Diagnostic::error(codes::NOT_IN_THIS_VERSION, span, why.clone())
        }
    }
}
