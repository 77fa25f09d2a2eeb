//! Tests of the plan of a digitisation.

use super::*;

/// A Machine of two nodes with a timer, extended by the items in `more`.
fn machine(more: &str) -> Machine {
    let text = format!(
        "(message M) (kind P 2) (edges (1 2) (2 1)) (channel unordered) (timer P t) (var P done bool (is false))
         (block P begin start (set-timer t (time 2) (time 3)))
         (block P ring (timer t) (:= done true))
         (block P take (on M))
         {more}"
    );
    let machine = machine::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    machine::verify(&machine).unwrap_or_else(|e| panic!("{e}\n{text}"));
    machine
}

fn planned(more: &str) -> (Rational, u32, Result<(), Inexact>) {
    let plan = plan(&machine(more)).expect("a plan");
    (
        plan.digitisation.unit,
        plan.digitisation.horizon,
        plan.exact,
    )
}

fn r(n: i128, d: i128) -> Rational {
    Rational::new(n, d)
}

const DONE: &str = "(var done (node 1))";

#[test]
fn the_unit_divides_every_constant() {
    let unit = |more: &str| machine(more).time_unit();
    assert_eq!(unit(""), r(1, 1));
    assert_eq!(unit("(delay 0 1/2)"), r(1, 2));
    assert_eq!(unit("(claim c (always (state (now <= 1/3))))"), r(1, 3));
    assert_eq!(unit("(response true false 3/2)"), r(1, 2));
    assert_eq!(unit("(runtime-fault crash (stop fresh 0 1/4))"), r(1, 4));
    let rhythm = "(block P tick (every 4 6 (per-gap 1/5) (first 0 period)))";
    assert_eq!(unit(rhythm), r(1, 5));
    let times = "(block P more (when false) (set-timer t (time 0) (time 2 ((size (nodes)) 3/7))))";
    assert_eq!(unit(times), r(1, 7));
}

#[test]
fn the_horizon_is_after_the_last_constant_of_a_property() {
    assert_eq!(planned(""), (r(1, 1), 0, Ok(())));
    let claim = format!("(claim c (always (state (or {DONE} (now <= 7)))))");
    assert_eq!(planned(&claim), (r(1, 1), 8, Ok(())));
    let finer = format!("(delay 0 1/2) {claim}");
    assert_eq!(planned(&finer), (r(1, 2), 15, Ok(())));
}

#[test]
fn strict_demands_in_both_directions_need_half_units() {
    let claim = |e: &str| planned(&format!("(claim c (always (state {e})))")).0;
    let possible = |e: &str| planned(&format!("(possible c {e})")).0;
    // A violation requires `now > 4` and `now > 5`.
    assert_eq!(claim("(or (now <= 4) (now <= 5))"), r(1, 1));
    assert_eq!(claim("(implies (now > 4) (now <= 5))"), r(1, 1));
    assert_eq!(claim("(implies (now < 5) (now < 4))"), r(1, 1));
    assert_eq!(claim("(implies (now > 4) (now >= 5))"), r(1, 2));
    assert_eq!(possible("(and (now > 4) (now < 5))"), r(1, 2));
    assert_eq!(possible("(or (now > 4) (now < 5))"), r(1, 1));
    assert_eq!(possible("(now != 4)"), r(1, 1));
    assert_eq!(possible("(and (now != 4) (now != 5))"), r(1, 2));
    assert_eq!(claim("(implies (now = 4) false)"), r(1, 1));
    let all = "(locals (k node)) (all k (nodes) (if (var done k) (now < 4) (now > 4)))";
    let plan = planned(&format!("(possible c {all})"));
    assert_eq!(plan.0, r(1, 2), "nodes may differ");
}

#[test]
fn a_temporal_claim_about_now_needs_half_units() {
    let claim = |f: &str| planned(&format!("(claim c {f})"));
    assert_eq!(claim(&format!("(eventually (state {DONE}))")).0, r(1, 1));
    let now = claim("(eventually (state (now > 4)))");
    assert_eq!(now, (r(1, 2), 9, Ok(())));
}

#[test]
fn one_response_may_be_late() {
    let response = "(response true false 2)";
    let exact = |e: &str| planned(&format!("{response} {response} (claim c {e})")).2;
    assert_eq!(exact("(always (state (not (overdue 0))))"), Ok(()));
    let both = "(and (always (state (not (overdue 0)))) (always (state (not (overdue 1)))))";
    assert_eq!(exact(both), Ok(()), "one of them is enough to break it");
    let either = "(always (state (or (not (overdue 0)) (not (overdue 1)))))";
    assert!(exact(either).is_err());
    let later = "(eventually (state (overdue 0)))";
    assert!(exact(later).is_err());
}

#[test]
fn an_unknown_period_makes_the_digitisation_inexact() {
    let (_, _, exact) = planned("(block P tick (every 4 6 fixed (first 0 period)))");
    assert_eq!(exact, Err(Inexact::OnePeriod("P".into())));
    let (_, _, exact) = planned("(block P tick (every 5 5 fixed (on-grid 1) (first 0 0)))");
    assert_eq!(exact, Ok(()));
}

#[test]
fn a_loop_in_zero_time_makes_the_digitisation_inexact() {
    let answers = "(delay 0 0) (block P again (when false) (send (new M) (neighbours self)))";
    assert_eq!(planned(answers).2, Ok(()), "no block answers");
    let text = "(message M) (kind P 2) (edges (1 2) (2 1)) (delay 0 0)
                (block P take (on M) (send (new M) sender))";
    let echo = machine::parse(text).expect("a machine");
    assert!(plan(&echo).expect("a plan").exact.is_err());
    let slow = text.replace("delay 0 0", "delay 0 1");
    let slow = machine::parse(&slow).expect("a machine");
    assert_eq!(plan(&slow).expect("a plan").exact, Ok(()));
    let again = "(timer P u) (block P again (timer u) (set-timer u (time 0) (time 0)))";
    assert!(planned(again).2.is_err());
    let later = "(timer P u) (block P again (timer u) (set-timer u (time 0) (time 1)))";
    assert_eq!(planned(later).2, Ok(()));
}

#[test]
fn fixed_periods_are_relaxed_to_gaps() {
    let relaxed = |every: &str| {
        let machine = machine(&format!("(block P tick (every {every}))"));
        let relaxed = relaxed(&machine)?;
        let (_, periodic) = relaxed.periodic_kinds()[0];
        Some((periodic.span(1), periodic.first_bounds(), periodic.fixed))
    };
    let span = |a, b| (r(a, 1), r(b, 1));
    assert_eq!(
        relaxed("4 6 fixed (first 0 period)"),
        Some((span(4, 6), span(0, 6), false))
    );
    assert_eq!(
        relaxed("4 6 fixed (per-gap 1) (first period period)"),
        Some((span(3, 7), span(4, 6), false))
    );
    assert_eq!(
        relaxed("4 6 fixed (on-grid 1) (first 0 1)"),
        Some((span(2, 8), span(0, 1), false))
    );
    assert_eq!(
        relaxed("5 5 fixed (on-grid 1) (first 0 1)"),
        Some((span(3, 7), span(0, 1), true)),
        "the period is known"
    );
}
