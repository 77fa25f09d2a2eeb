//! Claims about time, and errors in models with time.

use super::{Answer, answer, can, refusal};

/// A lamp A that is off for 2 .. 3 and on for 1 .. 2, repeatedly; and a node B that changes `odd` every 2.
const LAMP: &str = "node A { var lit: Bool = false\n timer t\n start { set t in 2 .. 3 }\n\
    on t { lit = not lit\n if lit { set t in 1 .. 2 } else { set t in 2 .. 3 } } }\n\
    node B { var odd: Bool = false\n every 2, first 2 { odd = not odd } }\n";

#[test]
fn what_follows_within_a_time() {
    for (claim, expected) in [
        ("A.lit leads to not A.lit within 2", Answer::Holds),
        ("A.lit leads to not A.lit within 1", Answer::Fails),
        ("always (not A.lit leads to A.lit within 3)", Answer::Holds),
        ("always (not A.lit leads to A.lit within 2)", Answer::Fails),
        // A goal that holds immediately holds within any time.
        ("A.lit leads to A.lit within 0", Answer::Holds),
        (
            "all k in A: k.lit leads to not k.lit within 2",
            Answer::Holds,
        ),
        // B is odd from 2 to 4, from 6 to 8, and so on. If A becomes lit at 4 after the change of B, B is odd again 2
        // later.
        ("always (A.lit leads to B.odd within 2)", Answer::Holds),
        ("always (A.lit leads to B.odd within 1)", Answer::Fails),
    ] {
        assert_eq!(answer(LAMP, claim), expected, "{claim}");
    }
}

#[test]
fn what_follows_in_every_run_in_which_time_goes_on() {
    for (claim, expected) in [
        ("eventually A.lit", Answer::Holds),
        ("A.lit leads to not A.lit", Answer::Holds),
        // In some run A is lit from 2 to 4, from 6 to 8, and so on: exactly while B is odd.
        ("A.lit leads to A.lit and not B.odd", Answer::Fails),
        ("eventually (A.lit and not B.odd)", Answer::Fails),
        ("eventually (now > 3)", Answer::Error),
    ] {
        if claim.contains("now") {
            assert!(refusal(LAMP, claim).contains("now"));
        } else {
            assert_eq!(answer(LAMP, claim), expected, "{claim}");
        }
    }
    // A node may crash before its activation, so the activation need not occur.
    let crash = "node A { var n: 0..1 = 0\n every 2, first 1 { n = 1 } }\n faults any nodes: crash any time\n";
    assert_eq!(answer(crash, "eventually (A.n == 1)"), Answer::Fails);
    assert_eq!(
        answer(crash, "eventually (A.n == 1 or A.crashed)"),
        Answer::Holds
    );
    let stop = "node A { var n: 0..1 = 0\n every 2, first 1 { n = 1 } }\n faults any nodes: stop any time, restart fresh";
    assert_eq!(
        answer(&format!("{stop}\n"), "A.stopped leads to not A.stopped"),
        Answer::Fails
    );
    let owed = format!("{stop} within 1 .. 2\n");
    assert_eq!(
        answer(&owed, "A.stopped leads to not A.stopped"),
        Answer::Holds
    );
    // The node may be stopped again before each activation.
    assert_eq!(answer(&owed, "eventually (A.n == 1)"), Answer::Fails);
    // Only fairness would make the event occur.
    let fair = "node A { var n: 0..1 = 0\n when go: n == 0 { n = 1 } }\n node B { every 1 { } }\n";
    assert!(refusal(fair, "eventually (A.n == 1)").contains("fairness"));
}

#[test]
fn strict_bounds_between_whole_units() {
    // There is no whole number between 2 and 3, but there is a time.
    assert_eq!(can(LAMP, "now > 2 and now < 3 and A.lit"), Answer::Possible);
    assert_eq!(
        can(LAMP, "now > 1 and now < 2 and A.lit"),
        Answer::Impossible
    );
    assert_eq!(
        answer(LAMP, "always (now < 2 implies not A.lit)"),
        Answer::Holds
    );
    assert_eq!(
        answer(LAMP, "always (now <= 2 implies not A.lit)"),
        Answer::Fails
    );
    assert_eq!(
        answer(LAMP, "always (now > 3 implies not A.lit)"),
        Answer::Fails
    );
    assert_eq!(
        answer(LAMP, "always (3 < now and now < 3 implies A.lit)"),
        Answer::Holds
    );
    assert_eq!(answer(LAMP, "always (now != 2)"), Answer::Fails);
}

#[test]
fn claims_by_name_with_arguments_and_abbreviations() {
    let model = LAMP.to_owned()
        + "let early = now < 2\n claim dark(x: Duration): always (now < x implies not A.lit)\n\
           claim both: (always (early implies not A.lit)) and A.lit leads to not A.lit within 2\n";
    assert_eq!(answer(&model, "dark(2)"), Answer::Holds);
    assert_eq!(answer(&model, "dark(3)"), Answer::Fails);
    assert_eq!(
        answer(&model, "always (early implies not A.lit)"),
        Answer::Holds
    );
}

#[test]
fn errors() {
    let stuck = "message P\n node A { every 3, first 0 { broadcast P } }\n\
        node B { on P { send P to A } }\n network complete { delivery within 0 }\n";
    // A has no code for P.
    assert_eq!(answer(stuck, "always true"), Answer::Error);
    let late = "node A { var n: 0..2 = 0\n every 1, first 0 { n = n + 1 } }\n";
    // The third activation, at 2, is an error, because n exceeds its type.
    assert_eq!(answer(late, "always (now <= 2)"), Answer::Error);
    assert_eq!(answer(late, "always (now < 2)"), Answer::Fails);
    assert_eq!(can(late, "now == 2"), Answer::Possible);
    assert_eq!(can(late, "now == 3"), Answer::Error);
    // Infinitely many events in zero time are no error if time can pass instead.
    let busy =
        "node A { var x: Bool = false\n when go: true { x = not x } }\n node B { every 1 { } }\n";
    assert_eq!(answer(busy, "always true"), Answer::Holds);
    // There is no initial state.
    let none = "node A { var x: 0..1 = any\n every 1 { } }\n initially A.x == 2\n";
    assert_eq!(answer(none, "always false"), Answer::Error);
}

#[test]
fn what_it_does_not_know_it_names() {
    for (claim, word) in [
        ("always eventually A.lit", "eventually"),
        ("(always A.lit) leads to B.odd", "leads to"),
        ("A.lit until B.odd", "until"),
        ("A.lit", "field"),
        ("always (A.lit leads to now > 3 within 2)", "now"),
        ("always (now + 1 > 3)", "now"),
        ("always (all k in 1 .. 2: now > k)", "constant"),
        ("unknown(3)", "unknown"),
    ] {
        let said = refusal(LAMP, claim);
        assert!(said.contains(word) || word == "field", "{claim}: {said}");
    }
}
