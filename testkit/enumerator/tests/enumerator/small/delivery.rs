//! Channels, outboxes, delivery, halting, loss and repetition of messages.

use super::{count, count_in};
use enumerator::Setup;

/// A model in which A sends messages to B when it starts. The arguments are the send statements, the code of B, and the
/// network items.
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
    // States (messages on the channel, messages in the outbox): A waiting; start to (1, 1); deliver to (0, 1); transmit
    // to (1, 0); deliver to (0, 0).
    let text = pair("send P to B; send P to B", "on P { }", "channel fifo(1)");
    assert_eq!(count(&text), (1, 5, 4, 0, 1));
    // With room for both messages: A waiting, then 2, 1, 0 messages on the channel.
    let text = pair("send P to B; send P to B", "on P { }", "channel fifo(2)");
    assert_eq!(count(&text), (1, 4, 3, 0, 1));
}

#[test]
fn a_halted_node_with_something_in_its_outbox_only_transmits() {
    // State of A: W (waiting), or halted with (messages on the channel to B, messages in the outbox). State of B: W, S
    // (Q in transit to A), D (Q dropped). Enabled events: W W 2; W S 1; 11 W 1; 11 S 1; 01 S 1; 10 S 2; 10 D 1; 00 S 1;
    // 00 D none.
    let text = pair(
        "send P to B; send P to B; halt",
        "start { send Q to A }\n on P { }",
        "channel fifo(1)",
    );
    assert_eq!(count(&text), (1, 9, 10, 0, 1));
}

#[test]
fn later_sends_wait_whatever_their_edge() {
    // A sends P and P to B, then Q to C. States (messages to B, messages to C, outbox): W (waiting), 1 0 [P Q], 0 0 [P
    // Q], 1 0 [Q], 1 1 [], 0 0 [Q], 0 1 [], 1 0 [], 0 0 []: 9 states, with 1 + 1 + 1 + 2 + 2 + 1 + 1 + 1 + 0 enabled
    // events.
    let text = "message P\nmessage Q\n\
        node A { start { send P to B; send P to B; send Q to C } }\n\
        node B { on P { } }\n node C { on Q { } }\n\
        network complete { channel fifo(1) }\n";
    assert_eq!(count(text), (1, 9, 10, 0, 1));
}

#[test]
fn messages_wait_for_the_start_of_their_receiver() {
    // States (A, B): both waiting; A started and P in transit; B started; both started, with and without P. Enabled
    // events: 2 + 1 + 1 + 1 + 0.
    let text = pair("send P to B", "start { }\n on P { }", "");
    assert_eq!(count(&text), (1, 5, 5, 0, 1));
}

#[test]
fn unordered_channels_are_bags() {
    let b = "var last: 0..2 = 0\n on M as m { last = m.v }";
    // States (bag, last): A waiting; {1, 2} 0; {2} 1; {1} 2; {} 2; {} 1.
    let text = pair(
        "send M { v: 2 } to B; send M { v: 1 } to B",
        b,
        "channel unordered",
    );
    assert_eq!(count(&text), (1, 6, 5, 0, 2));
    // Equal messages are delivered by one event. States: A waiting; {1, 1} 0; {1} 1; {} 1.
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
    // In a queue, Q is behind P, which waits. States: A waiting; P Q in transit.
    let text = pair("send P to B; send Q to B", b, "channel fifo");
    assert_eq!(count(&text), (1, 2, 1, 0, 1));
    // In a bag, Q can be delivered first. States: A waiting; P Q; P with `open`; none with `open`.
    let text = pair("send P to B; send Q to B", b, "channel unordered");
    assert_eq!(count(&text), (1, 4, 3, 0, 1));
}

#[test]
fn the_first_block_whose_guard_holds_takes_it() {
    // States: A waiting; P in transit; x = 2. There is only one event, although two guards hold.
    let b = "var x: 0..3 = 0\n on P when x == 1 { x = 1 }\n on P when x == 0 { x = 2 }\n\
             on P { x = 3 }";
    assert_eq!(count(&pair("send P to B", b, "")), (1, 3, 2, 0, 1));
}

#[test]
fn unhandled_and_ignored() {
    // States: A waiting; P in transit, whose delivery is an error.
    assert_eq!(
        count(&pair("send P to B", "var x: Bool = false", "")),
        (1, 2, 2, 1, 0)
    );
    // States: A waiting; P in transit; P dropped.
    assert_eq!(count(&pair("send P to B", "ignore P", "")), (1, 3, 2, 0, 1));
}

