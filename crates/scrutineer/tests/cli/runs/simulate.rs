//! `simulate`: counts, stored files, wrong calls, and runs with times.

use crate::calling::models::{good, with};
use crate::calling::{call, typed};
use expect_test::expect;

/// Two independent nodes. Each starts with a random one of four colours and becomes red at its first activation.
const BEATS: &str = "\
enum Lamp { Red, Yellow, Green, Blue }
node Beat[2] {
    var lamp: Lamp = any
    every 9 ms .. 11 ms { lamp = Red }
}
network complete { channel fifo }
claim red(a: 0..5): always ((all k in Beat: k.activations >= a) implies all k in Beat: k.lamp == Red)
claim never_blue: always all k in Beat: k.lamp != Blue
claim bright: always all k in Beat: k.activations == 0 or k.lamp == Red
check least a: red(a) expect 1
check never_blue expect fails
check bright, never_blue expect holds
check possible: all k in Beat: k.lamp == Blue
";

#[test]
fn what_runs_show_is_counted() {
    let folder = with("simulate", "beats.scrut", BEATS);
    let call_it = ["simulate", "beats.scrut", "--seed", "1", "--runs", "400"];
    let first = call(&folder, &call_it);
    assert_eq!(first.err, "");
    assert_eq!(first.code, 1, "`never_blue` is expected to hold");
    expect![[r#"
        beats.scrut, simulated: 400 random runs each, seed 1
          ? least a for red(a)                           at most 60 events
              the least a that a run allows:
                0   23  ███
                1  377  ████████████████████████████████████████
              mean 0.943, median 1, 95 % at most 1, 99 % at most 1, most 1
              a run breaks it for a = 0: the least a for all runs is at least 1
              with a = 0 it stays true from (ms): mean 6.72, median 7.97, 95 % by 11, 99 % by 11, latest 11
                 0  100  ██████████████████████████
                 2   28  ████████
                 4   28  ████████
                 6   45  ████████████
                 8   40  ███████████
                10  159  ████████████████████████████████████████
              histograms: scrutineer-out/beats/simulated-1-red-values.svg, scrutineer-out/beats/simulated-1-red-settled.svg
              red(a) fails for a = 0 in run 1, at the start
              the whole run: scrutineer show scrutineer-out/beats/simulated-1-red.run   picture: scrutineer-out/beats/simulated-1-red.html
          ? never_blue failed in 188 of 400 runs         at most 60 events
              47 %; with 95 % confidence 42.2 % to 51.9 % of such runs fail
              never_blue fails in run 1, at the start
              the whole run: scrutineer show scrutineer-out/beats/simulated-2-never_blue.run   picture: scrutineer-out/beats/simulated-2-never_blue.html
          ? bright did not fail in 400 runs              at most 60 events
              with 95 % confidence at most 0.951 % of such runs fail
          ✗ never_blue failed in 188 of 400 runs, but `expect` says holds
                                                         at most 60 events
              47 %; with 95 % confidence 42.2 % to 51.9 % of such runs fail
              never_blue fails in run 1, at the start
              the whole run: scrutineer show scrutineer-out/beats/simulated-3-never_blue.run   picture: scrutineer-out/beats/simulated-3-never_blue.html
          ? all k in Beat: k.lamp == Blue was reached in 26 of 400 runs
                                                         at most 60 events
              6.5 %; with 95 % confidence 4.47 % to 9.35 % of such runs reach it
              all k in Beat: k.lamp == Blue reached in run 10, at the start
              the whole run: scrutineer show scrutineer-out/beats/simulated-4-possible.run   picture: scrutineer-out/beats/simulated-4-possible.html
            a simulation finds runs and counts them; it proves nothing: `scrutineer check` looks at all runs
    "#]].assert_eq(&first.out);
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
    good(
        &done,
        &expect![[r#"
        a random run of beats.scrut, seed 3
              start  node 1 Yellow; node 2 Yellow
           1.375 ms  node 2  activation 1  lamp Yellow → Red
           2.475 ms  node 1  activation 1  lamp Yellow → Red
                  ⋯  3 activations of nodes 1 and 2
          22.825 ms  node 2  activation 3
          stopped here after 6 events; --steps 12 goes further
            the whole run: scrutineer show scrutineer-out/beats/random.run   picture: scrutineer-out/beats/random.html
    "#]],
    );
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
    good(
        &done,
        &expect![[r#"
            beats.scrut by hand, seed 1; `help` lists the commands
            How does it begin?
              1  lamp: node 1 Red, node 2 Red
              2  lamp: node 1 Red, node 2 Yellow
              3  lamp: node 1 Red, node 2 Green
              4  lamp: node 1 Red, node 2 Blue
              5  lamp: node 1 Yellow, node 2 Red
              6  lamp: node 1 Yellow, node 2 Yellow
              7  lamp: node 1 Yellow, node 2 Green
              8  lamp: node 1 Yellow, node 2 Blue
              9  lamp: node 1 Green, node 2 Red
             10  lamp: node 1 Green, node 2 Yellow
             11  lamp: node 1 Green, node 2 Green
             12  lamp: node 1 Green, node 2 Blue
             13  lamp: node 1 Blue, node 2 Red
             14  lamp: node 1 Blue, node 2 Yellow
             15  lamp: node 1 Blue, node 2 Green
             16  lamp: node 1 Blue, node 2 Blue
            A number picks one, Enter the first, `r` any.
            > 1
              start  node 1 Red; node 2 Red
            What happens first?
              1  node 1  activation 1   from 0 ms to 11 ms
              2  node 2  activation 1   from 0 ms to 11 ms
            > 1
              0 ms
              1  node 1  activation 1
            What happens next? (event 2)
              1  node 1  activation 2   from 9 ms to 11 ms
              2  node 2  activation 1   from 0 ms to 11 ms
            > 1 2
              that can happen from 9 ms to 11 ms
            > 2 11
              11 ms
              2  node 2  activation 1
            What happens next? (event 3)
              1  node 1  activation 2   at 11 ms
            > 1 9.5 ms
              that can happen at 11 ms
            > 1 soon
              `soon` is not a time; times are written like 0 ms
            > 2 at 12
              there is no 2: only 1 can be picked
            > quit
                the whole run: scrutineer show scrutineer-out/beats/by-hand-1.run   picture: scrutineer-out/beats/by-hand-1.html
        "#]],
    );
}

#[test]
fn a_time_of_which_the_runs_say_nothing_is_not_measured() {
    let model = "node A { var x: 0..3 = 0; every 4 ms { x = min(x + 1, 3) } }\n\
                 claim soon(t: Duration): true leads to A.x == 3 within t\ncheck least t: soon(t)\n";
    let folder = with("least-time", "m.scrut", model);
    let done = call(&folder, &["simulate", "m.scrut", "--runs", "20"]);
    crate::calling::models::says(&done.out, "the runs say nothing about the least t");
    assert!(!done.out.contains("histograms"), "{}", done.out);
}
