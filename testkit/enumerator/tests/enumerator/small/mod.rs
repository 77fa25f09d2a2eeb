//! Small models whose states were counted by hand; comments list the states.

mod code;
mod counters;
mod delivery;
mod expressions;
mod inboxes;
mod instances;
mod networks;

use enumerator::{Setup, enumerate, read};

/// The numbers of initial states, states, transitions, errors and final states of the only instance.
type Numbers = (usize, usize, usize, usize, usize);

fn count_in(text: &str, setup: &Setup) -> Numbers {
    let file = read(text).expect("the model can be read");
    let counts = enumerate(&file, setup).expect("the model can be counted");
    assert_eq!(counts.len(), 1, "one instance");
    let c = &counts[0];
    (c.initial, c.states, c.transitions, c.errors, c.final_states)
}

fn count(text: &str) -> Numbers {
    count_in(text, &Setup::default())
}

fn refusal(text: &str) -> String {
    let file = read(text).expect("the model can be read");
    enumerate(&file, &Setup::default()).expect_err("refused")
}
