//! Thresholds of time parameters: some are derived by hand, random ones are confirmed by a search.

use checks::{Judgement, Options, load_text};
use machine::random::Rng;
use rational::Rational;
use std::sync::atomic::AtomicBool;
use strategy::{Method, answer_by};
use verdict::{Answer, Labels, Progress, Question, Side, Spent};

/// The only answer to the only check, and its judgement.
fn answer(text: &str) -> (Answer, Judgement) {
    let loaded = load_text("border.scrut", text);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let interrupted = AtomicBool::new(false);
    let report = checks::check(&loaded, 0, &Options::default(), &interrupted, &mut |_| {});
    let report = report.unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"));
    let report = report.expect("a report");
    let judged = checks::judge(&loaded, &report);
    let answer = report.instances[0].report.results[0].answer.clone();
    (answer, judged[0][0].judgement)
}

/// A model of a sender, and a watchdog that raises an alarm if its inbox is empty. The arguments are the parameters,
/// the two timings and the check.
fn watchdog(params: &str, sender: &str, watch: &str, check: &str) -> String {
    format!(
        "{params}
message Beat
node Sender {{ every {sender} {{ broadcast Beat }} }}
node Watch {{
    var alarm: Bool = false
    every {watch} {{
        alarm = not exists m in inbox: true
        clear inbox
    }}
}}
network complete {{ delivery instant; inbox all, starts empty }}
claim quiet: always (Watch.activations >= 2 implies not Watch.alarm)
check {check}
"
    )
}

/// The sender is slower than the watchdog for every value, so that the claim fails for every value.
#[test]
fn claims_that_fail_for_every_value() {
    for (params, sender, watch, sought) in [
        // Every window is shorter than every gap. The least valid value is 8.
        (
            "param x: Duration = 12 ms",
            "8 ms .. x",
            "6 ms",
            "greatest x",
        ),
        // The greatest valid value is 40.
        (
            "param x: Duration = 30 ms",
            "45 ms",
            "x .. 40 ms",
            "least x",
        ),
        (
            "param x: Duration = 40 ms",
            "35 ms .. 35 ms + x",
            "30 ms",
            "greatest x",
        ),
        // The least valid value is no jitter at all.
        (
            "param x: Duration = 3 ms",
            "10 ms fixed, jitter ± x per gap",
            "9 ms fixed, jitter ± x per gap",
            "greatest x",
        ),
    ] {
        let check = format!("{sought}: quiet expect fails for every bound");
        let text = watchdog(params, sender, watch, &check);
        let (found, judgement) = answer(&text);
        assert!(matches!(found, Answer::NoBound(_)), "{found:?}\n{text}");
        assert_eq!(judgement, Judgement::Good);
    }
}

#[test]
fn as_worked_out_by_hand() {
    for (params, sender, watch, check) in [
        // The longest gap of the sender is as long as the shortest window of the watchdog, 30 - 1, with one send just
        // before and one just after it.
        (
            "param slow: Duration = 12 ms",
            "8 ms .. slow",
            "30 ms, jitter ± 1 ms per gap",
            "greatest slow: quiet expect below 29 ms",
        ),
        // The window is as short as the longest gap, 12.
        (
            "param short: Duration = 30 ms",
            "8 ms .. 12 ms",
            "short .. 40 ms",
            "least short: quiet expect above 12 ms",
        ),
        // The longest gap equals the shortest window: 10 + s = 25 - 2 s for s = 5.
        (
            "param s: Duration = 1 ms",
            "10 ms - s .. 10 ms + s",
            "25 ms - 2 * s .. 25 ms + s / 2",
            "greatest s: quiet expect below 5 ms",
        ),
        // 10 + j = 17 - j for j = 3.5, with fixed periods.
        (
            "param j: Duration = 0 ms",
            "10 ms fixed, jitter ± j per gap",
            "17 ms fixed, jitter ± j per gap",
            "greatest j: quiet expect below 7/2 ms",
        ),
        // The claim fails for no valid value, so the answer is the end of the valid values.
        (
            "param margin: Duration = 2 ms",
            "8 ms .. 20 ms - margin",
            "30 ms",
            "least margin: quiet expect 0 ms",
        ),
        (
            "param early: Duration = 2 ms",
            "10 ms, first 9 ms - early .. 9 ms",
            "30 ms",
            "greatest early: quiet expect 9 ms",
        ),
    ] {
        let text = watchdog(params, sender, watch, check);
        let (answer, judgement) = answer(&text);
        let Answer::Time(threshold, run) = &answer else {
            panic!("{answer:?}\n{text}");
        };
        assert_eq!(judgement, Judgement::Good, "{answer:?}\n{text}");
        assert_eq!(run.is_some(), threshold.side != Side::Here, "{text}");
    }
}

