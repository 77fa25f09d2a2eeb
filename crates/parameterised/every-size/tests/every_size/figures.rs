//! Known figures: times from which on parts are right, and least bounds.

use crate::protocols::{ELECTION, MEMBERSHIP_A, MEMBERSHIP_B, analysis, proved, protocol};
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
fn times(open: &OpenMachine) -> [Option<String>; 3] {
    let found = analysis(open);
    ["heard_right", "proposal_right", "view_right"].map(|name| {
        let mut last: Vec<(String, Rational)> = Vec::new();
        for (fact, _) in &found.steps {
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

/// The greatest bounds for which a claim is not proved are one less than these.
fn least(text: &str, faults: &str, start: &str) -> [Option<u32>; 3] {
    let mut least = [None; 3];
    for bound in (1..=9).rev() {
        let proved = proved(&membership(text, faults, start, [bound; 3]));
        for (least, proved) in least.iter_mut().zip(proved) {
            if proved && least.is_none_or(|least| least == bound + 1) {
                *least = Some(bound);
            }
        }
    }
    least
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

#[test]
fn show() {
    for (name, text) in [("a", MEMBERSHIP_A), ("b", MEMBERSHIP_B)] {
        for (faults, kind) in [(SILENT, "silent"), (DEAF, "deaf")] {
            for start in ["one-from-each", "anything"] {
                let open = membership(text, faults, start, [2, 5, 7]);
                println!("{name} {kind} {start} {:?}", times(&open));
            }
        }
    }
}
