//! Answers that must not be given: where a method would say too much, nobody knows.

use driver::{Options, check, load_text};
use std::sync::atomic::AtomicBool;
use verdict::Answer;

/// The only answer of the only check of a model.
fn answer(text: &str) -> Answer {
    let loaded = load_text("not-said.scrut", text);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let never = AtomicBool::new(false);
    let report = check(&loaded, 0, &Options::default(), &never, &mut |_| {});
    let report = report.ok().flatten().expect("a report");
    report.instances[0].report.answers[0].clone()
}

/// After its 8th activation B is gone: for 8 the claim fails, for more it says nothing. A run in which A goes on
/// for ever and B stays at 8 breaks no larger bound.
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

/// The same without an end of B: here every bound is broken by one run.
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

/// What keeps a node from an activation that is due would be an error; nobody looks for it yet.
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
