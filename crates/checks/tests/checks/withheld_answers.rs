//! Unsound answers must not be given: where a method would claim too much, the answer is unknown.

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

/// The only answer of the only check of a model.
fn answer(text: &str) -> Answer {
    report(text).1.instances[0].report.answers[0].clone()
}

/// After its 8th activation B halts: for 8 the claim fails, for more it is vacuous. A run in which A continues for
/// ever and B stays at 8 breaks no larger bound.
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

/// B does not halt here: one run breaks every bound.
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

/// A full channel that blocks a due activation would be an error; no engine looks for it yet.
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

/// One period that makes A's first gap short also ends its second gap before R's third tick. The abstraction by
/// orders allows the premise, and so do free gaps; no rule about two nodes excludes it.
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

/// A claim that holds, with a premise that is not known to be reachable, is neither vacuous nor as expected.
#[test]
fn a_premise_that_may_never_be_true_is_not_said_to_be() {
    let text = format!("{UNDECIDED_PREMISE}check c(0) expect holds");
    let (loaded, report) = report(&text);
    let judged = judge(&loaded, &report)[0][0].clone();
    assert_eq!(report.instances[0].report.answers[0], Answer::Holds);
    assert_eq!(judged.premise, Some(Premise::Open));
    assert_eq!(judged.judgement, Judgement::Unknown);
}

/// A value with an undecided premise is not reported as the least one.
#[test]
fn a_value_whose_premise_may_never_be_true_is_no_answer() {
    let text = format!("{UNDECIDED_PREMISE}check least a: c(a)");
    let found = answer(&text);
    let Answer::Unknown(why) = &found else {
        panic!("{found:?}");
    };
    assert!(why.contains("not known whether its premise"), "{why}");
}

/// A lead of 4 takes some 80 activations to build up between nodes that differ by 4 %, and is reached eventually.
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

/// A message that arrives at once is handled in the event that sends it.
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
