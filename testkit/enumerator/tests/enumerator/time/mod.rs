//! Small models with times, whose answers are derived by hand in comments.

mod activation;
mod claims;
mod delivery;
mod faults;
mod polling;
mod timeout_task;
mod timers;

use enumerator::{Answer, Setup, ask, latest, possible, read, read_condition};

/// The answer to a claim, given by its name or as a formula.
fn answer(text: &str, claim: &str) -> Answer {
    let file = read(text).expect("the model can be read");
    let claim = read_condition(claim).expect("a claim");
    ask(&file, &Setup::default(), &claim).expect("an answer")
}

/// Whether a state that satisfies the condition is reachable.
fn can(text: &str, condition: &str) -> Answer {
    let file = read(text).expect("the model can be read");
    let condition = read_condition(condition).expect("a condition");
    possible(&file, &Setup::default(), &condition).expect("an answer")
}

/// The latest time at which a condition holds, at most 20.
fn last(text: &str, condition: &str) -> Option<i128> {
    let file = read(text).expect("the model can be read");
    let condition = read_condition(condition).expect("a condition");
    latest(&file, &Setup::default(), &condition, 20).expect("a time")
}

/// Why the enumerator refuses a claim.
fn refusal(text: &str, claim: &str) -> String {
    let file = read(text).expect("the model can be read");
    let claim = read_condition(claim).expect("a claim");
    ask(&file, &Setup::default(), &claim).expect_err("refused")
}

/// Asserts that a condition is reachable (`expected` is true) or not.
#[track_caller]
fn reachable(text: &str, condition: &str, expected: bool) {
    let expected = if expected {
        Answer::Possible
    } else {
        Answer::Impossible
    };
    assert_eq!(can(text, condition), expected, "{condition} in\n{text}");
}
