//! Channels, outboxes, hand-over, halting, loss and repetition.

use super::{count, count_in};
use enumerator::Setup;

/// A sends to B once it has started; each test adds the rest.
fn pair(sends: &str, b: &str, network: &str) -> String {
    format!(
        "message M {{ v: 0..2 }}\nmessage P\nmessage Q\n\
         node A {{\n start {{ {sends} }}\n}}\n\
         node B {{\n {b}\n}}\n\
         network complete {{ {network} }}\n"
    )
}

#[test]
fn a_send_to_a_full_channel_waits_in_the_outbox() {
    // (A, channel, outbox): (waiting, 0, 0) -start- (1, 1) -hand over- (0, 1) -transmit- (1, 0)
    // -hand over- (0, 0).
    let text = pair("send P to B; send P to B", "on P { }", "channel fifo(1)");
    assert_eq!(count(&text), (1, 5, 4, 0, 1));
    // With room for both: waiting, 2, 1, 0.
    let text = pair("send P to B; send P to B", "on P { }", "channel fifo(2)");
    assert_eq!(count(&text), (1, 4, 3, 0, 1));
}

#[test]
fn a_halted_node_with_something_in_its_outbox_only_transmits() {
    // A: W (waiting) or (channel to B, outbox), halted. B: W, S (Q in transit to A), D (dropped). W W: 2 events; W S:
    // 1; 11 W: 1; 11 S: 1; 01 S: 1; 10 S: 2; 10 D: 1; 00 S: 1; 00 D: none.
    let text = pair(
        "send P to B; send P to B; halt",
        "start { send Q to A }\n on P { }",
        "channel fifo(1)",
    );
    assert_eq!(count(&text), (1, 9, 10, 0, 1));
}

#[test]
fn later_sends_wait_whatever_their_edge() {
    // A: P, P to B, Q to C. Channel AB, AC, outbox:
    // W; 1,0,[P,Q] -B-> 0,0,[P,Q] -t-> 1,0,[Q] -t-> 1,1,[] ; 1,0,[Q] -B-> 0,0,[Q] -t-> 0,1,[];
    // 1,1,[] -B-> 0,1,[], -C-> 1,0,[]; 0,1,[] -C-> 0,0,[]; 1,0,[] -B-> 0,0,[].
    // States: W, 10PQ, 00PQ, 10Q, 11, 00Q, 01, 10, 00 = 9; transitions 1+1+1+2+2+1+1+1 = 10.
    let text = "message P\nmessage Q\n\
        node A { start { send P to B; send P to B; send Q to C } }\n\
        node B { on P { } }\n node C { on Q { } }\n\
        network complete { channel fifo(1) }\n";
    assert_eq!(count(text), (1, 9, 10, 0, 1));
}

#[test]
fn messages_wait_for_the_start_of_their_receiver() {
    // A, B: W W, started W (P waits), W started, both with P, both without. Events 2+1+1+1.
    let text = pair("send P to B", "start { }\n on P { }", "");
    assert_eq!(count(&text), (1, 5, 5, 0, 1));
}

#[test]
fn unordered_channels_are_bags() {
    let b = "var last: 0..2 = 0\n on M as m { last = m.v }";
    // W; {1,2} 0; {2} 1; {1} 2; {} 2; {} 1.
    let text = pair(
        "send M { v: 2 } to B; send M { v: 1 } to B",
        b,
        "channel unordered",
    );
    assert_eq!(count(&text), (1, 6, 5, 0, 2));
    // Equal messages are handed over by one event: W; {1,1} 0; {1} 1; {} 1.
    let text = pair(
        "send M { v: 1 } to B; send M { v: 1 } to B",
        b,
        "channel unordered",
    );
    assert_eq!(count(&text), (1, 4, 3, 0, 1));
}

#[test]
fn a_message_waits_while_no_guard_holds() {
    let b = "var open: Bool = false\n on P when open { }\n on Q { open = true }";
    // In a fifo, with Q behind it: W; P Q.
    let text = pair("send P to B; send Q to B", b, "channel fifo");
    assert_eq!(count(&text), (1, 2, 1, 0, 1));
    // In a bag: W; P Q; P open; open.
    let text = pair("send P to B; send Q to B", b, "channel unordered");
    assert_eq!(count(&text), (1, 4, 3, 0, 1));
}

#[test]
fn the_first_block_whose_guard_holds_takes_it() {
    // W; in transit; x = 2. One event although two guards hold.
    let b = "var x: 0..3 = 0\n on P when x == 1 { x = 1 }\n on P when x == 0 { x = 2 }\n\
             on P { x = 3 }";
    assert_eq!(count(&pair("send P to B", b, "")), (1, 3, 2, 0, 1));
}

#[test]
fn unhandled_and_ignored() {
    // W; in transit: its hand-over is an error.
    assert_eq!(
        count(&pair("send P to B", "var x: Bool = false", "")),
        (1, 2, 2, 1, 0)
    );
    // W; in transit; gone.
    assert_eq!(count(&pair("send P to B", "ignore P", "")), (1, 3, 2, 0, 1));
}

