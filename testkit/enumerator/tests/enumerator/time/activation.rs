//! Activations: gaps, first activations, jitter.

use super::{Answer, answer, last, reachable};

fn ticking(every: &str) -> String {
    format!("node A {{ var n: 0..3 = 0\n every {every} {{ if n < 3 {{ n = n + 1 }} }} }}\n")
}

#[test]
fn gaps_are_free_in_their_interval() {
    // The activations are at 0 .. 3, 2 .. 6 and 4 .. 9.
    let model = ticking("2 .. 3");
    reachable(&model, "A.n == 1 and now == 0", true);
    reachable(&model, "A.n == 2 and now < 2", false);
    reachable(&model, "A.n == 2 and now == 2", true);
    reachable(&model, "A.n == 3 and now < 4", false);
    assert_eq!(last(&model, "A.n == 0"), Some(3));
    // At time 6, the state before the second activation is reachable.
    assert_eq!(last(&model, "A.n == 1"), Some(6));
    assert_eq!(last(&model, "A.n == 2"), Some(9));
}

#[test]
fn the_first_activation_has_its_own_interval() {
    let model = ticking("2 .. 3, first 5");
    reachable(&model, "A.n == 1 and now < 5", false);
    assert_eq!(last(&model, "A.n == 0"), Some(5));
    assert_eq!(last(&model, "A.n == 1"), Some(8));
}

#[test]
fn jitter_per_gap_adds_to_the_gap() {
    // The gaps are 4 .. 8. The first activation is at most 7: the longest gap without jitter.
    let model = ticking("6 ± 1, jitter ± 1 per gap");
    assert_eq!(last(&model, "A.n == 0"), Some(7));
    assert_eq!(last(&model, "A.n == 1"), Some(15));
    reachable(&model, "A.n == 2 and now < 4", false);
    reachable(&model, "A.n == 2 and now == 4", true);
}

#[test]
fn any_time_is_no_obligation() {
    let model = ticking("any");
    reachable(&model, "A.n == 3 and now == 0", true);
    reachable(&model, "A.n == 0 and now > 100", true);
    assert_eq!(
        answer(&model, "always (A.n == 0 implies now < 7)"),
        Answer::Fails
    );
}

#[test]
fn a_named_timing_and_units() {
    let model = "timing beat: 20 ms ± 50 %\n\
                 node A { var n: 0..3 = 0\n every beat { if n < 3 { n = n + 1 } } }\n";
    // The gaps are 10 ms .. 30 ms: the second activation is at 0.01 s at the earliest.
    reachable(model, "A.n == 2 and now == 10 ms", true);
    reachable(model, "A.n == 2 and now < 0.01 s", false);
    assert_eq!(
        answer(model, "always (now > 90 ms implies A.n >= 3)"),
        Answer::Holds
    );
    assert_eq!(
        answer(model, "always (now >= 90 ms implies A.n >= 3)"),
        Answer::Fails
    );
}

#[test]
fn activations_of_two_nodes_at_one_time_come_in_any_order() {
    let model = "message P\n\
        node A { every 2, first 2 { broadcast P } }\n\
        node B { var got: 0..2 = 0\n var seen: [0..2; 0..1] = 0\n var step: 0..2 = 0\n\
          on P { got = min(got + 1, 2) }\n\
          every 2, first 2 { if step < 2 { seen[step] = got\n step = step + 1 } } }\n\
        network complete { delivery within 0 .. 0 }\n";
    // A message sent at 2 may or may not be seen at 2; at 4, one or two messages have arrived.
    for (first, second, expected) in [
        (0, 1, true),
        (0, 2, true),
        (1, 1, true),
        (1, 2, true),
        (0, 0, false),
        (2, 2, false),
    ] {
        let seen = format!("B.step == 2 and B.seen[0] == {first} and B.seen[1] == {second}");
        reachable(model, &seen, expected);
    }
}
