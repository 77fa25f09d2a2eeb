//! Tests of digitisation: answers, concretised runs, and questions that stay unknown.

use super::*;
use machine::{Event, Instance, StepError};
use testkit::explore;
use verdict::{Ending, Unlimited};

fn machine(text: &str) -> Machine {
    let machine = machine::parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    machine::verify(&machine).unwrap_or_else(|e| panic!("{e}\n{text}"));
    machine
}

/// The report of the explicit search on the digitised Machine. Asserts that the audit confirms its runs and that an
/// enumeration of all states gives the same answers.
fn report(text: &str) -> Report {
    let machine = machine(text);
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let engine = &strategy::search;
    let report = answer(&question, engine, &Unlimited).expect("a report");
    for (property, answer) in report.answers().enumerate() {
        if let Err(rejected) = audit::confirm(&question, property, answer) {
            panic!("{rejected}\n{answer:?}\n{text}");
        }
        let alone = alone(&machine, &machine.properties[property]);
        if let Some(found) = by_enumeration(&alone) {
            assert_eq!(kind(answer), found, "{text}");
        }
    }
    report
}

fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "possible",
        Answer::Impossible => "impossible",
        Answer::Error(_) => "error",
        Answer::Unknown(_) => "unknown",
        Answer::Value(..) | Answer::Time(..) | Answer::NoBound(_) => "a value",
    }
}

fn kinds(text: &str) -> Vec<&'static str> {
    report(text).answers().map(kind).collect()
}

/// The answer to an invariant or `possible` by enumeration with the reference interpreter; `None` for other properties
/// or inexact digitisations.
fn by_enumeration(exact: &Machine) -> Option<&'static str> {
    by_limited_enumeration(exact, 20_000)
}

/// Like `by_enumeration`; `None` also if there are more than `most` states.
fn by_limited_enumeration(exact: &Machine, most: usize) -> Option<&'static str> {
    let plan = plan(exact)?;
    plan.exact.ok()?;
    let digitised = Machine {
        abstraction: Abstraction::Digitised(plan.digitisation),
        ..exact.clone()
    };
    let (condition, wanted) = match &digitised.properties[0].kind {
        PropertyKind::Possible(condition) => (condition.clone(), true),
        PropertyKind::Claim(claim) => (claim.invariant()?, false),
    };
    let mut error = false;
    for frozen in digitised.frozen_choices() {
        let instance = Instance {
            machine: &digitised,
            frozen: &frozen,
        };
        let found = explore(instance, most).ok()?;
        if !found.complete {
            return None;
        }
        error |= !found.errors.is_empty();
        for state in &found.states {
            match instance.holds(state, &condition, &[]) {
                Ok(value) if value == wanted => {
                    return Some(if wanted { "possible" } else { "fails" });
                }
                Ok(_) => {}
                Err(_) => error = true,
            }
        }
    }
    Some(match (error, wanted) {
        (true, _) => "error",
        (_, true) => "impossible",
        (_, false) => "holds",
    })
}

const TIMER: &str = "(kind P 1) (timer P t) (var P done bool (is false))
    (block P begin start (set-timer t (time 2) (time 3)))
    (block P ring (timer t) (:= done true))";

#[test]
fn a_timer_expires_in_time() {
    let claim = |e: &str| kinds(&format!("{TIMER} (claim c (always (state {e})))"));
    assert_eq!(claim("(or (var done (node 1)) (now <= 3))"), ["holds"]);
    assert_eq!(claim("(or (var done (node 1)) (now < 3))"), ["fails"]);
    assert_eq!(claim("(implies (var done (node 1)) (now >= 2))"), ["holds"]);
    assert_eq!(claim("(implies (var done (node 1)) (now > 2))"), ["fails"]);
    let possible = |e: &str| kinds(&format!("{TIMER} (possible c {e})"));
    let between = "(and (var done (node 1)) (and (now > 2) (now < 5/2)))";
    assert_eq!(possible(between), ["possible"], "real times lie between");
    assert_eq!(
        possible("(and (var done (node 1)) (now < 2))"),
        ["impossible"]
    );
}

