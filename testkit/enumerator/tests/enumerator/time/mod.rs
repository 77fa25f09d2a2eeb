//! Small models with times, whose answers are derived by hand beside them.

mod activation;
mod claims;
mod delivery;
mod faults;
mod polling;
mod timeout_task;
mod timers;

use enumerator::{Answer, Setup, ask, latest, possible, read, read_condition};

/// The answer to a claim: its name, or a formula.
fn answer(text: &str, claim: &str) -> Answer {
    let file = read(text).expect("the model can be read");
    let claim = read_condition(claim).expect("a claim");
    ask(&file, &Setup::default(), &claim).expect("an answer")
}

/// Whether a condition is reachable.
fn can(text: &str, condition: &str) -> Answer {
    let file = read(text).expect("the model can be read");
    let condition = read_condition(condition).expect("a condition");
    possible(&file, &Setup::default(), &condition).expect("an answer")
}

/// The latest time at which a condition holds.
fn last(text: &str, condition: &str) -> Option<i128> {
    let file = read(text).expect("the model can be read");
    let condition = read_condition(condition).expect("a condition");
    latest(&file, &Setup::default(), &condition, 20).expect("a time")
}

/// Why a claim has no answer.
fn refusal(text: &str, claim: &str) -> String {
    let file = read(text).expect("the model can be read");
    let claim = read_condition(claim).expect("a claim");
    ask(&file, &Setup::default(), &claim).expect_err("refused")
}

/// Asserts that a condition is reachable or not.
#[track_caller]
fn reachable(text: &str, condition: &str, expected: bool) {
    let expected = if expected {
        Answer::Possible
    } else {
        Answer::Impossible
    };
    assert_eq!(can(text, condition), expected, "{condition} in\n{text}");
}
