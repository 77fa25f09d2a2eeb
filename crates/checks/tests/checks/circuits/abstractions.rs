//! Circuits on the abstraction by order rules, for periodic nodes, compared with the explicit search.

use crate::circuits::{QueryLimited, word};
use checks::load_text;
use std::cell::Cell;
use strategy::{Method, answer_by};
use verdict::{Answer, Question};

/// The answers to the claims of the last check, on which circuits and the explicit search agree; `-` for an unknown
/// answer of circuits.
fn both(text: &str) -> String {
    let loaded = load_text("model.scrut", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let check = loaded.model.checks.len() - 1;
    let requests = lower::instances(&loaded.model, check, &[]).expect("instances");
    let lowered = lower::lower(&loaded.model, &loaded.sources, &requests[0]).expect("a Machine");
    let question = Question {
        machine: &lowered.machine,
        fair: true,
    };
    let ask = |method| {
        let limit = QueryLimited(Cell::new(200_000));
        answer_by(method, &question, &limit).expect("a report")
    };
    let (bits, states) = (ask(Method::Circuits(None)), ask(Method::Abstraction));
    let mut answers = Vec::new();
    for (p, (a, b)) in bits.answers().zip(states.answers()).enumerate() {
        audit::confirm(&question, p, a).expect("a run that shows it");
        answers.push(match (a, b) {
            (Answer::Unknown(_), _) => "-".to_owned(),
            (a, Answer::Unknown(_)) => word(a),
            (a, b) => {
                assert_eq!(word(a), word(b), "property {p}");
                word(a)
            }
        });
    }
    answers.join(" ")
}

#[test]
fn the_election_of_two() {
    let text = include_str!("../../../../../models/thales-election.scrut");
    let asked = |claims: &str| format!("{text}\ncheck {claims} for p = 2");
    assert_eq!(
        both(&asked("others_follow(2), boss_stands(2)")),
        "holds holds"
    );
    assert_eq!(
        both(&asked("others_follow(1), boss_stands(1)")),
        "fails fails"
    );
}

#[test]
fn the_membership_of_two() {
    let text = include_str!("../../../../../models/membership.scrut");
    let asked = |claims: &str| format!("{text}\ncheck {claims} for p = 2");
    let at_least = "heard_right(2), proposal_right(5), view_right(7)";
    assert_eq!(both(&asked(at_least)), "holds holds holds");
    let less = "heard_right(1), proposal_right(4), view_right(6)";
    assert_eq!(both(&asked(less)), "fails fails fails");
}
