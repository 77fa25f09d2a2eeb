//! Models by hand.

use crate::opinions::{Opinion, machines, opinion};
use driver::{Method, answer_by, load_text};
use verdict::{Question, Unlimited};

/// What the order of events says of each claim of a model.
fn by_order(text: &str) -> Vec<Opinion> {
    let loaded = load_text("by-hand.scrut", text);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let said = machines(&loaded).into_iter().map(|machine| {
        let question = Question {
            machine: &machine,
            fair: true,
        };
        let report = answer_by(Method::Order, &question, &Unlimited).expect("a report");
        let answer = &report.answers[0];
        println!("{answer:?}");
        audit::confirm(&question, 0, answer).expect("a run that stands up");
        opinion(answer)
    });
    said.collect()
}

#[test]
fn tmp() {
    println!(
        "{:?}",
        by_order(&std::fs::read_to_string("/tmp/off.scrut").unwrap())
    );
}
