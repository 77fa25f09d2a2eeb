//! Crashes, stops and restarts.

use super::{Answer, answer, can, last, reachable};
use enumerator::{Setup, enumerate, read};

/// A sends two messages to both B and C, once, at 1.
fn telling(faults: &str) -> String {
    format!(
        "message P\n message Q\n\
         node A {{ var done: Bool = false\n\
           every 20, first 1 {{ if not done {{ done = true\n broadcast P\n broadcast Q }} }} }}\n\
         node B {{ var p: Bool = false\n var q: Bool = false\n on P {{ p = true }}\n on Q {{ q = true }} }}\n\
         node C {{ var p: Bool = false\n var q: Bool = false\n on P {{ p = true }}\n on Q {{ q = true }} }}\n\
         network complete {{ delivery within 0 }}\n{faults}\n"
    )
}

#[test]
fn a_crash_is_an_event_of_its_own() {
    let model = telling("faults at most 1 node: crash any time");
    // A node that crashes has sent all its messages or none, and all sent messages arrive.
    let whole = "A.done == B.p and A.done == B.q and (C.crashed or A.done == C.p)";
    let claim = format!("always (now > 1 and not B.crashed implies {whole})");
    assert_eq!(answer(&model, &claim), Answer::Holds);
    reachable(&model, "A.crashed and not A.done and now == 5", true);
    reachable(
        &model,
        "A.crashed and A.done and B.p and C.q and now == 1",
        true,
    );
    reachable(&model, "A.crashed and B.crashed", false);
    reachable(&model, "B.crashed and B.p", true);
    reachable(&model, "B.crashed and A.done and not B.p and now > 1", true);
    // A crashed node misses its activation: A may never be activated.
    assert_eq!(last(&model, "not A.done"), Some(20));
    assert_eq!(last(&telling(""), "not A.done"), Some(1));
    let claim = "always all k in Node: k.faultless == not k.crashed";
    assert_eq!(answer(&model, claim), Answer::Holds);
}

#[test]
fn a_crash_during_a_broadcast_sends_a_part() {
    let model = telling("faults at most 1 node: crash any time, during broadcast");
    // Each of the four pairs of message and receiver is sent or not, independently.
    for part in 0..16 {
        let is = |bit: i32| part & (1 << bit) != 0;
        let end = format!(
            "A.crashed and not A.done and now == 2 and B.p == {} and B.q == {} and C.p == {} and C.q == {}",
            is(0),
            is(1),
            is(2),
            is(3)
        );
        reachable(&model, &end, true);
    }
    // Not before the activation is possible. The crash is no activation and executes no assignment.
    reachable(
        &model,
        "A.crashed and not A.done and B.p and now < 1",
        false,
    );
    reachable(
        &model,
        "A.crashed and not A.done and B.p and A.activations > 0",
        false,
    );
    reachable(&model, "A.crashed and A.activations == 1", true);
    reachable(
        &model,
        "A.crashed and not A.done and A.sent(P) == 1 and A.sent(Q) == 2",
        true,
    );
    reachable(
        &model,
        "A.crashed and A.done and B.p != C.p and now == 2",
        false,
    );
}

#[test]
fn a_message_that_was_being_handed_over_is_consumed() {
    let model = "message P\n message Q\n\
        node A { var q: Bool = false\n start { send P to B }\n on Q { q = true } }\n\
        node B { var p: Bool = false\n on P { p = true\n broadcast Q } }\n\
        node C { var q: Bool = false\n on Q { q = true } }\n\
        network complete { delivery within 0 .. 3 }\n\
        faults at most 1 B: crash any time, during broadcast\n";
    reachable(
        model,
        "B.crashed and not B.p and C.q and not A.q and now > 6",
        true,
    );
    reachable(
        model,
        "B.crashed and C.q and in_flight(P, A, B) == 1",
        false,
    );
    reachable(model, "B.crashed and in_flight(P, A, B) == 1", true);
    reachable(model, "A.crashed or C.crashed", false);
    // All messages have arrived by 6.
    assert_eq!(last(model, "in_flight(Q, B, C) == 1"), Some(6));
}

