//! `simulate` from outside: what is counted, what is stored, wrong calls; and runs with times.

mod scrutineer;

use expect_test::expect;
use scrutineer::models::{good, with};
use scrutineer::{call, typed};

/// Two nodes that nobody synchronises; with one chance of four the first is on at first.
const BEATS: &str = "\
enum Lamp { Red, Yellow, Green, Blue }
node Beat[2] {
    var lamp: Lamp = any
    every 9 ms .. 11 ms { lamp = Red }
}
network complete { channel fifo }
claim red(a: 0..5): always ((all k in Beat: k.activations >= a) implies all k in Beat: k.lamp == Red)
claim never_blue: always all k in Beat: k.lamp != Blue
claim together: always all i, j in Beat: i.activations - j.activations <= 1
check least a: red(a) expect 1
check never_blue expect fails
check together, never_blue expect holds
check possible: all k in Beat: k.lamp == Blue
";

#[test]
fn what_runs_show_is_counted() {
    let folder = with("simulate", "beats.scrut", BEATS);
    let call_it = ["simulate", "beats.scrut", "--seed", "1", "--runs", "400"];
    let first = call(&folder, &call_it);
    assert_eq!(first.err, "");
    assert_eq!(first.code, 1, "`never_blue` is expected to hold");
    expect![[r#""#]].assert_eq(&first.out);
    assert_eq!(first.out, call(&folder, &call_it).out, "the same seed");
    let stored = "scrutineer-out/beats/simulated-1-red";
    for file in [
        format!("{stored}-values.svg"),
        format!("{stored}-settled.svg"),
    ] {
        let text = std::fs::read_to_string(folder.join(&file)).expect("a picture");
        assert!(
            text.starts_with("<svg") && text.contains("400 runs"),
            "{text}"
        );
    }
    let shown = call(&folder, &["show", &format!("{stored}.run")]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(
        shown.out.starts_with("red(a) fails for a = 0 in run "),
        "{}",
        shown.out
    );
    let other = call(
        &folder,
        &["simulate", "beats.scrut", "--runs", "3", "--check", "4"],
    );
    assert_eq!(other.code, 0, "{}", other.out);
    assert!(
        other.out.contains("3 random runs each, seed "),
        "{}",
        other.out
    );
}

#[test]
fn wrong_calls() {
    let folder = with("simulate-wrong", "beats.scrut", BEATS);
    let wrong = |args: &[&str], text: &str| {
        let done = call(&folder, &[&["simulate", "beats.scrut"], args].concat());
        assert_eq!((done.code, &done.out[..]), (2, ""), "{args:?}");
        assert!(done.err.contains(text), "{args:?}: {}", done.err);
    };
    wrong(
        &["--check", "9"],
        "beats.scrut has 4 checks; there is no check 9",
    );
    wrong(&["--check", "0"], "there is no check 0");
    wrong(
        &["--runs", "0"],
        "write a whole number from 1 to 1000000000",
    );
    wrong(
        &["--runs", "many"],
        "write a whole number from 1 to 1000000000",
    );
    wrong(&["--steps", "0"], "write a whole number from 1 to 1000000");
    wrong(&["--seed", "-1"], "");
    let done = call(&folder, &["simulate", "beats.scrut", "--claim", "rde"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err
            .contains("no check asks about a claim `rde`; did you mean `red`?")
    );
    let done = call(&folder, &["simulate", "beats.scrut", "-D", "n=2"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("there is no parameter `n`"),
        "{}",
        done.err
    );
    std::fs::write(
        folder.join("none.scrut"),
        "node A { }\nnetwork complete { channel fifo }\n",
    )
    .expect("a file");
    let done = call(&folder, &["simulate", "none.scrut"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("none.scrut has no check"), "{}", done.err);
}

#[test]
fn a_random_run_with_times() {
    let folder = with("run-times", "beats.scrut", BEATS);
    let call_it = ["run", "beats.scrut", "--seed", "3", "--steps", "6"];
    let done = call(&folder, &call_it);
    good(&done, &expect![[r#""#]]);
    assert_eq!(done.out, call(&folder, &call_it).out);
}

#[test]
fn by_hand_an_event_gets_a_time() {
    let folder = with("hand-times", "beats.scrut", BEATS);
    let input = "1\n1\n1 2\n2 11\n1 9.5 ms\n1 soon\n2 at 12\nquit\n";
    let done = typed(
        &folder,
        &["run", "beats.scrut", "--by-hand", "--seed", "1"],
        input,
    );
    good(&done, &expect![[r#""#]]);
}
