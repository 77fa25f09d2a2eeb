//! Limits at chosen steps of the work: at any poll a limit leaves each answer as it is or makes it unknown, and work ends there
//! in every phase of every engine.
//!
//! A planted limit (`cancellation::Token::after_polls`) stands for the watchdog. It comes at the same step on every machine, so
//! these tests depend on no clock.

use cancellation::Token;
use checks::{CheckReport, Options, check, load_text};
use invariants::Method as Circuit;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use strategy::Method;
use verdict::Answer;

/// Checks that are answered within a second: model, index of the check, method.
const ANSWERED: &[(&str, usize, Option<Method>)] = &[
    ("models/fairness.scrut", 0, None),
    ("models/fairness.scrut", 1, None),
    ("models/two-phase-commit.scrut", 0, None),
    ("models/thales-election.scrut", 1, None),
    ("models/drift.scrut", 0, None),
    ("models/switch.scrut", 0, None),
];

/// The number of limits that are tried for each check.
const LIMITS: u64 = 5;

/// Checks that take from minutes to centuries because of one phase: model, index of the check, definitions, method.
const SLOW: &[(&str, usize, &str, Option<Method>)] = &[
    ("tests/limits/many-instances.scrut", 0, "", None),
    ("tests/limits/many-arrangements.scrut", 0, "", None),
    ("tests/limits/many-pairs.scrut", 0, "", None),
    ("tests/limits/many-graphs.scrut", 0, "", None),
    ("tests/limits/many-initial-states.scrut", 0, "", None),
    ("tests/limits/many-runs.scrut", 0, "", None),
    (
        "tests/limits/many-states.scrut",
        0,
        "",
        Some(Method::States),
    ),
    ("tests/limits/many-times.scrut", 0, "", None),
    ("tests/limits/large-lines.scrut", 0, "", None),
    ("tests/limits/long-run.scrut", 0, "", Some(Method::States)),
    (
        "tests/limits/long-code.scrut",
        0,
        "",
        Some(Method::Circuits(Some(Circuit::Pdr))),
    ),
    (
        "models/thales-election.scrut",
        0,
        "p=60",
        Some(Method::States),
    ),
    (
        "models/thales-election.scrut",
        0,
        "p=100",
        Some(Method::Order),
    ),
    (
        "models/thales-election.scrut",
        0,
        "p=6",
        Some(Method::Abstraction),
    ),
    (
        "models/thales-election.scrut",
        0,
        "p=30",
        Some(Method::Circuits(Some(Circuit::Bmc))),
    ),
    (
        "models/thales-election.scrut",
        0,
        "p=30",
        Some(Method::Circuits(Some(Circuit::Induction))),
    ),
    ("models/membership.scrut", 4, "p=100", None),
    ("models/heartbeat.scrut", 0, "n=3", None),
];

/// The polls after which a limit is planted in slow checks.
const STEPS: &[u64] = &[1, 100, 20_000];

/// The polls after a limit: each method that is still tried, each instance that is not begun and each part of the report polls
/// again. The explicit search asks its budget, which knows nothing of planted limits, and ends at its next poll.
const MOST_AFTER: u64 = 200_000;

fn options(by: Option<Method>, defines: &str) -> Options {
    let defines = defines.split(' ').filter_map(|define| {
        let (name, value) = define.split_once('=')?;
        Some(lower::Define {
            name: name.into(),
            value: value.into(),
        })
    });
    Options {
        defines: defines.collect(),
        by,
        threads: 1,
        ..Options::default()
    }
}

/// The report of a check with a planted limit.
fn report(model: &str, number: usize, options: &Options, token: &Token) -> CheckReport {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(model);
    let text = std::fs::read_to_string(path).expect("a model");
    let loaded = load_text(model, &text);
    let interrupted = AtomicBool::new(false);
    let report = cancellation::with(token, || {
        check(&loaded, number, options, &interrupted, &mut |_| {})
    });
    let report = report.unwrap_or_else(|error| panic!("{model}: {error:?}"));
    report.expect("a check")
}

fn answers(report: &CheckReport) -> Vec<Vec<&Answer>> {
    let instances = report.instances.iter();
    instances
        .map(|instance| instance.report.answers().collect())
        .collect()
}

/// Whether an answer under a limit is the undisturbed one, or unknown.
fn agrees(limited: &Answer, whole: &Answer) -> bool {
    match (limited, whole) {
        (Answer::Unknown(_), _) => true,
        (Answer::Value(a, _), Answer::Value(b, _)) => a == b,
        (Answer::Time(a, _), Answer::Time(b, _)) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

#[test]
fn a_limit_at_any_poll_makes_no_other_answer() {
    for (model, number, by) in ANSWERED {
        let options = options(*by, "");
        let counter = Token::after_polls(u64::MAX, 0);
        let whole = report(model, *number, &options, &counter);
        let polls = counter.polls();
        assert!(polls > 0, "{model}: nothing polls");
        let (mut kept, mut unknown) = (0, 0);
        for step in 0..LIMITS {
            let limit = (polls * step / LIMITS).max(1);
            for grace in [0, polls / 4] {
                let token = Token::after_polls(limit, grace);
                let limited = report(model, *number, &options, &token);
                let about = format!("{model}, check {number}, limit {limit} of {polls}");
                let pairs = answers(&limited).into_iter().zip(answers(&whole));
                for (limited, whole) in pairs.flat_map(|(a, b)| a.into_iter().zip(b)) {
                    assert!(
                        agrees(limited, whole),
                        "{about}: {limited:?}, not {whole:?}"
                    );
                    kept += u64::from(!limited.is_open());
                    unknown += u64::from(limited.is_open());
                }
                let after = token.polls().saturating_sub(limit + grace);
                assert!(after < MOST_AFTER, "{about}: {after} polls after it");
            }
        }
        assert!(
            unknown > 0,
            "{model}: no limit made an answer unknown ({kept} kept)"
        );
    }
}

#[test]
fn a_planted_limit_ends_every_phase() {
    for (model, number, defines, by) in SLOW {
        for step in STEPS {
            let token = Token::after_polls(*step, 0);
            let limited = report(model, *number, &options(*by, defines), &token);
            let about = format!("{model} {defines} {by:?}, limit {step}");
            // Instances that were answered before the limit keep their answers.
            let mut all = answers(&limited).into_iter().flatten();
            let unknown = all.any(|answer| matches!(answer, Answer::Unknown(_)));
            assert!(unknown, "{about}: the limit came too late");
            let after = token.polls().saturating_sub(*step);
            assert!(after < MOST_AFTER, "{about}: {after} polls after it");
        }
    }
}
