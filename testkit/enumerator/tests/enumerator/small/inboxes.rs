//! Instantaneous delivery, inboxes, rounds, and faults from the start.

use super::count;
use enumerator::{Setup, enumerate, invariant, read, read_condition, sum};

#[test]
fn messages_taken_at_once_are_never_on_the_way() {
    // States: before and after the broadcast.
    let text = "message M\n node A { var done: Bool = false\n when go: not done { done = true; broadcast M } }\n\
                node B[2] { var got: Bool = false\n on M { got = true } }\n\
                network complete { delivery instant }\n";
    assert_eq!(count(text), (1, 2, 1, 0, 1));
}

#[test]
fn copies_count_if_somebody_counts() {
    let with = |look: &str| {
        format!(
            "message M\n node A {{ var n: 0..2 = 0\n when go: n < 2 {{ n = n + 1; send M to B }} }}\n\
             node B {{ var x: 0..2 = 0\n when never: false {{ x = {look} }}\n when wipe: x == 0 {{ x = 1; clear inbox }} }}\n\
             network complete {{ delivery instant }}\n"
        )
    };
    // States (n, inbox). Before the wipe: n = 0, 1, 2, with the messages sent so far. After it: 0 []; 1 []; 2 []; 1
    // [M]; 2 [M]; and with copies also 2 [M M].
    assert_eq!(count(&with("size(inbox)")), (1, 8, 8, 0, 2));
    assert_eq!(count(&with("count m in inbox: true")), (1, 9, 8, 0, 3));
}

#[test]
fn first_messages() {
    let with = |start: &str| {
        format!(
            "message M {{ v: 0..2 }}\n node A {{ var n: 0..2 = 0\n when never: false {{ send M {{ v: n }} to B }} }}\n\
             node B {{ var x: 0..2 = 0\n when never: false {{ x = max m in inbox: m.v }} }}\n\
             network complete {{ inbox all{start} }}\n"
        )
    };
    assert_eq!(count(&with("")), (1, 1, 0, 0, 1));
    assert_eq!(count(&with(", starts empty")), (1, 1, 0, 0, 1));
    assert_eq!(
        count(&with(", starts with one from each sender")),
        (3, 3, 0, 0, 3)
    );
    assert_eq!(count(&with(", starts with anything")), (4, 4, 0, 0, 4));
}

#[test]
fn rounds_keep_nodes_together() {
    // States: equal counts, or one of the nodes one or two activations ahead.
    let text = "node A[2] { every round(2) { } }\n";
    assert_eq!(count(text), (1, 5, 8, 0, 0));
    // Counts are stored up to the bound that the claim distinguishes.
    let file = read(text).unwrap();
    let far = read_condition(
        "(exists k in A: k.activations >= 4) implies (all k in A: k.activations >= 2)",
    );
    assert_eq!(invariant(&file, &Setup::default(), &far.unwrap()), Ok(true));
    let near = read_condition(
        "(exists k in A: k.activations >= 4) implies (all k in A: k.activations >= 3)",
    );
    assert_eq!(
        invariant(&file, &Setup::default(), &near.unwrap()),
        Ok(false)
    );
}

#[test]
fn faults_are_part_of_the_instance() {
    let file = read("node A { var x: 0..2 = any }\n node B { var x: 0..2 = any }\n\
                     faults at most 1 nodes: off, deaf from start\n initially A.x == 1 and B.x == 1\n")
    .unwrap();
    let counts = enumerate(&file, &Setup::default()).unwrap();
    // No fault, or one of two faults at one of two nodes. The condition does not restrict the variables of nodes that
    // are off.
    assert_eq!(counts.len(), 5);
    assert_eq!(sum(&counts).initial, 5);
}