#[test]
fn loss() {
    let b = "var got: Bool = false\n on P { got = true }";
    let with = |faults: &str| pair("send P to B", b, "") + faults;
    // (W, 1), (P, 1), (got, 1), (lost, 0).
    assert_eq!(
        count(&with("faults lose at most 1 messages\n")),
        (1, 4, 3, 0, 2)
    );
    // W, P, got, lost.
    assert_eq!(count(&with("faults lose any messages\n")), (1, 4, 3, 0, 2));
    // Of another type: W, P, got.
    assert_eq!(
        count(&with("faults lose any messages of Q\n")),
        (1, 3, 2, 0, 1)
    );
    assert_eq!(
        count(&with("faults lose at most 0 messages\n")),
        (1, 3, 2, 0, 1)
    );
    // Dropped by a halted node, or ignored: no second outcome. (W, 1); (P P, 1); (P halted, 1), (P, lost, 0);
    // (halted, 1), (halted, 0).
    let text = pair("send P to B; send P to B", "on P { halt }", "");
    assert_eq!(
        count(&(text + "faults lose at most 1 messages\n")),
        (1, 6, 5, 0, 2)
    );
    let text = pair("send P to B", "ignore P", "") + "faults lose any messages\n";
    assert_eq!(count(&text), (1, 3, 2, 0, 1));
    // A message that waits for its guard is not lost either: W, P.
    let text = pair("send P to B", "on P when false { }", "") + "faults lose any messages\n";
    assert_eq!(count(&text), (1, 2, 1, 0, 1));
}

#[test]
fn repetition() {
    let b = "var got: Bool = false\n on P { got = true }";
    let with = |faults: &str| pair("send P to B", b, "") + faults;
    // (W, 1), (P, 1), (got, 1), (got P, 0), (got, 0).
    assert_eq!(
        count(&with("faults repeat at most 1 messages\n")),
        (1, 5, 4, 0, 2)
    );
    // W, P, got, got P (which repeats for ever).
    assert_eq!(
        count(&with("faults repeat any messages\n")),
        (1, 4, 5, 0, 1)
    );
    // Both, any number: W, P, got, lost, got P. Events: 1, then 3 in P and in got P.
    assert_eq!(
        count(&with(
            "faults repeat any messages\nfaults lose any messages\n"
        )),
        (1, 5, 7, 0, 2)
    );
    // Several items add up: W, P 2 left, lost 1 left, got.
    assert_eq!(
        count(&with(
            "faults lose at most 1 messages\nfaults lose at most 1 messages\n"
        )),
        (1, 4, 3, 0, 2)
    );
}

#[test]
fn on_a_ring_of_one_the_message_leaves_before_the_block_runs() {
    let text = "message P\n node A { start { send P to next }\n on P { send P to next } }\n\
        network ring { channel fifo(1) }\n";
    // W; P, handed over for ever.
    assert_eq!(count(text), (1, 2, 2, 0, 0));
    // Repeated it stays, the send finds no room, and the node never transmits: W; P 1; P [P] 0.
    let text = text.to_owned() + "faults repeat at most 1 messages\n";
    assert_eq!(count(&text), (1, 3, 3, 0, 1));
}

#[test]
fn broadcast_goes_to_the_neighbours() {
    // Node 1 alone broadcasts once. On a line one message: todo; in transit; gone.
    let text = |network: &str| {
        format!(
            "message P\n node Head {{ var todo: Bool = true\n \
             when go: todo {{ todo = false; broadcast P }}\n on P {{ }} }}\n\
             node A[2] {{ on P {{ }} }}\n network {network}\n"
        )
    };
    assert_eq!(count(&text("line")), (1, 3, 2, 0, 1));
    // Two messages, on two edges: todo; both; one or the other; none.
    for network in ["complete", "ring", "star", "ring(3)"] {
        assert_eq!(count(&text(network)), (1, 5, 5, 0, 1), "{network}");
    }
    // With one to itself: todo; the subsets of three; 1 + 12 events.
    assert_eq!(count(&text("star { to self }")), (1, 9, 13, 0, 1));
}

#[test]
fn worlds_replace_what_they_mention() {
    let text = pair("send P to B; send P to B", "on P { }", "channel fifo(1)")
        + "faults lose any messages\n\
           world Calm { faults none }\n\
           world Wide { network complete { channel fifo(2) } }\n";
    // Lost and handed over lead to the same state here: two more transitions than without loss.
    assert_eq!(count(&text), (1, 5, 6, 0, 1));
    let calm = Setup::default().world("Calm");
    assert_eq!(count_in(&text, &calm), (1, 5, 4, 0, 1));
    let wide = Setup::default().world("Wide");
    assert_eq!(count_in(&text, &wide), (1, 4, 5, 0, 1));
}

#[test]
fn what_is_sent_arrives_before_the_next_activation_of_its_sender() {
    // Nothing or P in transit: activated, handed over, activated, …
    let text = "message P\n node A { every any { broadcast P } }\n node B { on P { } }\n\
        network complete { delivery before next activation }\n";
    assert_eq!(count(text), (1, 2, 2, 0, 0));
}