#[test]
fn a_run_may_end_with_a_wait() {
    let report = report(&format!(
        "{TIMER} (claim c (always (state (or (var done (node 1)) (now <= 5/2)))))"
    ));
    let Answer::Fails(run) = &report.results[0].answer else {
        panic!("{:?}", report.results);
    };
    let last = run.choices.last().expect("a choice");
    assert_eq!(
        (&last.event, &last.time),
        (&Event::Wait, &Some(Rational::from(3)))
    );
    assert_eq!(
        report.abstraction,
        Some(TimeAbstraction::Digitised(
            Rational::new(1, 2),
            Digitised::Exact
        ))
    );
}

const LINE: &str = "(message M) (kind P 2) (edges (1 2)) (channel unordered) (delay 1 3)
    (var P got (int 0 9) (is 0)) (var P did (int 0 9) (is 0))
    (block P tick (every 2 4 (first 0 0)) (if (= self (node 1)) (do (if (< (var did self) 2)
        (do (send (new M) (node 2)) (:= did (+ (var did self) 1))))))) (block P take (on M) (:= got (+ (var got self) 1)))";

#[test]
fn messages_arrive_in_their_time() {
    let claim = |e: &str| kinds(&format!("{LINE} (claim c (always (state {e})))"));
    let got = |n: u32| format!("(>= (var got (node 2)) {n})");
    assert_eq!(claim(&format!("(or {} (now <= 3))", got(1))), ["holds"]);
    assert_eq!(claim(&format!("(or {} (now < 3))", got(1))), ["fails"]);
    assert_eq!(claim(&format!("(or {} (now <= 7))", got(2))), ["holds"]);
    assert_eq!(claim(&format!("(or {} (now <= 6))", got(2))), ["fails"]);
    assert_eq!(
        claim(&format!("(implies {} (now >= 3))", got(2))),
        ["holds"]
    );
    assert_eq!(claim(&format!("(implies {} (now > 3))", got(2))), ["fails"]);
}

#[test]
fn responses_meet_their_deadlines_or_not() {
    let asks = "(= (var did (node 1)) 1)";
    let claim = |within: &str| {
        let text = format!(
            "{LINE} (response {asks} (>= (var got (node 2)) 1) {within})
             (claim c (always (state (not (overdue 0)))))"
        );
        let report = report(&text);
        (kind(&report.results[0].answer), report.results[0].premise)
    };
    assert_eq!(claim("3"), ("holds", Some(Premise::Met)));
    assert_eq!(claim("5/2").0, "fails");
    let never = format!(
        "{LINE} (response (> (var did (node 1)) 5) false 1) (claim c (always (state (not (overdue 0)))))"
    );
    assert_eq!(report(&never).results[0].premise, Some(Premise::Never));
}

#[test]
fn loops_take_time() {
    let text = format!("{LINE} (claim c (eventually (state (= (var got (node 1)) 1))))");
    let report = report(&text);
    let Answer::Fails(run) = &report.results[0].answer else {
        panic!("{:?}", report.results);
    };
    assert!(matches!(run.ending, Ending::Loops(_)), "{:?}", run.ending);
    let text = format!("{LINE} (claim c (eventually (state (= (var got (node 2)) 2))))");
    assert_eq!(kinds(&text), ["holds"], "time goes on");
    let now = |e: &str| kinds(&format!("{LINE} (claim c (eventually (state {e})))"));
    assert_eq!(now("(and (now > 5) (now < 6))"), ["holds"]);
    assert_eq!(
        now("(and (now > 5) (and (now < 6) (= (var got (node 2)) 2)))"),
        ["fails"]
    );
}

#[test]
fn time_passes_in_a_run_without_events() {
    let text = format!(
        "{TIMER} (runtime-fault at-most 1 crash)
         (claim a (eventually (state (var done (node 1)))))
         (claim b (eventually (state (now > 100))))
         (claim c (eventually (state (or (crashed (node 1)) (now < 0)))))"
    );
    assert_eq!(kinds(&text), ["fails", "holds", "fails"]);
}