#[test]
fn a_crash_instead_of_a_timer_and_of_a_start() {
    let model = "message P\n node A { timer t\n var rang: Bool = false\n start { set t in 2 .. 3\n broadcast P }\n\
        on t { rang = true\n broadcast P } }\n\
        node B[2] { var got: 0..2 = 0\n on P { got = got + 1 } }\n\
        network complete { delivery within 0 }\n\
        faults at most 1 A: crash any time, during broadcast\n";
    let first = |condition: &str| format!("exists i, j in B: i != j and {condition}");
    reachable(
        model,
        &first("A.crashed and now == 1 and i.got == 1 and j.got == 0"),
        true,
    );
    reachable(
        model,
        &first("A.crashed and now == 3 and i.got == 2 and j.got == 1"),
        true,
    );
    reachable(
        model,
        &first("A.rang and now == 4 and i.got == 2 and j.got == 1"),
        false,
    );
    reachable(
        model,
        &first("now < 2 and i.got == 2 and j.got == 1"),
        false,
    );
    reachable(model, "(all b in B: b.got == 0) and now == 1", true);
}

#[test]
fn crashes_without_time() {
    // States (x, mode): 2 * 2. The block runs once; a crash is possible from both running states.
    let model = "node A { var x: Bool = false\n when go: not x { x = true } }\n\
                 faults any nodes: crash any time\n";
    let counts = enumerate(&read(model).unwrap(), &Setup::default()).unwrap();
    let one = &counts[0];
    assert_eq!(
        (one.initial, one.states, one.transitions, one.final_states),
        (1, 4, 3, 2)
    );
}

/// A counts its activations since its last start in `n`, and all of them in `ever`.
fn counting(faults: &str) -> String {
    format!(
        "node A {{ var n: 0..3 = 0\n persistent var ever: 0..9 = 0\n persistent var starts: 0..3 = 0\n\
           start {{ starts = min(starts + 1, 3) }}\n\
           every 2, first 1 {{ n = min(n + 1, 3)\n ever = min(ever + 1, 9) }} }}\n\
         node B {{ persistent var starts: 0..3 = 0\n start {{ starts = min(starts + 1, 3) }} }}\n{faults}\n"
    )
}

#[test]
fn a_fresh_restart_begins_anew() {
    let model = counting("faults at most 1 node: stop any time, restart fresh within 1 .. 2");
    reachable(&model, "A.n == 0 and A.ever == 2 and not A.stopped", true);
    reachable(&model, "A.n == 1 and A.ever == 2", true);
    // Stopped at 0, restarted at 1 .. 2, activated 1 later.
    reachable(&model, "A.starts == 2 and A.n == 1 and now < 2", false);
    reachable(&model, "A.starts == 2 and A.n == 1 and now == 2", true);
    // `start` runs as part of the restart.
    let running = "not A.stopped and A.ever > 0 implies A.starts > 0";
    assert_eq!(
        answer(&model, &format!("always ({running})")),
        Answer::Holds
    );
    assert_eq!(
        answer(&model, "A.stopped leads to not A.stopped within 2"),
        Answer::Holds
    );
    assert_eq!(
        answer(&model, "A.stopped leads to not A.stopped within 1"),
        Answer::Fails
    );
    // The count of activations continues over a restart.
    reachable(&model, "A.n == 1 and A.activations == 3", true);
    // The same node may be stopped repeatedly, but only one node may be stopped.
    reachable(&model, "A.starts == 3", true);
    reachable(&model, "A.starts == 2 and B.starts == 2", false);
    reachable(&model, "A.starts == 3 and A.faultless", false);
    reachable(
        &counting("faults any nodes: stop any time, restart fresh"),
        "A.starts == 2 and B.starts == 2",
        true,
    );
}

#[test]
fn a_restart_that_keeps_its_state() {
    let model = counting("faults at most 1 A: stop any time, restart keeping state within 3");
    reachable(&model, "A.starts > 1 or B.stopped", false);
    assert_eq!(
        answer(&model, "always (A.n == min(A.ever, 3))"),
        Answer::Holds
    );
    // Stopped before 1, restarted at 3 or later, activated 1 later.
    reachable(
        &model,
        "A.n == 1 and not A.faultless and not A.stopped and now < 3",
        false,
    );
    reachable(
        &model,
        "A.n == 1 and not A.stopped and not A.faultless and now == 4",
        true,
    );
}

