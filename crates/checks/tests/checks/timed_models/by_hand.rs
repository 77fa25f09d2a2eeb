//! Models by hand that detect a missing condition of a reduction, for conditions that few random models detect. No
//! model is known that detects `UnseenInQueues`, `UnseenAtRestarts` or `OutgrownAtRestarts`.

use checks::{Judgement, Options, check, judge, load_text};
use passes::defects::{Breaking, Defect};
use std::sync::atomic::AtomicBool;

/// A model in which the hub sends at 0, 2, 4, … and the node `P` reads at 3, 6, 9, … The arguments are parts of its
/// text.
fn text(gathers: &str, looks: &str, sends: &str, world: &str, checks: &str) -> String {
    format!(
        "message Note {{ v: 0..2 }}\nmessage Ping\n\
         node P {{\n    var r: 0..2 = 0\n    var out: 0..2 = 0\n    var flag: Bool = false\n\
         \x20   var got: [Bool; 0..2] = false\n{gathers}\n    every 3 .. 3, first 3 .. 3 {{\n{looks}\n    }}\n}}\n\
         node Hub {{\n    var n: 0..2 = 0\n    every 2 .. 2, first 0 .. 0 {{\n{sends}\n        if n < 2 {{ n = n + 1 }}\n    }}\n\
         \x20   ignore Note\n    ignore Ping\n}}\n{world}\n{checks}\n"
    )
}

fn models() -> Vec<(Defect, String)> {
    let plain = "network complete { delivery within 0 .. 1 }";
    let flag = "    on Note { flag = true }\n    ignore Ping";
    let got = "    on Note as m { got[m.v] = true }\n    ignore Ping";
    let once = "        if n == 0 { broadcast Note { v: 0 } }";
    vec![
        (
            Defect::UnseenLatest,
            text(
                "    ignore Ping",
                "        if exists m in inbox(Note): m.v == 1 { out = 1 }",
                "        if n == 0 { broadcast Note { v: 1 }; broadcast Note { v: 2 } }",
                "network complete { delivery within 0 .. 1; inbox latest per sender }",
                "check possible: P.out == 1 expect possible",
            ),
        ),
        (
            Defect::UnseenLostOrRepeated,
            text(
                flag,
                "        if not flag { out = 1 }",
                once,
                &format!("{plain}\nfaults lose at most 1 messages"),
                "check possible: P.out == 1 expect possible",
            ),
        ),
        (
            Defect::UnwatchedCounted,
            text(
                flag,
                "        if flag { out = 1 }",
                once,
                &format!("{plain}\nfaults at most 1 P: crash any time"),
                "check possible: P.crashed and in_flight(Note, Hub, P) == 1 expect possible",
            ),
        ),
        (
            Defect::OutgrownShrinks,
            text(
                "    on Note as m { if m.v == 0 { got[0] = true } }\n    ignore Ping",
                "        if got[r] { out = min(out + 1, 2) }\n        if r == 1 { r = 0 } else { r = r + 1 }",
                once,
                plain,
                "check possible: P.out == 2 expect possible",
            ),
        ),
        (
            Defect::OutgrownBelow,
            text(
                got,
                "        if got[r] { out = 1 }\n        if r > 0 { if got[r - 1] { out = 2 } }\n        if r < 2 { r = r + 1 }",
                once,
                plain,
                "check possible: P.out == 2 expect possible",
            ),
        ),
        (
            Defect::OutgrownElsewhere,
            text(
                got,
                "        if got[r] { out = 1 }\n        if r == 2 and got[0] { out = 2 }\n        if r < 2 { r = r + 1 }",
                once,
                plain,
                "check possible: P.out == 2 expect possible",
            ),
        ),
    ]
}

/// Whether all answers are as `expect` says.
fn is_good(text: &str) -> bool {
    let loaded = load_text("by-hand.scrut", text);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    (0..loaded.model.checks.len()).all(|number| {
        let never = AtomicBool::new(false);
        let report = check(&loaded, number, &Options::default(), &never, &mut |_| {});
        let report = report.expect("a check").expect("a report");
        let judged = judge(&loaded, &report);
        { judged.iter().flatten() }.all(|judged| judged.judgement == Judgement::Good)
    })
}

#[test]
fn models_by_hand_notice() {
    let mut wrong = Vec::new();
    for (rule, text) in models() {
        if !is_good(&text) {
            wrong.push(format!("{rule:?}: wrong without it\n{text}"));
        }
        let breaking = Breaking::rule(rule);
        if is_good(&text) {
            wrong.push(format!("{rule:?}: not noticed"));
        }
        drop(breaking);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
