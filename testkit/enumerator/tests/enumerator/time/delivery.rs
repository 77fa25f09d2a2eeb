//! Messages with delays.

use super::{Answer, answer, can, last, reachable, refusal};

/// A sends P once, at 1. B is activated at 0, 1, 2, … and stores the number of the first activation at which P has
/// arrived.
fn sight(delay: &str) -> String {
    format!(
        "message P\n\
         node A {{ var done: Bool = false\n every 20, first 1 {{ if not done {{ done = true\n broadcast P }} }} }}\n\
         node B {{ var here: Bool = false\n var step: 0..9 = 0\n var seen: Option<0..9> = none\n\
           on P {{ here = true }}\n\
           every 1, first 0 {{ if here and seen == none {{ seen = step }}\n step = min(step + 1, 9) }} }}\n\
         network complete {{ delivery within {delay} }}\n"
    )
}

#[test]
fn a_message_may_be_used_at_once_and_may_miss_a_step_at_its_last_moment_but_no_later_one() {
    // Activation k of B, counted from 0, is at time k. A message sent at 1 with delay 0 .. 2 is seen at 1, 2 or 3, or
    // at 4 if it arrives at 3 after the activation.
    let model = sight("0 .. 2");
    for (step, expected) in [
        (0, false),
        (1, true),
        (2, true),
        (3, true),
        (4, true),
        (5, false),
    ] {
        reachable(&model, &format!("B.seen == {step}"), expected);
    }
    // The message cannot arrive before its interval begins.
    let model = sight("2 .. 3");
    for (step, expected) in [
        (1, false),
        (2, false),
        (3, true),
        (4, true),
        (5, true),
        (6, false),
    ] {
        reachable(&model, &format!("B.seen == {step}"), expected);
    }
    assert_eq!(last(&model, "in_flight(P, A, B) > 0"), Some(4));
}

/// A sends 1 at time 0 and 2 at time 1; B stores the first and the last value that it receives.
fn two(delay: &str) -> String {
    format!(
        "message M {{ v: 0..2 }}\n\
         node A {{ var n: 0..2 = 0\n\
           every 1, first 0 {{ if n < 2 {{ n = n + 1\n broadcast M {{ v: n }} }} }} }}\n\
         node B {{ var last: 0..2 = 0\n var first: 0..2 = 0\n\
           on M as m {{ last = m.v\n if first == 0 {{ first = m.v }} }} }}\n\
         network complete {{ delivery within {delay} }}\n"
    )
}

#[test]
fn unordered_messages_overtake_and_fifo_ones_do_not() {
    reachable(&two("0 .. 1"), "B.first == 2", true);
    reachable(&two("0 .. 1, unordered"), "B.first == 2", true);
    reachable(&two("0 .. 1, fifo"), "B.first == 2", false);
    // No overtaking if the first message arrives before the second is sent, or if all delays are equal.
    reachable(&two("0 .. 0"), "B.first == 2", false);
    reachable(&two("3 .. 3"), "B.first == 2", false);
    // In order, each within its interval: the first message arrives by 4, the second by 5.
    let fifo = two("1 .. 4, fifo");
    assert_eq!(last(&fifo, "B.last == 0"), Some(4));
    assert_eq!(last(&fifo, "B.last == 1"), Some(5));
    reachable(&fifo, "B.last == 2 and now < 2", false);
    reachable(&fifo, "B.last == 2 and now == 2", true);
}

#[test]
fn a_message_before_the_next_activation_of_its_sender() {
    let model = "message P\n\
        node A { var n: 0..3 = 0\n every 3 .. 4, first 0 { n = min(n + 1, 3)\n broadcast P } }\n\
        node B { var got: 0..3 = 0\n on P { got = min(got + 1, 3) } }\n\
        network complete { delivery before next activation }\n";
    // There are never two messages in transit. The second activation is at 3 .. 4, so the first message has arrived by
    // 4.
    assert_eq!(
        answer(model, "always (in_flight(P, A, B) <= 1)"),
        Answer::Holds
    );
    assert_eq!(
        answer(model, "always (A.n >= 2 implies B.got >= 1)"),
        Answer::Holds
    );
    assert_eq!(last(model, "B.got == 0"), Some(4));
    reachable(model, "B.got == 1 and now == 0", true);
    reachable(model, "B.got == 2 and now < 3", false);
}

#[test]
fn instant_messages_take_no_time() {
    let model = "message P\n node A { var n: 0..3 = 0\n every 2, first 1 { n = min(n + 1, 3)\n broadcast P } }\n\
        node B { var got: 0..3 = 0\n on P { got = min(got + 1, 3) } }\n\
        network complete { delivery instant }\n";
    assert_eq!(answer(model, "always (A.n == B.got)"), Answer::Holds);
    assert_eq!(last(model, "B.got == 1"), Some(3));
}

#[test]
fn lost_and_repeated_messages() {
    let with = |faults: &str| {
        format!(
            "message P\n node A {{ start {{ broadcast P }} }}\n\
             node B {{ var got: 0..3 = 0\n on P {{ got = min(got + 1, 3) }} }}\n\
             network complete {{ delivery within 1 .. 2 }}\n{faults}\n"
        )
    };
    assert_eq!(
        answer(&with(""), "always (now > 2 implies B.got == 1)"),
        Answer::Holds
    );
    assert_eq!(
        answer(
            &with("faults lose at most 1 message"),
            "always (now > 2 implies B.got == 1)"
        ),
        Answer::Fails
    );
    // A message is repeated only within its interval.
    let repeat = with("faults repeat any messages");
    reachable(&repeat, "B.got == 3 and now == 1", true);
    assert_eq!(last(&repeat, "in_flight(P, A, B) == 1"), Some(2));
    let repeat = with("faults repeat at most 1 message");
    reachable(&repeat, "B.got == 3", false);
    reachable(&repeat, "B.got == 2 and now < 1", false);
}

#[test]
fn a_message_that_nobody_can_take_in_time_stops_time() {
    // B takes every message in time, so time passes.
    let model = "message P\n node A { every 2, first 0 { broadcast P } }\n\
        node B { on P { } }\n network complete { delivery within 1 }\n";
    assert_eq!(answer(model, "always true"), Answer::Holds);
    // A sends to itself in zero time for ever, so time does not pass.
    let model = "message P\n node A { start { send P to self }\n on P { send P to self } }\n\
        network complete { to self; delivery within 0 }\n";
    assert_eq!(answer(model, "always true"), Answer::Error);
    assert_eq!(answer(model, "always (now == 0)"), Answer::Error);
    assert_eq!(can(model, "now > 0"), Answer::Error);
    // If the delay may be positive, time can pass.
    let model = "message P\n node A { start { send P to self }\n on P { send P to self } }\n\
        network complete { to self; delivery within 0 .. 1 }\n";
    assert_eq!(answer(model, "always true"), Answer::Holds);
    // A time-lock: the activation is due, but A waits for room on the edge, because B never takes its message.
    let model = "message P\n node A { every 1 { broadcast P } }\n\
        node B { on P when false { } }\n network complete { channel fifo(1) }\n";
    assert_eq!(answer(model, "always true"), Answer::Error);
}

#[test]
fn guards_where_messages_cannot_wait() {
    for delivery in ["within 1 .. 2", "before next activation"] {
        let model = format!(
            "message P\n node A {{ every 1 {{ broadcast P }} }}\n node B {{ on P when true {{ }} }}\n\
             network complete {{ delivery {delivery} }}\n"
        );
        assert!(refusal(&model, "always true").contains("guard"));
    }
}