#[test]
fn nodes_crash_stop_and_restart() {
    let text = "(kind P 1) (var P n (int 0 3) (is 0)) (runtime-fault at-most 1 (stop fresh 2 3))
        (block P tick (every 1 1 (first 1 1)) (if (< (var n self) 3) (do (:= n (+ (var n self) 1)))))
        (claim a (always (state (implies (stopped (node 1)) (faultless (node 1))))))
        (claim b (always (state (or (= (var n (node 1)) 3) (now <= 9)))))
        (possible c (and (> (var n (node 1)) 0) (and (not (faultless (node 1))) (now < 4))))
        (claim d (always (state (or (= (var n (node 1)) 3) (now <= 8)))))";
    // The limit counts nodes, not stops: the node may stop again after a restart.
    assert_eq!(kinds(text), ["fails", "fails", "possible", "fails"]);
    let once = text.replace("at-most 1 (stop fresh 2 3)", "at-most 0 (stop fresh 2 3)");
    assert_eq!(kinds(&once), ["holds", "holds", "impossible", "holds"]);
}

#[test]
fn nothing_holds_where_a_timelock_is_possible() {
    // The node sends itself a message at time 0 and answers it immediately, for ever.
    let text = "(message M) (kind P 1) (edges (1 1)) (delay 0 0)
        (block P begin start (send (new M) self)) (block P take (on M) (send (new M) self))
        (claim c (always (state (now <= 5))))";
    let found = kinds(text);
    assert!(found == ["unknown"] || found == ["error"], "{found:?}");
}

const FIXED: &str = "(kind P 2) (var P n (int 0 9) (is 0)) (timer P t)
    (block P tick (every 2 3 fixed (first 0 0)) (if (< (var n self) 9) (do (:= n (+ (var n self) 1)))))
    (block P ring (timer t))";

#[test]
fn fixed_periods_are_proved_by_relaxation_and_refuted_by_digitisation() {
    let lead = |n: u32, counts: u32| {
        format!(
            "{FIXED} (claim c (always (state (implies (<= (var n (node 1)) {counts}) (<= (var n (node 2)) (+ (var n (node 1)) {n}))))))"
        )
    };
    let holds = report(&lead(2, 1));
    assert_eq!(kind(&holds.results[0].answer), "holds");
    assert_eq!(
        holds.abstraction,
        Some(TimeAbstraction::Digitised(
            Rational::ONE,
            Digitised::Relaxed
        ))
    );
    assert_eq!(holds.results[0].premise, Some(Premise::Met));
    let fails = report(&lead(1, 3));
    assert_eq!(kind(&fails.results[0].answer), "fails");
    assert_eq!(
        fails.abstraction,
        Some(TimeAbstraction::Digitised(
            Rational::ONE,
            Digitised::ToFindRuns
        ))
    );
}

#[test]
fn a_claim_that_only_varying_periods_break_is_unknown() {
    // The second tick occurs while timer `a` from the first is still set, so the first gap is short. The third tick
    // occurs after timer `b` from the second has expired, so the second gap is long.
    let text = "(kind P 1) (timer P a) (timer P b) (var P n (int 0 3) (is 0)) (var P short bool (is false)) (var P long bool (is false))
        (block P tick (every 2 3 fixed (first 0 0))
            (if (= (var n self) 0) (do (set-timer a (time 9/4) (time 9/4))))
            (if (= (var n self) 1) (do (:= short (timer-set a self)) (set-timer b (time 11/4) (time 11/4))))
            (if (= (var n self) 2) (do (:= long (not (timer-set b self)))))
            (if (< (var n self) 3) (do (:= n (+ (var n self) 1)))))
        (block P ring (timer a)) (block P ring2 (timer b))
        (claim c (always (state (not (and (var short (node 1)) (var long (node 1)))))))";
    let report = report(text);
    let Answer::Unknown(why) = &report.results[0].answer else {
        panic!("{:?}", report.results);
    };
    let expected = Reason::NothingFound {
        unit: Rational::new(1, 4),
        parts: 4,
        inexact: Inexact::OnePeriod("P".into()),
    };
    assert_eq!(*why, expected);
    // If each gap may have another length, a run violates the claim.
    assert_eq!(kinds(&text.replace(" fixed", "")), ["fails"]);
}

