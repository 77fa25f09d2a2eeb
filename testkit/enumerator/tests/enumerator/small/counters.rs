//! Counters: states that differ only by a shift of all counters of a class are equal.

use super::{count, refusal};
use enumerator::{
    Answer, Most, Setup, ask, enumerate, least, most_activations, reachable, read, read_condition,
};

#[test]
fn a_counter_alone_is_always_the_same() {
    // All values of c are the same state.
    let text = "node A { var c: Counter = any in 3..7\n every any { c = c + 1 } }\n";
    assert_eq!(count(text), (1, 1, 1, 0, 0));
}

#[test]
fn differences_within_a_class() {
    // b - a is initially 0, 1 or 2, and decreases to 0.
    let text = "node A { var a: Counter = any in 0..1\n var b: Counter = any in { 1, 2 }\n\
                when up: a < b { a = a + 1 } }\n";
    assert_eq!(count(text), (3, 3, 2, 0, 1));
    // Two counters that are never compared belong to different classes.
    let text = "node A { var a: Counter = any in 0..1\n var b: Counter = any in { 1, 2 }\n\
                every any { a = a + 1; b = b - 3 } }\n";
    assert_eq!(count(text), (1, 1, 1, 0, 0));
    // a is compared with b, and b with c, so all three belong to one class.
    let text = "node A { var a: Counter = 0\n var b: Counter = any in 0..1\n var c: Counter = any in 0..1\n\
                every any { if a < b { a = max(a, b) } else { b = min(b, c) } } }\n";
    // States (a, b, c), initially 000, 001, 010, 011. Transitions: 000 and 001 to themselves, 010 to 110, 110 to 100,
    // 100 to itself, 011 to 111 = 000.
    assert_eq!(count(text), (4, 6, 6, 0, 0));
}

#[test]
fn claims_and_conditions_put_counters_together() {
    let text = "node A { var a: Counter = any in 0..2\n var b: Counter = any in 0..2 }\n";
    assert_eq!(count(text).1, 1);
    let with_claim = format!("{text} claim equal: always A.a == A.b\n");
    assert_eq!(count(&with_claim).1, 5);
    // Conditions on initial states are evaluated before states are shifted: (a, b) is (0, 2), (1, 2) or (2, 2).
    let with_condition = format!("{text} initially A.b == 2 and A.a <= A.b\n");
    assert_eq!(count(&with_condition).1, 3);
}

#[test]
fn messages_on_the_way_shift_too() {
    // The message carries the counter of A. When B receives it, B's counter becomes equal to A's.
    let text = "message M { n: Counter }\n\
        node A { var c: Counter = 5\n var on: Bool = true\n when go: on { on = false; broadcast M { n: c } } }\n\
        node B { var d: Counter = any in 3..4\n on M as m { d = max(d, m.n) } }\n\
        network complete\n";
    // The distance of the counters is 1 or 2, before the send and while the message is in transit; then they are equal.
    assert_eq!(count(text), (2, 5, 4, 0, 1));
    // A counter in an inbox that is read once.
    let inbox = "message M { n: Counter }\n\
        node A { var c: Counter = any in 5..9\n every any { c = c + 1; broadcast M { n: c } } }\n\
        node B { var d: Counter = 0\n var seen: Bool = false\n\
          when look: not seen and (exists m in inbox: m.n >= d) { seen = true } }\n\
        network complete { delivery instant; inbox latest per sender }\n";
    let file = read(inbox).unwrap();
    let small = Setup {
        limit: 50,
        ..Setup::default()
    };
    let seen = read_condition("B.seen").unwrap();
    assert_eq!(reachable(&file, &small, &seen), Ok(true));
    // The distance between c and d grows without bound.
    assert!(enumerate(&file, &small).unwrap_err().contains("states"));
    // Now d is set to the counter in the message, and c is incremented only once.
    let follows = inbox.replace(
        "{ seen = true }",
        "{ seen = true; d = max m in inbox: m.n }",
    );
    let next = follows
        .replace("every any {", "when more: c == old {")
        .replace("node A { ", "node A { var old: Counter = any in 5..9\n");
    // Of the 25 initial states, the five with c = old have a transition, to states with a message c = old + 1, which is
    // above d. After the message is seen, c = d = old + 1, which is one state up to a shift.
    assert_eq!(count(&next), (25, 25 + 5 + 1, 10, 0, 20 + 1));
}

