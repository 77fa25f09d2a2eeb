//! Cases in which a method could answer wrongly: the answer must be unknown, or otherwise not claim too much.

use crate::words;
use checks::{CheckReport, Judgement, Loaded, Options, check, judge, load_text};
use std::sync::atomic::AtomicBool;
use verdict::{Answer, Premise};

/// The report of the only check of a model.
fn report(text: &str) -> (Loaded, CheckReport) {
    let loaded = load_text("not-said.scrut", text);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let never = AtomicBool::new(false);
    let report = check(&loaded, 0, &Options::default(), &never, &mut |_| {});
    (loaded, report.ok().flatten().expect("a report"))
}

/// The only answer to the only check of a model.
fn answer(text: &str) -> Answer {
    report(text).1.instances[0].report.results[0].answer.clone()
}

/// B halts after its 8th activation, so the claim fails for a = 8 and is vacuous for larger values. A run in which A is
/// activated for ever and B stays at 8 does not violate the claim for any larger bound.
#[test]
fn a_node_that_is_gone_breaks_no_larger_bound() {
    let found = answer(
        "node A { every any { } }
         node B { var n: 0..8 = 0
                  every any { n = n + 1; if n == 8 { halt } } }
         claim c(a: 0..40): always not (A.activations >= a and B.activations >= a)
         check least a: c(a)",
    );
    assert!(
        !matches!(found, Answer::NoBound(_) | Answer::Value(0..=8, _)),
        "{found:?}"
    );
}

/// Here B does not halt, so one run violates the claim for every bound.
#[test]
fn nodes_that_go_on_break_every_bound() {
    let found = answer(
        "node A { every any { } }
         node B { every any { } }
         claim c(a: 0..40): always not (A.activations >= a and B.activations >= a)
         check least a: c(a)",
    );
    assert!(matches!(found, Answer::NoBound(_)), "{found:?}");
}

/// If a full channel blocks a due activation, this is an error of the model. No engine looks for this error yet, so the
/// answer must be unknown.
#[test]
fn bounded_channels_beside_real_times_are_not_called_safe() {
    let found = answer(
        "message M
         node A { every 10 ms .. 20 ms { send M to B } }
         node B { on M { } }
         network complete { channel fifo(1) }
         claim c: always true
         check c",
    );
    assert!(matches!(found, Answer::Unknown(_)), "{found:?}");
}

/// If one period makes the first gap of A short, it also ends the second gap before the third tick of R. So the premise
/// is true in no run. But the abstraction by orders allows it, free gaps allow it, and no order rule about two nodes
/// excludes it.
const UNDECIDED_PREMISE: &str = "message Tick
     node A {
         var ticks: 0..3 = 0
         var n: 0..2 = 0
         var short: Bool = false
         every 10 .. 20 fixed, first 0 .. 0 {
             if n == 1 and ticks == 0 { short = true }
             if n < 2 { n = n + 1 }
         }
         on Tick { if ticks < 3 { ticks = ticks + 1 } }
     }
     node R { every 7, first 11 .. 11 { broadcast Tick } }
     network complete { delivery instant }
     claim c(a: 0..1): always (A.short and A.ticks == 3 and A.activations == 2 implies A.n == 2)
";

/// If a claim holds, but it is unknown whether its premise is reachable, the claim is neither reported as vacuous nor
/// judged as expected.
#[test]
fn a_premise_that_may_never_be_true_is_not_said_to_be() {
    let text = format!("{UNDECIDED_PREMISE}check c(0) expect holds");
    let (loaded, report) = report(&text);
    let judged = judge(&loaded, &report)[0][0].clone();
    assert_eq!(report.instances[0].report.results[0].answer, Answer::Holds);
    assert_eq!(judged.premise, Some(Premise::Open));
    assert_eq!(judged.judgement, Judgement::Unknown);
}

/// A value for which the claim may hold only vacuously is not reported as the least one.
#[test]
fn a_value_whose_premise_may_never_be_true_is_no_answer() {
    let text = format!("{UNDECIDED_PREMISE}check least a: c(a)");
    let found = answer(&text);
    let Answer::Unknown(why) = &found else {
        panic!("{found:?}");
    };
    let why = words(why);
    assert!(why.contains("not known whether its premise"), "{why}");
}

/// Between nodes whose gaps differ by 4 %, a lead of 4 takes about 80 activations to build up. The run that reaches it
/// must be found.
#[test]
fn a_drift_that_takes_long_is_not_called_safe() {
    let drift = |every: &str| {
        answer(&format!(
            "message Tick
             node Worker[2] {{
                 var lead: -4..4 = 0
                 every {every} {{
                     lead = min(4, lead + 1)
                     broadcast Tick
                 }}
                 on Tick {{ lead = max(-4, lead - 1) }}
             }}
             network complete {{ delivery instant }}
             claim near: always all k in Worker: k.lead < 4
             check near"
        ))
    };
    for (every, events) in [
        ("40 ms .. 60 ms, first 0 ms", 16),
        ("49 ms .. 51 ms", 100),
        ("49 ms .. 51 ms, first 0 ms", 152),
        ("49 ms .. 51 ms fixed, first 0 ms", 152),
    ] {
        let found = drift(every);
        let Answer::Fails(run) = &found else {
            panic!("{every}: {found:?}");
        };
        assert_eq!(run.choices.len(), events, "{every}");
        assert!(run.choices.iter().all(|choice| choice.time.is_some()));
    }
}

/// A message with instant delivery is handled in the event that sends it. The handler must not be reported as never
/// run.
#[test]
fn a_block_that_takes_messages_at_once_is_not_said_never_to_run() {
    let (_, report) = report(
        "message Tick
         node A { every round { broadcast Tick } }
         node B { on Tick { } }
         network complete { delivery instant }
         claim c: always true
         check c",
    );
    let findings = &report.instances[0].report.findings;
    assert_eq!(findings.ran, [true, true]);
}