#[test]
fn loss() {
    let b = "var got: Bool = false\n on P { got = true }";
    let with = |faults: &str| pair("send P to B", b, "") + faults;
    // States (message, budget): A waiting, 1; P in transit, 1; received, 1; lost, 0.
    assert_eq!(
        count(&with("faults lose at most 1 messages\n")),
        (1, 4, 3, 0, 2)
    );
    // States: A waiting; P in transit; received; lost.
    assert_eq!(count(&with("faults lose any messages\n")), (1, 4, 3, 0, 2));
    // The fault affects another message type. States: A waiting; P in transit; received.
    assert_eq!(
        count(&with("faults lose any messages of Q\n")),
        (1, 3, 2, 0, 1)
    );
    assert_eq!(
        count(&with("faults lose at most 0 messages\n")),
        (1, 3, 2, 0, 1)
    );
    // A message that a halted node drops, or that is ignored, cannot be lost as well. States (messages, budget): A
    // waiting, 1; P P, 1; P and B halted, 1; P after a loss, 0; B halted, 1; B halted, 0.
    let text = pair("send P to B; send P to B", "on P { halt }", "");
    assert_eq!(
        count(&(text + "faults lose at most 1 messages\n")),
        (1, 6, 5, 0, 2)
    );
    let text = pair("send P to B", "ignore P", "") + "faults lose any messages\n";
    assert_eq!(count(&text), (1, 3, 2, 0, 1));
    // A message that waits for its guard cannot be lost either. States: A waiting; P in transit.
    let text = pair("send P to B", "on P when false { }", "") + "faults lose any messages\n";
    assert_eq!(count(&text), (1, 2, 1, 0, 1));
}

#[test]
fn repetition() {
    let b = "var got: Bool = false\n on P { got = true }";
    let with = |faults: &str| pair("send P to B", b, "") + faults;
    // States (budget): A waiting (1); P in transit (1); received (1); received, P in transit (0); received (0).
    assert_eq!(
        count(&with("faults repeat at most 1 messages\n")),
        (1, 5, 4, 0, 2)
    );
    // States: A waiting; P in transit; received; received with P in transit, which can be repeated for ever.
    assert_eq!(
        count(&with("faults repeat any messages\n")),
        (1, 4, 5, 0, 1)
    );
    // Loss and repetition without limits. States: A waiting; P; received; lost; received with P. One event first, then
    // three each in the two states with P.
    assert_eq!(
        count(&with(
            "faults repeat any messages\nfaults lose any messages\n"
        )),
        (1, 5, 7, 0, 2)
    );
    // The limits of several items add up. States: A waiting; P with budget 2; lost with budget 1; received.
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
    // States: A waiting; P in transit, which is delivered and sent again for ever.
    assert_eq!(count(text), (1, 2, 2, 0, 0));
    // A repeated message stays on the edge, so the new one finds no room, and the node never transmits it. States
    // (budget): A waiting; P (1); P with P in the outbox (0).
    let text = text.to_owned() + "faults repeat at most 1 messages\n";
    assert_eq!(count(&text), (1, 3, 3, 0, 1));
}

#[test]
fn broadcast_goes_to_the_neighbours() {
    // Only node 1 broadcasts, once. On a line it sends one message. States: to do; in transit; received.
    let text = |network: &str| {
        format!(
            "message P\n node Head {{ var todo: Bool = true\n \
             when go: todo {{ todo = false; broadcast P }}\n on P {{ }} }}\n\
             node A[2] {{ on P {{ }} }}\n network {network}\n"
        )
    };
    assert_eq!(count(&text("line")), (1, 3, 2, 0, 1));
    // Two messages on two edges. States: to do; both, one or the other, or none in transit.
    for network in ["complete", "ring", "star", "ring(3)"] {
        assert_eq!(count(&text(network)), (1, 5, 5, 0, 1), "{network}");
    }
    // With a third message to itself. States: to do, and all subsets of three messages; 1 + 12 events.
    assert_eq!(count(&text("star { to self }")), (1, 9, 13, 0, 1));
}

#[test]
fn worlds_replace_what_they_mention() {
    let text = pair("send P to B; send P to B", "on P { }", "channel fifo(1)")
        + "faults lose any messages\n\
           world Calm { faults none }\n\
           world Wide { network complete { channel fifo(2) } }\n";
    // Loss and delivery lead to the same states here, so there are two more transitions than without loss.
    assert_eq!(count(&text), (1, 5, 6, 0, 1));
    let calm = Setup::default().world("Calm");
    assert_eq!(count_in(&text, &calm), (1, 5, 4, 0, 1));
    let wide = Setup::default().world("Wide");
    assert_eq!(count_in(&text, &wide), (1, 4, 5, 0, 1));
}

#[test]
fn what_is_sent_arrives_before_the_next_activation_of_its_sender() {
    // States: no message, or P in transit. The node is activated, P is delivered, and so on.
    let text = "message P\n node A { every any { broadcast P } }\n node B { on P { } }\n\
        network complete { delivery before next activation }\n";
    assert_eq!(count(text), (1, 2, 2, 0, 0));
}
