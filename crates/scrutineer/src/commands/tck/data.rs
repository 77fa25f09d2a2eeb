//! The answer about a `.tck` file as JSON, in the form of `docs/schema/report.schema.json`.

use crate::commands::tck::asked::Asked;
use crate::commands::tck::search::{Answer, Outcome, Searched};
use crate::commands::tck::{File, story};
use crate::results::json;
use checks::Judgement;
use serde_json::{Value, json};
use tck::{Event, Run};
use verdict::Spent;

/// The report of a file.
pub(crate) fn file(file: &File, asked: &Asked, outcome: &Outcome) -> Value {
    let problem = |error: &tck::Error| match file.diagnostic(error) {
        Some(diagnostic) => json::problem(&file.sources, &diagnostic),
        None => json::plain_problem(&error.message),
    };
    match outcome {
        Outcome::Wrong(error) => json::file(&file.name, vec![problem(error)], Vec::new()),
        Outcome::Refused(why) => json::file(&file.name, vec![json::plain_problem(why)], Vec::new()),
        Outcome::Searched(searched) => {
            let problems = match &searched.answer {
                Answer::Error(error, _) => vec![problem(error)],
                _ => Vec::new(),
            };
            json::file(&file.name, problems, vec![check(asked, searched)])
        }
    }
}

fn check(asked: &Asked, searched: &Searched) -> Value {
    json!({
        "check": 1,
        "line": 1,
        "world": null,
        "variants": [],
        "fair": false,
        "changed": false,
        "assumed": "",
        "seconds": searched.took.as_secs_f64(),
        "answers": [answer(asked, searched)],
    })
}

fn answer(asked: &Asked, searched: &Searched) -> Value {
    let progress = &searched.progress;
    let (word, run) = match &searched.answer {
        Answer::Yes(run) => ("possible", Some(run)),
        Answer::No => ("impossible", None),
        Answer::Error(_, run) => ("error", run.as_ref()),
        Answer::Unknown(_) | Answer::Limit(_) => ("unknown", None),
    };
    let (why, kind) = match &searched.answer {
        Answer::Unknown(why) => (Some(why.clone()), Some("inconclusive")),
        Answer::Limit(spent) => (Some(report::spent(spent)), Some("limit")),
        _ => (None, None),
    };
    let explored = match &searched.answer {
        Answer::Limit(Spent::Time(_) | Spent::Memory(_) | Spent::Interrupted) => {
            Some(progress.depth)
        }
        _ => None,
    };
    json!({
        "asked": asked.text(),
        "kind": "possible",
        "parameters": {},
        "network": { "topology": null, "graphs": null, "graph": null, "strangers": 0 },
        "answer": word,
        "value": null,
        "expected_value": null,
        "expected": null,
        "judgement": match searched.judgement() {
            Judgement::Good => "good",
            Judgement::Bad => "bad",
            Judgement::Unknown => "unknown",
        },
        "vacuous": false,
        "premise": null,
        "covers": searched.covers(),
        "why_unknown": why,
        "unknown_kind": kind,
        "explored_events": explored,
        "hash_compaction": null,
        "state_explosion": null,
        "method": asked.method(),
        "abstraction": null,
        "counts": {
            "instances": 1,
            "up_to_rotation": false,
            "initial": u32::from(searched.has_initial_state),
            "states": progress.stored,
            "visited": progress.visited,
            "transitions": progress.transitions,
            "depth": progress.depth,
            "bytes": progress.bytes,
        },
        "run": run.map(|run| self::run(run, &searched.answer)),
        "proof": null,
    })
}

fn run(run: &Run, answer: &Answer) -> Value {
    let error = match answer {
        Answer::Error(error, _) => Some(error.to_string()),
        _ => None,
    };
    json!({
        "constants": "",
        "start": story::start(run),
        "end": story::end(run),
        "events": run.events.iter().map(event).collect::<Vec<_>>(),
        "ending": match (run.repeats_from, answer) {
            (Some(_), _) => "loops",
            (None, Answer::Error(..)) => "error",
            _ => "open",
        },
        "loops_from_event": run.repeats_from.map(|from| from + 1),
        "error": error,
        "why": null,
    })
}

fn event(event: &Event) -> Value {
    let processes: Vec<&str> = event.moves.iter().map(|m| &m.process[..]).collect();
    json!({
        "node": processes.join(", "),
        "what": story::moves(event),
        "effects": story::effects(event),
        "time": event.time.to_string(),
    })
}
