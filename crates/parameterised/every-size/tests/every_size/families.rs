//! Three families of protocols, each with a mutant that is wrong from some number of nodes on.

use crate::protocols::{DETECTOR, ELECTION, GOSSIP, direct, protocol, proved};

#[test]
fn gossip_of_the_greatest_id() {
    let open = protocol(GOSSIP, &[]);
    assert_eq!(proved(&open), [true, true, true]);
    for n in 1..=2 {
        assert_ne!(direct(&open, n, 0), Some(false), "{n}");
        assert_ne!(direct(&open, n, 2), Some(false), "{n}");
    }
}

#[test]
fn gossip_of_an_id_that_no_node_has() {
    let open = protocol(GOSSIP, &[("best id (is (frozen id self))", "best id any")]);
    assert_eq!(proved(&open), [false, false, false]);
    assert_eq!(direct(&open, 1, 0), Some(false));
}

#[test]
fn a_failure_detector() {
    let open = protocol(DETECTOR, &[]);
    assert_eq!(proved(&open), [true, true]);
    for n in 2..=3 {
        assert_eq!(direct(&open, n, 0), Some(true), "{n}");
        assert_eq!(direct(&open, n, 1), Some(true), "{n}");
    }
}

/// Any message resets all suspicion: a third node hides that one is silent.
#[test]
fn a_failure_detector_that_any_message_calms() {
    let calm = "(and (!= k.2 self) (not (exists m (inbox Beat self) true)))";
    let open = protocol(
        DETECTOR,
        &[("(and (!= k.2 self) (not (in k.2 (senders self))))", calm)],
    );
    assert!(!proved(&open)[1]);
    assert_eq!(direct(&open, 3, 1), Some(false));
}

/// A node that hears a lower id does not mind a higher one: right for one and two nodes, wrong for three.
#[test]
fn an_election_in_which_a_lower_id_is_enough() {
    let higher = "(exists m (inbox Hello self) (> (field Hello sender m) (frozen id self)))";
    let either = "(and (exists m (inbox Hello self) (> (field Hello sender m) (frozen id self))) \
        (not (exists m.2 (inbox Hello self) (< (field Hello sender m.2) (frozen id self)))))";
    let text = ELECTION.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.split_once("(every p 1)").unwrap().1;
    let text = format!("(every p 1) {text}");
    let locals = (
        "(m (record Hello))",
        "(m (record Hello)) (m.2 (record Hello))",
    );
    let open = protocol(&text, &[(higher, either), locals]);
    assert_eq!(proved(&open), [false]);
    assert_eq!(direct(&open, 2, 0), Some(true));
    assert_eq!(direct(&open, 3, 0), Some(false));
}