#[test]
fn a_step_that_is_not_enabled_is_rejected() {
    let exact = machine(&format!("{TIMER} (claim c (always (state (now <= 1))))"));
    let report = report(&format!("{TIMER} (claim c (always (state (now <= 1))))"));
    let Answer::Fails(run) = &report.results[0].answer else {
        panic!("{:?}", report.results);
    };
    let mut wrong = run.clone();
    wrong.choices.last_mut().expect("a choice").time = Some(Rational::from(4));
    let instance = Instance {
        machine: &exact,
        frozen: &wrong.frozen,
    };
    let mut state = wrong.initial.clone();
    let mut possible = true;
    for choice in &wrong.choices {
        match instance.step(&state, choice) {
            Ok(next) => state = next,
            Err(StepError::NotEnabled) => possible = false,
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(!possible, "the timer expires at 3");
}

/// Random Machines with times: the exact reference interpreter confirms every run, and an enumeration of all digitised
/// states agrees with every answer about states.
#[test]
fn random_machines() {
    use testkit::{Size, random_timed_machine};
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 5,
    };
    let (mut runs, mut loops, mut proofs, mut compared) = (0, 0, 0, 0);
    for seed in testkit::sample::seeds(40) {
        let mut exact = random_timed_machine(seed, &size);
        exact.abstraction = Abstraction::Exact;
        if machine::verify(&exact).is_err() || !exact.has_time() {
            continue;
        }
        let question = Question {
            machine: &exact,
            fair: seed % 2 == 0,
        };
        let limited = MostStates(20_000);
        let engine = &strategy::search;
        let Ok(report) = answer(&question, engine, &limited) else {
            continue;
        };
        for (property, answer) in report.answers().enumerate() {
            if let Err(rejected) = audit::confirm(&question, property, answer) {
                panic!(
                    "seed {seed}, property {property}: {rejected}\n{answer:?}\n{}",
                    exact
                );
            }
            runs += usize::from(answer.run().is_some());
            let loop_of = answer.run().map(|run| &run.ending);
            loops += usize::from(matches!(loop_of, Some(Ending::Loops(_))));
            proofs += usize::from(matches!(answer, Answer::Holds | Answer::Impossible));
            let alone = alone(&exact, &exact.properties[property]);
            if let Some(found) = by_limited_enumeration(&alone, 400)
                && !matches!(answer, Answer::Unknown(_))
            {
                assert_eq!(
                    kind(answer),
                    found,
                    "seed {seed}, property {property}\n{}",
                    exact
                );
                compared += 1;
            }
        }
    }
    assert!(
        runs > 20 && loops > 0 && proofs > 5 && compared > 5,
        "{runs} {loops} {proofs} {compared}"
    );
}

/// A budget that ends a search after this number of states.
struct MostStates(u64);

impl Budget for MostStates {
    fn ask(&self, progress: &Progress) -> Option<verdict::Spent> {
        (progress.states > self.0).then_some(verdict::Spent::Interrupted)
    }
}

/// Constants of claims that are no multiples of the larger unit are rounded. Every report is compared with the
/// reference interpreter, which does not round.
#[test]
fn rounded_claims_hold_only_where_the_exact_ones_do() {
    let world = "(kind P 1) (timer P t) (var P done bool (is false)) (var P half bool (is false))
        (block P begin start (set-timer t (time 20) (time 30)))
        (block P ring (timer t) (if (var half self) (do (:= done true)) (do (:= half true) (set-timer t (time 10) (time 20)))))";
    let done = "(var done (node 1))";
    let (mut coarse, mut held, mut failed) = (0, 0, 0);
    for x in (1..60).step_by(3).chain([29, 30, 31, 49, 50, 51]) {
        let claims = [
            format!("(claim c (always (state (implies {done} (now >= {x})))))"),
            format!("(claim c (always (state (implies (not {done}) (not (now > {x}))))))"),
            format!("(claim c (always (state (or (not {done}) (and (now > {x}) (now >= 25))))))"),
            format!("(possible c (and {done} (now < {x})))"),
            format!("(possible c (and (not {done}) (now >= {x})))"),
            format!(
                "(response (not {done}) {done} {x}) (claim c (always (state (not (overdue 0)))))"
            ),
            format!(
                "(response (var half (node 1)) {done} {x}) (claim c (always (state (not (overdue 0)))))"
            ),
        ];
        for claim in claims {
            let report = report(&format!("{world} {claim}"));
            coarse += u32::from(matches!(
                report.abstraction,
                Some(TimeAbstraction::Digitised(_, Digitised::Coarsened))
            ));
            match kind(&report.results[0].answer) {
                "holds" | "impossible" => held += 1,
                "fails" | "possible" => failed += 1,
                other => panic!("{other}: {claim}"),
            }
        }
    }
    assert!(
        coarse > 20 && held > 20 && failed > 20,
        "{coarse} {held} {failed}"
    );
}