#[test]
fn structs_sets_arrays_options_functions_and_actions() {
    let text = "struct S { c: Counter, on: Bool }\n fn later(a: Counter, b: Counter): Counter = max(a, b)\n\
        node A { var s: S = S { c: 1, on: true }\n var heard: Set<Counter> = { 1, 2 }\n\
          var some: [Counter; 0..1] = 2\n var o: Option<Counter> = none\n\
          action put(c: Counter) { o = c }\n\
          every any { s.c = later(s.c, some[0]) + 1; some[0] = s.c; some[1] = s.c; heard = { s.c }; put(s.c) } }\n";
    // Initially 1, {1, 2}, [2, 2], none, up to a shift; after the first event all counters are equal for ever.
    assert_eq!(count(text), (1, 2, 2, 0, 0));
}

#[test]
fn numbers_are_refused_in_code_and_claims() {
    for (code, why) in [
        ("c = 0", "number"),
        ("if c > 3 { c = c - 1 }", "number"),
        ("c = c * 2", "operation"),
        ("c = c + c", "operation"),
        ("c = -c", "negative"),
        ("let d = if c == c then c else 4", "number"),
    ] {
        let text = format!("node A {{ var c: Counter = 0\n every any {{ {code} }} }}\n");
        let said = refusal(&text);
        assert!(said.contains(why), "{code}: {said}");
    }
    let text = "node A { var c: Counter = 0 }\n";
    let claim = read_condition("always A.c == 0").unwrap();
    let said = ask(&read(text).unwrap(), &Setup::default(), &claim).unwrap_err();
    assert!(said.contains("number"), "{said}");
    let restart = format!("{text} faults any nodes: stop any time, restart fresh\n");
    assert!(refusal(&restart).contains("restart"));
}

/// Two nodes that send each other their counters in rounds and keep the greater one.
const CATCH_UP: &str = "message M { n: Counter }\n\
    node A[2] { var c: Counter = any in 0..2\n every round { broadcast M { n: c } }\n\
      on M as m { c = max(c, m.n) } }\n\
    network complete { delivery instant }\n\
    claim soon(N: 0..9): always ((all k in A: k.activations >= N) implies all j, k in A: j.c == k.c)\n\
    claim at_once(N: 0..9): always ((exists k in A: k.activations >= N) implies all j, k in A: j.c == k.c)\n";

#[test]
fn least_values_by_trying() {
    let file = read(CATCH_UP).unwrap();
    let setup = Setup::default();
    // The node with the smaller counter may be activated first; after one activation of each, the greater counter has
    // been sent.
    let soon = read_condition("soon(N)").unwrap();
    assert_eq!(least(&file, &setup, "N", &soon), Ok(Some(1)));
    let at_once = read_condition("at_once(N)").unwrap();
    assert_eq!(least(&file, &setup, "N", &at_once), Ok(Some(2)));
    let never = CATCH_UP.replace("max(c, m.n)", "max(c, m.n) + 1");
    let never = read(&never).unwrap();
    assert_eq!(least(&never, &setup, "N", &soon), Ok(None));
    // The longest path to a state in which the counters differ has at most one activation, of one node.
    let apart = read_condition("exists j, k in A: j.c != k.c").unwrap();
    let most = |file| most_activations(file, &setup, &apart).unwrap().0;
    assert_eq!(most(&file), Most::Number { every: 0, some: 1 });
    assert_eq!(most(&never), Most::Unbounded);
    let nowhere = read(&CATCH_UP.replace("any in 0..2", "1")).unwrap();
    assert_eq!(most(&nowhere), Most::Never);
}

#[test]
fn an_empty_claim_is_no_answer() {
    // A is activated once and halts, so the premise of `late` is never true.
    let text = "node A { every any { halt } }\n\
        claim late(N: 2..9): always (A.activations >= N implies false)\n\
        claim early(N: 0..9): always (A.activations < N)\n";
    let file = read(text).unwrap();
    let claim = |text: &str| read_condition(text).unwrap();
    assert_eq!(
        least(&file, &Setup::default(), "N", &claim("late(N)")),
        Ok(None)
    );
    assert_eq!(
        least(&file, &Setup::default(), "N", &claim("early(N)")),
        Ok(Some(2))
    );
    assert_eq!(
        ask(&file, &Setup::default(), &claim("early(1)")),
        Ok(Answer::Fails)
    );
}
