//! Known figures: times from which on parts are right, and least bounds.

use crate::protocols::{
    ELECTION, MEMBERSHIP_A, MEMBERSHIP_B, analysis, audited, direct, protocol, proved,
};
use every_size::{Analysis, Answer};
use machine::OpenMachine;
use one_node::Right;
use rational::Rational;

/// Membership with faults, a start of inboxes and bounds of its three claims.
fn membership(text: &str, faults: &str, start: &str, bounds: [u32; 3]) -> OpenMachine {
    let [heard, proposal, view] = bounds.map(|bound| format!("(>= (var activations k.2) {bound})"));
    let mut parts = text.split("(>= (var activations k.2) ");
    let mut whole = parts.next().unwrap().to_string();
    for (part, bound) in parts.zip([heard, proposal, view]) {
        whole += &bound;
        whole += part.split_once(')').unwrap().1;
    }
    let replaced = [
        ("(faulty off isolated mute)", faults),
        ("one-from-each", start),
    ];
    protocol(&whole, &replaced)
}

/// The times in ms from which on parts of membership are right: for heard, proposal and view, the latest of each.
fn times(found: &Analysis) -> [Option<String>; 3] {
    ["heard_right", "proposal_right", "view_right"].map(|name| {
        let mut last: Vec<(String, Rational)> = Vec::new();
        for (fact, _) in &found.right {
            if let (true, Right::From(time)) = (fact.part.name == name, &fact.right) {
                let key = format!("{:?}", fact.part.premises);
                last.retain(|(other, _)| *other != key);
                last.push((key, time.clone()));
            }
        }
        let mut times: Vec<String> = last.iter().map(|(_, time)| time.to_string()).collect();
        times.sort();
        (!times.is_empty()).then(|| times.join(" "))
    })
}

const SILENT: &str = "(faulty off isolated mute)";
const DEAF: &str = "(faulty at-most 1 deaf)";

#[test]
fn an_election_needs_four_activations_of_every_node() {
    for bound in [3, 4, 5] {
        let text = format!("(>= (var activations k.2) {bound})");
        let open = protocol(ELECTION, &[("(>= (var activations k.2) 4)", &text)]);
        assert_eq!(proved(&open), [bound >= 4]);
    }
}

/// The times of the parts of heard, proposal and view, the least bounds that are proved, and those just below.
fn check(text: &str, faults: &str, start: &str, expected: [Option<&str>; 3], bounds: [u32; 3]) {
    let open = membership(text, faults, start, bounds);
    let below = membership(text, faults, start, bounds.map(|bound| bound - 1));
    let claims = [&open.base.properties[..], &below.base.properties[..]].concat();
    let found = analysis(&open, &claims);
    let expected = expected.map(|time| time.map(str::to_string));
    assert_eq!(times(&found), expected, "{faults} {start}");
    let proved = audited(&open, &claims, &found);
    assert_eq!(
        proved[..3],
        expected.map(|time| time.is_some()),
        "{faults} {start}"
    );
    assert_eq!(proved[3..], [false; 3], "{faults} {start}");
}

#[test]
fn membership_with_silent_nodes() {
    let times = [Some("103 103"), Some("206 206"), Some("309 309")];
    check(MEMBERSHIP_A, SILENT, "one-from-each", times, [2, 5, 7]);
    let times = [Some("103 103"), Some("103 206"), Some("309 309")];
    check(MEMBERSHIP_B, SILENT, "one-from-each", times, [2, 5, 7]);
}

#[test]
fn membership_from_any_inboxes() {
    let times = [Some("206 309/2"), Some("309 515/2"), Some("412 412")];
    check(MEMBERSHIP_A, SILENT, "anything", times, [4, 6, 9]);
    let times = [Some("206 309/2"), Some("206 515/2"), Some("721/2 721/2")];
    check(MEMBERSHIP_B, SILENT, "anything", times, [4, 6, 8]);
}

#[test]
fn membership_with_a_deaf_node() {
    check(
        MEMBERSHIP_A,
        DEAF,
        "one-from-each",
        [Some("103"), None, None],
        [2, 5, 7],
    );
    let times = [Some("103"), Some("206 206"), Some("309 309")];
    check(MEMBERSHIP_B, DEAF, "one-from-each", times, [2, 5, 7]);
    let times = [Some("309/2"), Some("206 515/2"), Some("721/2 721/2")];
    check(MEMBERSHIP_B, DEAF, "anything", times, [4, 6, 8]);
}

#[test]
fn the_order_of_events_agrees_with_more_nodes_than_the_proof_names() {
    let open = protocol(ELECTION, &[]);
    let found = analysis(&open, &open.base.properties);
    let Answer::Holds(proof) = &found.answers[0] else {
        panic!("{:?}", found.answers);
    };
    let steps = proof.steps.iter().map(|step| step.by);
    let named = steps.chain(proof.counts.iter().copied());
    let most = named.map(|by| by.names).max().expect("a step");
    for n in [most + 1, most + 2] {
        assert_eq!(direct(&open, n, 0), Some(true), "{n} nodes");
    }
}
