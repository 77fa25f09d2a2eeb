//! Known figures: times from which on parts are right, and least bounds.

use crate::protocols::{ELECTION, MEMBERSHIP_A, MEMBERSHIP_B, analysis, proved, protocol};
use machine::OpenMachine;

fn show(open: &OpenMachine) {
    let found = analysis(open);
    for (fact, setting) in &found.steps {
        println!("{} {:?} {setting:?}\n   {:?} => {:?}", fact.part.name, fact.right, fact.part.premises, fact.part.conclusion);
    }
    println!("{:?}", found.answers);
}

#[test]
fn an_election_needs_four_activations_of_every_node() {
    let open = protocol(ELECTION, &[]);
    show(&open);
    assert_eq!(proved(&open), [true]);
}

#[test]
fn membership() {
    show(&protocol(MEMBERSHIP_A, &[]));
    show(&protocol(MEMBERSHIP_B, &[]));
}
