//! Threads, cancellation, progress and limits.

use scrutineer::{Cancel, Judgement, Model, Options, Report, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A model with about 10^9 states. No method decides its claim without visiting them.
const LONG: &str = "message Step { value: 0..9 }
node Member[9] {
    var value: 0..9 = 0
    when act: value < 9 { value = value + 1; send Step { value: value } to next }
    on Step as m { if m.value > value { value = m.value } }
}
network ring { channel fifo(3) }
claim all_end: eventually all k in Member: k.value == 9
check all_end
";

#[test]
fn all_types_are_send() {
    fn assert_send<T: Send>() {}
    assert_send::<Model>();
    assert_send::<scrutineer::Check<'static>>();
    assert_send::<Options>();
    assert_send::<Cancel>();
    assert_send::<Report>();
    assert_send::<scrutineer::Error>();
    assert_send::<scrutineer::machine::Machine>();
    assert_send::<checks::Options>();
    assert_send::<checks::Loaded>();
}

/// Asserts that the only result is unknown, neither proved nor as expected, and that its reason contains these words.
fn assert_unknown(report: &Report, words: &str) {
    let [only] = &report.properties[..] else {
        panic!("one result: {report:?}");
    };
    assert!(matches!(only.verdict, Verdict::Unknown { .. }), "{only}");
    let reason = only.reason().expect("a reason");
    assert!(reason.contains(words), "{reason}");
    assert_eq!(only.judgement, Judgement::Unknown);
    assert!(!only.is_proved() && !report.is_good());
}

#[test]
fn a_check_on_another_thread_is_cancelled_by_its_progress() {
    let cancel = Cancel::new();
    let most = Arc::new(AtomicU64::new(0));
    let options = {
        let (token, most) = (cancel.clone(), most.clone());
        let options = Options::default().threads(1).cancel(&cancel);
        options.progress(move |progress| {
            most.fetch_max(progress.states, Ordering::Relaxed);
            if progress.states > 2_000 {
                token.cancel();
            }
        })
    };
    let searching = std::thread::spawn(move || {
        let model = Model::parse(LONG)?;
        model.checks()[0].run(&options)
    });
    let report = searching.join().expect("no panic").expect("a report");
    assert!(cancel.is_cancelled());
    assert!(most.load(Ordering::Relaxed) > 2_000);
    assert_unknown(&report, "interrupted");
}

#[test]
fn limits_end_in_unknown() {
    let model = Model::parse(LONG).expect("a model");
    let run = |options: Options| {
        model.checks()[0]
            .run(&options.threads(1))
            .expect("a report")
    };
    let report = run(Options::default().time(Duration::from_millis(1)));
    assert_unknown(&report, "time limit of 0.001 s reached");
    let report = run(Options::default().memory(1_000_000));
    assert_unknown(&report, "memory limit of 1 MB reached");
}

#[test]
fn a_cancelled_token_lets_nothing_begin() {
    let cancel = Cancel::new();
    cancel.cancel();
    let model = Model::parse(LONG).expect("a model");
    let report = model.checks()[0].run(&Options::default().cancel(&cancel));
    assert_unknown(&report.expect("a report"), "interrupted");
}
