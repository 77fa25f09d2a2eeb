//! A claim fails for every bound if some run violates it infinitely often. A claim that can be violated only at the
//! start has a bound.

use checks::{Options, check, load_text};
use std::sync::atomic::AtomicBool;
use verdict::Answer;

/// Every node adds the contents of its messages to the set of nodes it knows. All nodes except a deaf one learn all
/// nodes.
const GOSSIP: &str = "
param p: 2..4 = 3
message Known { who: Set<Node> }
node N[p] {
    var knows: Set<Node> = {}
    var turn: Bool = any
    every 9 .. 10 {
        if turn { knows = { self } union senders(inbox); clear inbox }
        turn = not turn
        broadcast Known { who: knows }
    }
}
network complete { delivery instant; inbox latest per sender }
claim all_known(a: 0..12): always (all k in N: k.activations >= a implies k.knows == N)
check least a: all_known(a) for p in 3..4
world Deaf { faults at most 1 node: deaf from start }
check least a: all_known(a) in Deaf for p in 3..4
";

fn answers(text: &str) -> Vec<Answer> {
    let loaded = load_text("loops.scrut", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let mut found = Vec::new();
    for number in 0..loaded.model.checks.len() {
        let never = AtomicBool::new(false);
        let report = check(&loaded, number, &Options::default(), &never, &mut |_| {});
        let report = report.unwrap_or_else(|wrong| panic!("{wrong:?}"));
        for instance in report.expect("a report").instances {
            found.extend(instance.report.answers().cloned());
        }
    }
    found
}

/// All runs have been replayed with their times; otherwise the answer would be unknown.
#[test]
fn only_what_goes_on_for_ever_has_no_bound() {
    let answers = answers(GOSSIP);
    let [three, four, deaf_three, deaf_four] = &answers[..] else {
        panic!("{answers:?}");
    };
    assert!(matches!(three, Answer::Value(_, Some(_))), "{three:?}");
    assert!(matches!(four, Answer::Value(_, Some(_))), "{four:?}");
    for deaf in [deaf_three, deaf_four] {
        assert!(matches!(deaf, Answer::NoBound(_)), "{deaf:?}");
    }
}