#[test]
fn what_cannot_be_answered_is_unknown_and_why() {
    for (params, sender, watch, check, why) in [
        (
            "param x: Duration = 10 ms",
            "x",
            "30 ms",
            "greatest x: quiet",
            "the other way round",
        ),
        (
            "param x: Duration = 10 ms",
            "8 ms .. x",
            "30 ms",
            "least x: quiet",
            "allows more runs",
        ),
        (
            "param x: Duration = 10 ms",
            "8 ms .. min(x, 20 ms)",
            "30 ms",
            "greatest x: quiet",
            "line 3 is not a multiple of `x`",
        ),
        (
            "param x: Duration = 10 ms\nlet rounds = floor(30 ms / x)",
            "8 ms .. x",
            "30 ms",
            "greatest x: quiet",
            "`x` also stands in line 2",
        ),
        (
            "param x: Duration = 1 ms",
            "10 ms, jitter ± x per gap",
            "30 ms",
            "greatest x: quiet",
            "more than",
        ),
        (
            "param x: Duration = 1 ms\nparam y: Duration = 3 ms",
            "10 ms, jitter ± y per gap",
            "30 ms",
            "greatest x: quiet",
            "depends on `x`",
        ),
    ] {
        let text = watchdog(params, sender, watch, check);
        let (answer, _) = answer(&text);
        let labels = Labels {
            unit: Some("ms".into()),
            ..Labels::default()
        };
        match &answer {
            Answer::Unknown(reason) if report::reason(reason, &labels).contains(why) => {}
            _ => panic!("{answer:?}\n{text}"),
        }
    }
}

/// A budget with a limit of states.
struct StateLimited;

impl verdict::Budget for StateLimited {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.states > 200_000).then_some(Spent::Interrupted)
    }
}

/// The answer of an explicit search to the claim, with `value` as the value of the parameter.
fn by_search(text: &str, value: &Rational) -> Answer {
    let (n, d) = (value.numerator(), value.denominator());
    let text = text.replace(
        "param x: Duration = 1 ms",
        &format!("param x: Duration = {n} ms / {d}"),
    );
    let text = text.replace("check greatest x: quiet", "check quiet");
    let loaded = load_text("value.scrut", &text);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let requests = lower::instances(&loaded.model, 0, &[]).expect("an instance");
    let lowered = lower::lower(&loaded.model, &loaded.sources, &requests[0]).expect("a machine");
    let question = Question {
        machine: &lowered.machine,
        fair: true,
    };
    let report = answer_by(Method::IntegerTime, &question, &StateLimited).expect("a report");
    report.results[0].answer.clone()
}

#[test]
fn a_search_confirms_random_borders() {
    let (mut confirmed, mut nowhere) = (0, 0);
    for seed in 0..24 {
        let random = &mut Rng(seed);
        let mut ms = |from: usize, to: usize| from + random.below(to - from + 1);
        let (short, more) = (ms(3, 6), ms(0, 3));
        let (gap, spread) = (ms(8, 13), ms(0, 3));
        let text = watchdog(
            "param x: Duration = 1 ms",
            match ms(0, 2) {
                0 => format!("{short} ms .. {} ms + x", short + more),
                1 => format!("{short} ms .. {} ms + x / 2", short + more),
                _ => format!("{short} ms .. {} ms, jitter ± x per gap", short + more),
            }
            .as_str(),
            match ms(0, 2) {
                0 => format!("{gap} ms .. {} ms", gap + spread),
                1 => format!("{gap} ms - x .. {} ms", gap + spread),
                _ => format!("{gap} ms .. {} ms, jitter ± x / 3 per gap", gap + spread),
            }
            .as_str(),
            "greatest x: quiet",
        );
        let threshold = match answer(&text).0 {
            Answer::Time(threshold, _) => threshold,
            Answer::NoBound(_) => {
                // The least valid value is 0.
                let least = by_search(&text, &Rational::ZERO);
                assert!(matches!(least, Answer::Fails(_)), "{least:?}\n{text}");
                nowhere += 1;
                continue;
            }
            Answer::Unknown(_) => continue,
            other => panic!("{other:?}\n{text}"),
        };
        assert_eq!(threshold.side, Side::Below, "{text}");
        let below = &threshold.time - Rational::new(1, 5);
        let (here, there) = (by_search(&text, &threshold.time), by_search(&text, &below));
        assert!(!matches!(here, Answer::Holds), "{threshold:?}\n{text}");
        assert!(!matches!(there, Answer::Fails(_)), "{threshold:?}\n{text}");
        if matches!(here, Answer::Fails(_)) && there == Answer::Holds {
            confirmed += 1;
        }
    }
    assert!(confirmed >= 12, "{confirmed}");
    assert!(nowhere > 0, "one that holds for no value");
}
