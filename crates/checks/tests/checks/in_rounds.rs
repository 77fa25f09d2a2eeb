//! The least number of activations in rounds, found by one search, agrees with the answers for single numbers.

use checks::{Options, check, load_text};
use machine::random::Rng;
use std::sync::atomic::AtomicBool;
use verdict::Answer;

/// A model of two or three nodes that change their own variable in rounds and send it.
fn model(rng: &mut Rng) -> String {
    let mut number = |below: usize| rng.below(below);
    let nodes = 2 + number(2);
    let lead = 1 + number(2);
    let delivery = ["channel fifo(1)", "delivery instant", "channel unordered"][number(3)];
    let mut own = String::new();
    for x in 0..4 {
        own += &format!("        if x == {x} {{ next = {} }}\n", number(4));
    }
    let (heard, becomes, told) = (number(4), number(4), number(4));
    let (quantifier, bad) = (["all", "exists"][number(2)], number(4));
    let start = ["any", "0", "any in 1..2"][number(3)];
    let sends = match delivery {
        "channel unordered" => String::new(), // they would pile up
        _ => format!("        if x != {told} {{ broadcast Say {{ x: x }} }}\n"),
    };
    format!(
        "message Say {{ x: 0..3 }}
node W[{nodes}] {{
    var x: 0..3 = {start}
    var next: 0..3 = 0
    every round({lead}) {{
{own}        x = next
{sends}    }}
    on Say as m {{ if m.x == {heard} {{ x = {becomes} }} }}
}}
network complete {{ {delivery} }}
claim c(N: 0..6): always (({quantifier} k in W: k.activations >= N) implies all k in W: k.x != {bad})
"
    )
}

fn answer(text: &str) -> Answer {
    let loaded = load_text("rounds.scrut", text);
    let interrupted = AtomicBool::new(false);
    let report = check(&loaded, 0, &Options::default(), &interrupted, &mut |_| {});
    let report = report.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let report = report.expect("a check");
    report.instances[0].report.results[0].answer.clone()
}

#[test]
fn it_holds_there_and_fails_before() {
    let mut rng = Rng(7);
    let (mut values, mut endless, mut open) = (0, 0, 0);
    for _ in 0..60 {
        let model = model(&mut rng);
        let least = answer(&format!("{model}check least N: c(N)\n"));
        let at = |n: i64| answer(&format!("{model}check c({n})\n"));
        match &least {
            Answer::Value(n, below) => {
                assert_eq!(at(*n), Answer::Holds, "{n}\n{model}");
                assert_eq!(below.is_some(), *n > 0, "{model}");
                if *n > 0 {
                    assert!(matches!(at(n - 1), Answer::Fails(_)), "{n}\n{model}");
                    values += 1;
                }
            }
            Answer::NoBound(_) => {
                assert!(matches!(at(6), Answer::Fails(_)), "{model}");
                endless += 1;
            }
            // To show that the claim fails for every number, a fair lasso is needed, which is not always found.
            Answer::Unknown(_) => {
                assert!(matches!(at(6), Answer::Fails(_)), "{model}");
                open += 1;
            }
            other => panic!("{other:?}\n{model}"),
        }
    }
    assert!(values >= 8, "{values} with a value");
    assert!(endless >= 8, "{endless} without");
    assert!(open * 4 <= endless, "{open} not known");
}
