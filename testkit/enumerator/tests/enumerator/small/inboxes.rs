//! Instant delivery, inboxes, rounds and faults from the start.

use super::count;
use enumerator::{Setup, enumerate, invariant, read, read_condition, sum};

#[test]
fn messages_taken_at_once_are_never_on_the_way() {
    // Before and after.
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
    // Before the wipe: n = 0, 1, 2. After it (n, inbox): 0 []; 1 []; 2 []; 1 [M]; 2 [M]; with copies 2 [M M], too.
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
    // Even, or one of them ahead by one or two.
    let text = "node A[2] { every round(2) { } }\n";
    assert_eq!(count(text), (1, 5, 8, 0, 0));
    // The claim counts up to its bound.
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
    // No fault, and two faults of two nodes; nodes that are off restrict nothing.
    assert_eq!(counts.len(), 5);
    assert_eq!(sum(&counts).initial, 5);
}