#[test]
fn without_a_time_a_restart_is_never_owed() {
    let model = counting("faults at most 1 A: stop any time, restart fresh");
    reachable(&model, "A.stopped and now == 0", true);
    reachable(&model, "A.starts == 3 and now == 0", true);
    assert_eq!(last(&model, "A.stopped and A.starts == 1"), Some(20));
    assert_eq!(
        answer(&model, "A.stopped leads to not A.stopped within 9"),
        Answer::Fails
    );
}

#[test]
fn values_after_a_fresh_restart() {
    let with = |restart: &str| {
        format!(
            "node A {{ var x: 0..1 = any\n persistent var y: 0..1 = any\n every 1 {{ }} }}\n\
             initially A.x == 0 and A.y == 0\n\
             faults any nodes: stop any time, restart {restart} within 0 .. 1\n"
        )
    };
    assert_eq!(can(&with("fresh"), "A.x == 1"), Answer::Possible);
    assert_eq!(can(&with("fresh"), "A.y == 1"), Answer::Impossible);
    assert_eq!(can(&with("keeping state"), "A.x == 1"), Answer::Impossible);
}

#[test]
fn a_stopped_node_takes_nothing_and_has_no_timers() {
    let model = "message P\n node A { start { broadcast P } }\n\
        node B { var got: Bool = false\n var rang: Bool = false\n timer t\n start { set t in 2 }\n\
          on P { got = true }\n on t { rang = true } }\n\
        network complete { delivery within 1 .. 2 }\n\
        faults at most 1 B: stop any time, restart keeping state within 5\n";
    reachable(
        model,
        "not B.stopped and not B.got and not B.rang and now == 6",
        true,
    );
    // The message is in transit until the stopped node drops it, at 2 at the latest.
    assert_eq!(last(model, "in_flight(P, A, B) == 1"), Some(2));
    reachable(model, "B.got and not B.rang and now == 6", true);
    reachable(model, "B.stopped and B.rang", true);
}

#[test]
fn lists_count_nodes_with_any_of_their_faults() {
    let model =
        counting("faults at most 1 node: crash any time, stop any time, restart fresh within 1");
    reachable(&model, "A.crashed and A.starts == 2", true);
    reachable(&model, "A.crashed and (B.stopped or B.starts == 2)", false);
    let model = counting(
        "faults at most 1 A: crash any time\nfaults at most 1 B: stop any time, restart fresh within 1",
    );
    reachable(&model, "A.crashed and B.stopped", true);
    reachable(&model, "B.crashed or A.stopped", false);
}

#[test]
fn a_crash_during_a_broadcast_that_is_taken_at_once() {
    let model = telling("faults at most 1 A: crash any time, during broadcast")
        .replace("delivery within 0", "delivery instant");
    let parts = ["B.p and not B.q and not C.p and C.q", "not B.p and C.p"];
    for part in parts {
        reachable(
            &model,
            &format!("A.crashed and not A.done and {part}"),
            true,
        );
        reachable(&model, &format!("(A.done or now < 1) and {part}"), false);
    }
}

#[test]
fn before_its_start_a_node_may_fail_too() {
    let with = |faults: &str| {
        format!(
            "node A {{ var n: 0..2 = 0\n start {{ n = n + 1 }}\n every 2, first 1 {{ }} }}\n\
             faults any nodes: {faults}\n"
        )
    };
    reachable(
        &with("crash any time"),
        "A.crashed and A.n == 0 and now == 0",
        true,
    );
    // A node that is stopped before its start executes `start` once, after the restart and before any activation.
    let keeping = with("stop any time, restart keeping state within 3");
    reachable(&keeping, "A.n == 0 and A.activations == 1", false);
    reachable(&keeping, "A.n == 0 and now == 3", true);
    reachable(&keeping, "A.n == 2", false);
    let fresh = with("stop any time, restart fresh within 3");
    reachable(&fresh, "A.n == 0 and not A.stopped and now == 3", false);
    reachable(&fresh, "A.n == 1 and now == 3", true);
}
