//! Questions about times: from the text of a model to audited answers.

use checks::{Judgement, Loaded, Options};
use std::sync::atomic::AtomicBool;
use verdict::{Answer, Side};

const LAMP: &str = "
message Press

node Button {
    var pressed: Bool = false
    every 10 ms .. 12 ms, first 5 ms .. 6 ms {
        if not pressed { pressed = true; broadcast Press }
    }
}

node Lamp {
    timer fade
    var lit: Bool = false
    var done: Bool = false
    on Press { lit = true; set fade in 3 ms / 2 .. 7 ms / 3 }
    on fade { lit = false; done = true }
}

network complete { delivery within 1 ms .. 2 ms }

claim dark_by(x: Duration): always (now > x implies Lamp.done)
claim dark_at(x: Duration): always (now >= x implies Lamp.done)
claim not_before(x: Duration): always (Lamp.done implies now >= x)
claim later(x: Duration): always (Lamp.done implies now > x)
claim answered(x: Duration): Button.pressed leads to Lamp.done within x
claim unasked(x: Duration): (Lamp.lit and not Button.pressed) leads to Lamp.done within x
claim never_done(x: Duration): always (now <= x or not Lamp.done)
claim twice(x: Duration): always (now > x + x implies Lamp.done)
";

fn loaded(text: &str) -> Loaded {
    let loaded = checks::load_text("times.scrut", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    loaded
}

/// The answers of all checks, each with its judgement.
fn answers(text: &str) -> Vec<(Answer, Judgement)> {
    let loaded = loaded(text);
    let mut found = Vec::new();
    for number in 0..loaded.model.checks.len() {
        let interrupted = AtomicBool::new(false);
        let options = Options::default();
        let report = checks::check(&loaded, number, &options, &interrupted, &mut |_| {});
        let report = report
            .unwrap_or_else(|wrong| panic!("{wrong:?}"))
            .expect("a report");
        let judged = checks::judge(&loaded, &report);
        for (instance, judged) in report.instances.iter().zip(judged) {
            for (answer, judged) in instance.report.answers().zip(judged) {
                found.push((answer.clone(), judged.judgement));
            }
        }
    }
    found
}

fn only(check: &str) -> (Answer, Judgement) {
    let mut found = answers(&format!("{LAMP}\n{check}"));
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn borders_between_times() {
    for (check, side) in [
        ("check least x: dark_by(x) expect 31/3 ms", Side::Here),
        (
            "check least x: dark_at(x) expect above 31/3 ms",
            Side::Above,
        ),
        ("check greatest x: not_before(x) expect 15/2 ms", Side::Here),
        (
            "check greatest x: later(x) expect below 15/2 ms",
            Side::Below,
        ),
        ("check least x: answered(x) expect 13/3 ms", Side::Here),
    ] {
        match only(check) {
            (Answer::Time(threshold, Some(_)), Judgement::Good) if threshold.side == side => {}
            other => panic!("{check}: {other:?}"),
        }
    }
}

#[test]
fn another_border_than_expected() {
    for check in [
        "check least x: dark_by(x) expect above 31/3 ms",
        "check least x: dark_by(x) expect 10 ms",
        "check greatest x: later(x) expect 15/2 ms",
    ] {
        assert_eq!(only(check).1, Judgement::Bad, "{check}");
    }
}

#[test]
fn no_border_at_all() {
    let (answer, judgement) = only("check least x: never_done(x) expect fails for every bound");
    assert!(matches!(answer, Answer::NoBound(_)), "{answer:?}");
    assert_eq!(judgement, Judgement::Good);
    for check in [
        "check greatest x: dark_by(x)",
        "check least x: twice(x)",
        "check least x: unasked(x)",
    ] {
        let (answer, _) = only(check);
        assert!(matches!(answer, Answer::Unknown(_)), "{check}: {answer:?}");
    }
}

#[test]
fn what_nobody_asks_for_says_nothing() {
    let (answer, judgement) = only("check unasked(4 ms) expect holds");
    assert_eq!((answer, judgement), (Answer::Holds, Judgement::Bad));
    let (answer, judgement) = only("check answered(13 ms / 3) expect holds");
    assert_eq!((answer, judgement), (Answer::Holds, Judgement::Good));
}

#[test]
fn limits_end_in_unknown() {
    let loaded = loaded(&format!("{LAMP}\ncheck least x: dark_by(x), answered(x)"));
    let interrupted = AtomicBool::new(true);
    let report = checks::check(&loaded, 0, &Options::default(), &interrupted, &mut |_| {});
    let report = report.expect("a check").expect("a report");
    for answer in report.instances[0].report.answers() {
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }
}

/// Two claims with different response times are answered by one check.
#[test]
fn several_claims_have_a_border_each() {
    let text = format!(
        "{LAMP}\nclaim lit(x: Duration): Button.pressed leads to (Lamp.lit or Lamp.done) within x\n\
         check least x: answered(x), lit(x) expect 13/3 ms, 2 ms"
    );
    for (answer, judgement) in answers(&text) {
        assert!(matches!(answer, Answer::Time(_, Some(_))), "{answer:?}");
        assert_eq!(judgement, Judgement::Good);
    }
}

/// The answers do not depend on the ratio of the longest to the shortest time.
#[test]
fn times_that_are_far_apart() {
    let text = "
node A {
    var x: Bool = false
    timer t
    start { set t in 1 h .. 2 h }
    on t { x = true }
}
claim late(u: Duration): always (A.x implies now >= u)
claim early(u: Duration): always (not A.x implies now <= u)
claim told(u: Duration): always (not A.x leads to A.x within u)
claim odd: always (A.x implies now != 1 ns)
check late(1 ns), early(7200000001 us), told(7200000001 us) expect holds
check least u: told(u) expect 2 h
check odd
";
    let mut answers = answers(text);
    let Some((Answer::Unknown(why), _)) = answers.pop() else {
        panic!("{answers:?}");
    };
    let expected =
        "the times are too far apart to count: 2 h is more than 16777216 times 1/3600000000000 h";
    let labels = verdict::Labels {
        unit: Some("h".into()),
        ..verdict::Labels::default()
    };
    let why = report::reason(&why, &labels);
    assert!(why.starts_with(expected), "{why}");
    for (answer, judgement) in answers {
        assert_eq!(judgement, Judgement::Good, "{answer:?}");
    }
}

/// Coarsening must not make the interval of the timer contain 0, because then messages would accumulate without bound.
#[test]
fn a_timer_that_sets_itself_and_a_late_deadline() {
    let text = "
message Data
node Sender {
    timer retry
    start { set retry in 7 ms }
    on retry { send Data to Receiver; set retry in 7 ms }
}
node Receiver {
    var got: Bool = false
    on Data { got = true }
}
network complete { delivery within 1 ms .. 3 ms }
claim by(u: Duration): not Receiver.got leads to Receiver.got within u
check by(10 ms) expect holds
check by(31 ms) expect holds
check by(64 ms) expect holds
check by(9 ms) expect fails
check least u: by(u) expect 10 ms
";
    for (answer, judgement) in answers(text) {
        assert_eq!(judgement, Judgement::Good, "{answer:?}");
    }
}

/// In a run that ends in a final state, time passes as in a lasso: a required response that has not occurred becomes
/// overdue.
#[test]
fn what_never_follows_since_nothing_happens_any_more() {
    let text = "
node A {
    var x: Bool = false
    var rung: Bool = false
    timer t
    start { set t in 5 ms }
    on t { rung = true }
}
claim follows(u: Duration): always (not A.x leads to A.x within u)
claim at_last(u: Duration): always (A.rung leads to A.x within u)
claim by(u: Duration): always (not A.x implies now <= u)
claim before(u: Duration): always (A.rung implies now < u)
check least u: follows(u), at_last(u), by(u), before(u) expect fails for every bound
";
    for (answer, judgement) in answers(text) {
        assert!(matches!(answer, Answer::NoBound(_)), "{answer:?}");
        assert_eq!(judgement, Judgement::Good);
    }
}

const STOP: &str = "
message Beat

node P[2] {
    var heard: Set<Node> = {}
    persistent var starts: 0..3 = 0
    timer patience
    start { starts = min(starts + 1, 3); set patience in 25 .. 25 }
    on Beat from s { heard = heard union { s }; cancel patience; set patience in 25 .. 25 }
    on patience { heard = {} }
    every 10 .. 10, first 0 .. 10 { broadcast Beat }
}
network complete { delivery within 0 .. 2 }
faults at most 1 node: stop any time, restart fresh within 5 .. 30

claim goes_on: all k in P: always eventually not k.stopped
claim stays: always (all k in P: not k.stopped)
check goes_on, stays expect holds, fails
check possible: exists k in P: k.starts == 3 expect possible
";

#[test]
fn faults_in_the_run() {
    for (answer, judgement) in answers(STOP) {
        assert_eq!(judgement, Judgement::Good, "{answer:?}");
    }
}

/// Random runs contain stops, restarts, timers and deliveries, but no waits, and the reference interpreter replays
/// them.
#[test]
fn random_runs_with_faults_and_delays() {
    use machine::{Event, Outcome};
    let loaded = loaded(STOP);
    let requests = lower::instances(&loaded.model, 0, &[]).expect("an instance");
    let lowered = lower::lower(&loaded.model, &loaded.sources, &requests[0]).expect("a machine");
    let (mut stops, mut restarts, mut expires, mut arrives, mut all) = (0, 0, 0, 0, 0);
    for seed in 0..40 {
        let mut rng = machine::random::Rng(seed);
        let sampled = simulate::random_run(&lowered.machine, &mut rng, 80).expect("a run");
        audit::replay(&lowered.machine, &sampled.run).expect("a run of the machine");
        for choice in &sampled.run.choices {
            all += 1;
            match &choice.event {
                Event::Stop(..) => stops += 1,
                Event::Restart(_) => restarts += 1,
                Event::Expire(..) => expires += 1,
                Event::Deliver(_, _, Outcome::HandOver(_)) => arrives += 1,
                Event::Wait => panic!("time passes by itself"),
                _ => {}
            }
        }
    }
    assert!(stops > 0 && restarts > 0 && expires > 0 && arrives > 0);
    assert!(stops * 5 < all, "now and then: {stops} of {all}");
}

#[test]
fn a_simulation_sees_what_breaks_while_time_passes() {
    let text = format!("{LAMP}\ncheck dark_by(7 ms)");
    let loaded = loaded(&text);
    let effort = checks::Effort {
        runs: 50,
        seed: 1,
        steps: Some(20),
        threads: 1,
    };
    let found = checks::simulate(
        &loaded,
        0,
        &Options::default(),
        &effort,
        &AtomicBool::new(false),
        &mut |_| {},
    );
    let found = found
        .unwrap_or_else(|wrong| panic!("{wrong:?}"))
        .expect("a simulation");
    let tally = &found.instances[0].tallies[0];
    assert_eq!(
        tally.hits, 50,
        "the lamp is dark after 15/2 ms at the earliest"
    );
    assert!(found.instances[0].parts[0].is_some(), "audited");
}
