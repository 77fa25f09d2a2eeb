//! Timers.

use super::{Answer, answer, last, reachable};

#[test]
fn a_timer_expires_once_in_its_interval() {
    let model = "node A { var n: 0..3 = 0\n timer t\n start { set t in 2 .. 4 }\n\
        on t { assert not (t is set)\n n = n + 1 } }\n";
    reachable(model, "A.n == 1 and now < 2", false);
    reachable(model, "A.n == 1 and now == 2", true);
    assert_eq!(last(model, "A.n == 0"), Some(4));
    assert_eq!(
        answer(model, "always (A.n <= 1 and (A.t is set implies A.n == 0))"),
        Answer::Holds
    );
    // After the timer has expired, no further event occurs.
    reachable(model, "quiescent and A.n == 0", false);
    reachable(model, "quiescent and A.n == 1 and now == 3", true);
}

#[test]
fn set_again_it_begins_anew_and_cancelled_it_is_gone() {
    let model = |code: &str| {
        format!(
            "node A {{ var rang: Bool = false\n var n: 0..2 = 0\n timer t\n start {{ set t in 3 }}\n\
             on t {{ rang = true }}\n every 2, first 2 {{ n = min(n + 1, 2)\n {code} }} }}\n"
        )
    };
    assert_eq!(last(&model(""), "not A.rang"), Some(3));
    assert_eq!(
        last(&model("if n == 1 { set t in 3 }"), "not A.rang"),
        Some(5)
    );
    reachable(
        &model("if n == 1 { set t in 3 }"),
        "A.rang and now < 5",
        false,
    );
    reachable(&model("cancel t"), "A.rang", false);
    // A timer that is set again every 2 never expires.
    reachable(&model("set t in 3"), "A.rang", false);
    // At time 2, the timer may expire before the activation or after it.
    let model = model("cancel t").replace("set t in 3", "set t in 2");
    reachable(&model, "A.rang", true);
    reachable(&model, "not A.rang and now > 2", true);
}

#[test]
fn a_timer_and_a_message_at_one_time_come_in_any_order() {
    let model = |delay: &str| {
        format!(
            "enum First {{ Nothing, Bell, Letter }}\n message P\n\
             node A {{ start {{ broadcast P }} }}\n\
             node B {{ var first: First = Nothing\n timer t\n start {{ set t in 2 }}\n\
               on t {{ if first == Nothing {{ first = Bell }} }}\n\
               on P {{ if first == Nothing {{ first = Letter\n cancel t }} }} }}\n\
             network complete {{ delivery within {delay} }}\n"
        )
    };
    for (delay, bell, letter) in [("1", false, true), ("2", true, true), ("3", true, false)] {
        reachable(&model(delay), "B.first == Bell", bell);
        reachable(&model(delay), "B.first == Letter", letter);
    }
}

#[test]
fn one_for_each_node() {
    let model = "message P\n node A[2] { on P { }\n every 3, first 0 { broadcast P } }\n\
        node B { var late: Set<Node> = {}\n timer t[Node]\n start { for k in A { set t[k] in 2 } }\n\
          on P from k { cancel t[k]\n set t[k] in 4 .. 5 }\n\
          on t[k] { late = late union { k }\n assert k in A } }\n\
        network complete { delivery within 0 .. 1 }\n";
    // Messages arrive at 0 .. 1 and at 3 .. 4. A timer that is set at 0 may expire at 4, before the second message
    // arrives.
    reachable(model, "now < 4 and B.late != {}", false);
    reachable(model, "now == 4 and size(B.late) == 1", true);
    assert_eq!(
        answer(
            model,
            "always (now > 0 implies all k in A: k in B.late or B.t[k] is set)"
        ),
        Answer::Holds
    );
}

#[test]
fn bounds_from_variables() {
    let model = "node A { var n: 1..4 = 1\n var done: Bool = false\n timer t\n start { set t in n .. 2 * n }\n\
        on t { if n < 4 { n = 2 * n\n set t in n .. n + 1 } else { done = true } } }\n";
    // The timer runs for 1 .. 2, then for 2 .. 3, then for 4 .. 5.
    reachable(model, "A.done and now < 7", false);
    assert_eq!(last(model, "not A.done"), Some(10));
    let units = "node A { var n: 1..3 = any\n var done: Bool = false\n timer t\n\
        start { set t in n * 20 ms .. n * 20 ms + 10 ms }\n on t { done = true } }\n";
    assert_eq!(
        answer(units, "always (A.done implies now >= 20 ms)"),
        Answer::Holds
    );
    assert_eq!(
        answer(units, "always (now > 70 ms implies A.done)"),
        Answer::Holds
    );
    assert_eq!(
        answer(units, "always (now >= 70 ms implies A.done)"),
        Answer::Fails
    );
}

#[test]
fn halted_nodes_have_no_timers() {
    let model =
        "node A { var n: 0..1 = 0\n timer t\n start { set t in 2\n halt }\n on t { n = 1 } }\n";
    assert_eq!(
        answer(model, "always (A.n == 0 and A.halted or now == 0)"),
        Answer::Holds
    );
}
