//! `run`: random runs, models without claims, errors, wrong calls.

use crate::calling::models::{COUNTS, LOCK, RING, good, says, with};
use crate::calling::{call, typed};
use expect_test::expect;

#[test]
fn a_model_without_claims_runs() {
    let folder = with("run-lock", "lock.scrut", LOCK);
    let first = call(&folder, &["run", "lock.scrut", "--seed", "1"]);
    good(
        &first,
        &expect![[r#"
            a random run of lock.scrut, seed 1
              with clients = 2 (default)
              1-2  nodes 2 and 1  start                 → Ask to Server, each
                3  Server         gets Ask from node 2  lent false → true   → Key to node 2
                4  node 2         gets Key              has false → true, halts
                5  Server         gets Ask from node 1  swallows it
              nothing can happen any more
              node 1 is at rest and would still take Key
              Server is at rest and would still take Ask
                the whole run: scrutineer show scrutineer-out/lock/random.run   picture: scrutineer-out/lock/random.html
        "#]],
    );
    let again = call(&folder, &["run", "lock.scrut", "--seed", "1"]);
    assert_eq!(first.out, again.out, "the same seed, the same run");
    let runs =
        (2..8).map(|seed| call(&folder, &["run", "lock.scrut", "--seed", &seed.to_string()]));
    let stories: Vec<String> = runs.map(|done| done.out).collect();
    let story = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_string());
    let other = stories.iter().any(|text| story(text) != story(&first.out));
    assert!(other, "another seed, another run");
    assert!(folder.join("scrutineer-out/lock/random.html").is_file());
}

#[test]
fn a_seed_is_drawn_and_said() {
    let folder = with("run-drawn", "ring.scrut", RING);
    let drawn = call(&folder, &["run", "ring.scrut", "-D", "n=8"]).out;
    let (_, seed) = drawn
        .lines()
        .next()
        .expect("a line")
        .split_once("seed ")
        .expect("a seed");
    let again = call(&folder, &["run", "ring.scrut", "-D", "n=8", "--seed", seed]).out;
    assert_eq!(drawn, again);
}

#[test]
fn a_stored_run_is_shown_like_any_other() {
    let folder = with("run-stored", "ring.scrut", RING);
    let pictures = ["--svg", "a.svg", "--html", "a.html", "--itf", "a.json"];
    let call_it = ["run", "ring.scrut", "--seed", "5", "--steps", "4"];
    let done = call(&folder, &[&call_it[..], &pictures[..]].concat());
    good(
        &done,
        &expect![[r#"
            a random run of ring.scrut, seed 5
              with n = 3 (default); ids: node 1 #2, node 2 #3, node 3 #1
              at first: node 1 has tired = true, node 2 has tired = false, node 3 has tired = true
              1-3  all     start             → Election #3 to node 3
                4  node 3  gets Election #3  passes it on
              stopped here after 4 events; --steps 8 goes further
                the whole run: scrutineer show scrutineer-out/ring/random.run   picture: scrutineer-out/ring/random.html
                trace: a.json
                chart: a.svg
                page: a.html
        "#]],
    );
    let run = "scrutineer-out/ring/random.run";
    let pictures = ["--svg", "b.svg", "--html", "b.html", "--itf", "b.json"];
    let done = call(&folder, &[&["show", run], &pictures[..]].concat());
    good(
        &done,
        &expect![[r#"
            a random run of ring.scrut, seed 5   n = 3 (default); ids: node 1 #2, node 2 #3, node 3 #1
              at first: node 1 has tired = true, node 2 has tired = false, node 3 has tired = true
              1-3  all     start             → Election #3 to node 3
                4  node 3  gets Election #3  passes it on
              stopped here after 4 events
                trace: b.json
                chart: b.svg
                page: b.html
        "#]],
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a picture");
    for kind in ["svg", "html", "json"] {
        assert_eq!(read(&format!("a.{kind}")), read(&format!("b.{kind}")));
    }
    assert_eq!(read("a.html"), read("scrutineer-out/ring/random.html"));
}

#[test]
fn an_error_of_the_model_is_told_and_code_1() {
    let folder = with("run-error", "counts.scrut", COUNTS);
    let done = call(&folder, &["run", "counts.scrut", "--seed", "1"]);
    assert_eq!((done.code, &done.err[..]), (1, ""));
    expect![[r#"
        a random run of counts.scrut, seed 1
          1  Tally  does up  x 0 → 1
          2  Tally  does up  x 1 → 2
          3  Tally  does up
          here the run ends in an error: the value 3 does not fit into 0..2:  x = x + 1   (counts.scrut:3)
            the whole run: scrutineer show scrutineer-out/counts/random.run   picture: scrutineer-out/counts/random.html
    "#]].assert_eq(&done.out);
    let done = call(&folder, &["show", "scrutineer-out/counts/random.run"]);
    assert_eq!(done.code, 0);
    says(
        &done.out,
        "here the run ends in an error: the value 3 does not fit into 0..2",
    );
}

#[test]
fn what_a_check_is_about() {
    let folder = with("run-check", "ring.scrut", RING);
    let run = |args: &[&str]| {
        call(
            &folder,
            &[&["run", "ring.scrut", "--seed", "3"], args].concat(),
        )
    };
    let done = run(&["--check", "1"]);
    says(
        &done.out,
        "with n = 4; ids: node 1 #10, node 2 #30, node 3 #20, node 4 #40",
    );
    assert!(!done.out.contains("tired = true"), "{}", done.out);
    let done = run(&["--check", "2"]);
    says(&done.out, "a random run of ring.scrut with Deaf, seed 3");
    assert!(!done.out.contains("passes it on"), "{}", done.out);
    let sizes: Vec<String> = (0..20)
        .map(|seed| {
            call(
                &folder,
                &[
                    "run",
                    "ring.scrut",
                    "--check",
                    "2",
                    "--seed",
                    &seed.to_string(),
                ],
            )
        })
        .map(|done| done.out)
        .collect();
    for size in ["n = 5;", "n = 6;"] {
        assert!(sizes.iter().any(|out| out.contains(size)), "never {size}");
    }
    let done = run(&["--check", "2", "-D", "n=2"]);
    says(&done.out, "with n = 2; ids");
    let done = run(&["--with", "Deaf", "--in", "Lossy"]);
    says(
        &done.out,
        "a random run of ring.scrut in Lossy with Deaf, seed 3",
    );
    let lossy = (0..9).map(|s| {
        call(
            &folder,
            &[
                "run",
                "ring.scrut",
                "--in",
                "Lossy",
                "--seed",
                &s.to_string(),
            ],
        )
    });
    assert!(
        lossy
            .map(|done| done.out)
            .any(|out| out.contains("it is lost"))
    );
}

#[test]
fn wrong_calls_and_wrong_models() {
    let folder = with("run-wrong", "ring.scrut", RING);
    let wrong = |args: &[&str]| {
        let done = call(&folder, &[&["run"], args].concat());
        assert_eq!((done.code, &done.out[..]), (2, ""), "{args:?}");
        done.err
    };
    says(
        &wrong(&["nowhere.scrut"]),
        "error: cannot read nowhere.scrut:",
    );
    says(
        &wrong(&["ring.scrut", "--seed", "soon"]),
        "a seed is a whole number",
    );
    says(&wrong(&["ring.scrut", "--seed", "-1"]), "-1");
    says(
        &wrong(&["ring.scrut", "--steps", "0"]),
        "a whole number from 1",
    );
    says(&wrong(&["ring.scrut", "-D", "n=13"]), "13 is outside");
    says(
        &wrong(&["ring.scrut", "-D", "m=1"]),
        "there is no parameter `m`",
    );
    says(
        &wrong(&["ring.scrut", "--check", "3"]),
        "ring.scrut has 2 checks; there is no check 3",
    );
    says(
        &wrong(&["ring.scrut", "--check", "0"]),
        "there is no check 0",
    );
    says(
        &wrong(&["ring.scrut", "--with", "Daef"]),
        "there is no variant `Daef`; did you mean `Deaf`?",
    );
    says(
        &wrong(&["ring.scrut", "--with", "Deaf", "--with", "Deaf"]),
        "both variants of `Member`",
    );
    says(
        &wrong(&["ring.scrut", "--in", "Space"]),
        "there is no world `Space`; there is Lossy",
    );
    says(
        &wrong(&["ring.scrut", "--check", "1", "--in", "Lossy"]),
        "cannot be used with",
    );
    says(
        &wrong(&["ring.scrut", "--by-hand", "--steps", "3"]),
        "cannot be used with",
    );
    let write = |text: &str| std::fs::write(folder.join("bad.scrut"), text).expect("a file");
    write("node A { var x: 0..1 = y }\n");
    says(&wrong(&["bad.scrut"]), "error[E");
    says(&wrong(&["bad.scrut", "--by-hand"]), "error[E");
    write(
        "message M\nnode A[2] {\n    start { broadcast M }\n    on M { }\n}\nworld W { network ring { channel fifo } }\n",
    );
    expect![[r#"
        error[E0408]: sending needs a network, and here is none
         --> bad.scrut:3:13
          |
        3 |     start { broadcast M }
          |             ^^^^^^^^^^^
          |
          = note: this is the model as it stands; what else can be run: `--in W`
          = note: `scrutineer explain E0408` tells more

    "#]]
    .assert_eq(&wrong(&["bad.scrut"]));
    let done = call(&folder, &["run", "bad.scrut", "--in", "W"]);
    assert_eq!((done.code, &done.err[..]), (0, ""));
}

#[test]
fn a_model_that_cannot_begin() {
    let text = "node A { var x: 0..1 = any }\ninitially A.x > 1\n";
    let folder = with("run-nowhere", "bad.scrut", text);
    let random = call(&folder, &["run", "bad.scrut"]);
    assert_eq!(random.code, 2);
    expect![[r#"
        error[E0516]: no state can begin a run (1 node)
         --> bad.scrut:2:11
          |
        2 | initially A.x > 1
          |           ^^^^^^^ what the variables begin with does not allow this
          |
          = note: a variable that may begin with several values is declared `= any` or `= any in …`
          = note: `scrutineer explain E0516` tells more

    "#]]
    .assert_eq(&random.err);
    let by_hand = call(&folder, &["run", "bad.scrut", "--by-hand"]);
    assert_eq!((by_hand.code, &by_hand.err), (2, &random.err));
}

#[test]
fn an_initial_value_that_cannot_be_drawn() {
    let text = "node A { var s: Set<0..3000000000> = any }\n";
    let folder = with("run-too-large", "large.scrut", text);
    let random = call(&folder, &["run", "large.scrut"]);
    assert_eq!(random.code, 2);
    expect![[r#"
        error[E0517]: no first value of `s` can be drawn: that takes 3000000001 values
         --> large.scrut:1:14
          |
        1 | node A { var s: Set<0..3000000000> = any }
          |              ^
          |
          = note: give it a smaller type, or a first value instead of `any`
          = note: `scrutineer explain E0517` tells more

    "#]]
    .assert_eq(&random.err);
    let by_hand = call(&folder, &["run", "large.scrut", "--by-hand"]);
    assert_eq!((by_hand.code, &by_hand.err), (2, &random.err));
    // A type with many values is accepted, unless all its values must be enumerated.
    for (init, code) in [("any", 0), ("any in 0..3000000000", 2)] {
        let text = format!("node A {{ var x: 0..3000000000 = {init} }}\n");
        std::fs::write(folder.join("number.scrut"), text).expect("a file");
        let done = call(&folder, &["run", "number.scrut"]);
        assert_eq!(done.code, code, "{init}: {}", done.err);
    }
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = with("run-out", "lock.scrut", LOCK);
    std::fs::write(folder.join("taken"), "a file in the way").expect("a file");
    let done = call(
        &folder,
        &["run", "lock.scrut", "--out", "taken", "--seed", "1"],
    );
    assert_eq!(done.code, 2);
    says(&done.err, "error: cannot write taken/lock/random.run");
    says(&done.out, "nothing can happen any more");
    // A run by hand continues after a command that fails, and shows its story at the end.
    let input = "1\nquit\nsave here\nquit\n";
    let done = typed(
        &folder,
        &["run", "lock.scrut", "--by-hand", "--out", "taken"],
        input,
    );
    assert_eq!(done.code, 0, "{}", done.out);
    says(&done.err, "error: cannot write taken/lock/by-hand-1.run");
    says(
        &done.out,
        "saved; `scrutineer show here.run` tells it again",
    );
    let done = typed(
        &folder,
        &["run", "lock.scrut", "--by-hand", "--out", "taken"],
        "1\n",
    );
    assert_eq!(done.code, 2);
    assert_eq!(
        done.out
            .matches("1  node 1  starts  → Ask to Server")
            .count(),
        3
    );
    let done = call(&folder, &["run", "lock.scrut", "--html", "taken/a.html"]);
    assert_eq!(done.code, 2);
    says(&done.err, "error: cannot write taken/a.html");
}

#[test]
fn long_runs_do_not_flood() {
    let text = "node A { var x: Bool = false\n when flip: true { x = not x } }\n";
    let folder = with("run-long", "flip.scrut", text);
    let page = folder.join("scrutineer-out/flip/random.html");
    call(&folder, &["run", "flip.scrut"]);
    assert!(page.is_file());
    let done = call(&folder, &["run", "flip.scrut", "--steps", "2001"]);
    assert_eq!(done.code, 0);
    says(&done.out, "no picture: 2001 events are too many");
    assert!(!page.exists(), "it was of another run");
    let done = typed(&folder, &["run", "flip.scrut", "--by-hand"], "r 50\n");
    says(&done.out, "… 30 events, which `story` tells; then\n  31  A");
    assert!(!done.out.contains("30  A"), "{}", done.out);
}

/// Ctrl-C during a random run that would take hours: the run so far is shown.
#[cfg(unix)]
#[test]
fn an_interrupt_at_random_tells_what_there_is() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    // The run has a million events, and each evaluates ten thousand conditions.
    let text = "node A {\n    var x: Bool = false\n    when flip: all i in 0..99: all j in 0..99: i + j >= 0 { x = not x }\n}\n";
    let folder = with("run-interrupt-random", "flip.scrut", text);
    let mut child = crate::calling::command(&folder)
        .args(["run", "flip.scrut", "--steps", "1000000"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be called");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    // When the seed is printed, the handler of Ctrl-C is already installed, and no event has fired yet.
    out.read_line(&mut first).expect("a first line");
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill can be called").success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("the end");
    assert_eq!(child.wait().expect("an end").code(), Some(3));
    says(&rest, "by Ctrl-C");
    says(&rest, "scrutineer show scrutineer-out/flip/random.run");
}

/// The story of a run that answers no question omits only events without a lasting effect.
#[test]
fn activations_that_change_something_are_told() {
    let model = "\
node A {
    var on: Bool = false
    every 10 ms { on = not on }
}
node B {
    every 10 ms { }
}
";
    let folder = with("run-changes", "m.scrut", model);
    let done = call(&folder, &["run", "m.scrut", "--seed", "4", "--steps", "12"]);
    let count = |text: &str| done.out.matches(text).count();
    assert_eq!(
        count("on false → true") + count("on true → false"),
        6,
        "{}",
        done.out
    );
}
