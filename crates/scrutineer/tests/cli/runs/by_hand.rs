//! `run --by-hand`: input, output, and stored files.

use crate::calling::models::{COUNTS, LOCK, RING, good, says, with};
use crate::calling::{call, typed};
use expect_test::expect;
use std::path::Path;

#[test]
fn by_hand() {
    let folder = with("run-hand", "lock.scrut", LOCK);
    let input =
        "1\n2\n9\n0\nmaybe\nr 2\nstate\nu\nundo 99\nu\n2\nsave two\n\nr 99\nr\n1\nhelp\nquit\n";
    let call_it = ["run", "lock.scrut", "--by-hand", "--seed", "4"];
    let done = typed(&folder, &call_it, input);
    good(
        &done,
        &expect![[r#"
            lock.scrut by hand, seed 4; `help` lists the commands
              with clients = 2 (default)
            What happens first?
              1  node 1  starts  → Ask to Server
              2  node 2  starts  → Ask to Server
            > 1
              1  node 1  starts  → Ask to Server
            What happens next? (event 2)
              1  node 2  starts    → Ask to Server
              2  Server  gets Ask  lent false → true   → Key to node 1
            > 2
              2  Server  gets Ask  lent false → true   → Key to node 1
            What happens next? (event 3)
              1  node 2  starts    → Ask to Server
              2  node 1  gets Key  has false → true, halts
            > 9
              there is no 9: pick 1 to 2
            > 0
              there is no 0: pick 1 to 2
            > maybe
              `maybe` is neither a number nor a command; `help` lists them
            > r 2
              3  node 2  starts                → Ask to Server
              4  Server  gets Ask from node 2  swallows it
            What happens next? (event 5)
              1  node 1  gets Key  has false → true, halts
            > state
                node 1: has = false
                node 2: has = false
                Server: lent = true
              * on the way from node 2 to Server: nothing any more
                on the way from Server to node 1: Key
            > u
              took the last event back
            What happens next? (event 4)
              1  Server  gets Ask from node 2  swallows it
              2  node 1  gets Key              has false → true, halts
            > undo 99
              took the last 3 events back
            What happens first?
              1  node 1  starts  → Ask to Server
              2  node 2  starts  → Ask to Server
            > u
              nothing has happened yet, so nothing can be taken back
            > 2
              1  node 2  starts  → Ask to Server
            What happens next? (event 2)
              1  node 1  starts    → Ask to Server
              2  Server  gets Ask  lent false → true   → Key to node 2
            > save two
              saved; `scrutineer show two.run` tells it again
            > 
            What happens next? (event 2)
              1  node 1  starts    → Ask to Server
              2  Server  gets Ask  lent false → true   → Key to node 2
            > r 99
              2  Server  gets Ask from node 2  lent false → true   → Key to node 2
              3  node 1  starts                → Ask to Server
              4  node 2  gets Key              has false → true, halts
              5  Server  gets Ask from node 1  swallows it
              nothing can happen any more
              node 1 is at rest and would still take Key
              Server is at rest and would still take Ask
              the run is over: `undo` goes back, `quit` ends
            > r
              the run is over: `undo` goes back, `quit` ends
            > 1
              the run is over: `undo` goes back, `quit` ends
            > help
              a number [TIME]  lets that happen, where there are times at that time or as early as can be
              r, random [K]    lets something happen at random, once or K times
              u, undo [K]      takes the last event back, or the last K
              s, state         what everybody has, and what is on the way; * marks what the last event changed
              story            everything so far
              Enter            lists again what can happen
              more             lists what did not fit on the screen
              save [FILE]      stores the run so far; `scrutineer show FILE` tells it again
              q, quit          ends; what was not saved is stored, too
            > quit
                the whole run: scrutineer show scrutineer-out/lock/by-hand-1.run   picture: scrutineer-out/lock/by-hand-1.html
        "#]],
    );
    let done = call(&folder, &["show", "two.run"]);
    good(
        &done,
        &expect![[r#"
        a run of lock.scrut by hand   clients = 2 (default)
          1  node 2  starts  → Ask to Server
          stopped here after 1 event
    "#]],
    );
    let done = call(&folder, &["show", "scrutineer-out/lock/by-hand-1.run"]);
    says(&done.out, "nothing can happen any more");
}

/// `save` overwrites no file, in particular not the model.
#[test]
fn saving_overwrites_nothing() {
    let folder = with("run-save", "lock.scrut", LOCK);
    let input = "1\nsave two\n1\nsave two\nsave two.run\nsave lock.scrut\nsave v1.2\nquit\n";
    let done = typed(&folder, &["run", "lock.scrut", "--by-hand"], input);
    assert_eq!((done.code, &done.err[..]), (0, ""), "{}", done.out);
    let refused = "two.run exists; save it under another name";
    assert_eq!(done.out.matches(refused).count(), 2, "{}", done.out);
    says(&done.out, "`scrutineer show lock.scrut.run` tells it again");
    says(&done.out, "`scrutineer show v1.2.run` tells it again");
    let model = std::fs::read_to_string(folder.join("lock.scrut"));
    assert_eq!(model.expect("the model"), LOCK);
    let two = call(&folder, &["show", "two.run"]);
    says(&two.out, "stopped here after 1 event");
}

/// If the page of a run cannot be written, the run is stored once, and no partial file is left.
#[test]
fn a_page_that_cannot_be_written() {
    let folder = with("run-page", "lock.scrut", LOCK);
    let out = folder.join("scrutineer-out/lock");
    for page in ["by-hand-1.html", "random.html"] {
        std::fs::create_dir_all(out.join(page)).expect("a folder in the way");
    }
    let done = typed(&folder, &["run", "lock.scrut", "--by-hand"], "1\nquit\n");
    assert_eq!(done.code, 2, "{}", done.out);
    let expected = "the run is stored at scrutineer-out/lock/by-hand-1.run; its page is not: cannot write \
                scrutineer-out/lock/by-hand-1.html";
    says(&done.err, expected);
    let done = call(&folder, &["run", "lock.scrut"]);
    assert_eq!(done.code, 2, "{}", done.out);
    says(
        &done.err,
        "the run is stored at scrutineer-out/lock/random.run",
    );
    let entries = std::fs::read_dir(&out).expect("the folder");
    let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    assert_eq!(
        names,
        [
            "by-hand-1.html",
            "by-hand-1.run",
            "model.txt",
            "random.html",
            "random.run"
        ]
    );
}

#[test]
fn a_beginning_by_hand() {
    let folder = with("run-beginning", "ring.scrut", RING);
    let by_hand = |args: &[&str], input: &str| {
        let args = [&["run", "ring.scrut", "--by-hand", "--seed", "1"], args].concat();
        let done = typed(&folder, &args, input);
        assert_eq!((done.code, &done.err[..]), (0, ""), "{}", done.out);
        done.out
    };
    expect![[r#"
        ring.scrut by hand, seed 1; `help` lists the commands
        Who has which id?
          1  ids: node 1 #1, node 2 #2
          2  ids: node 1 #2, node 2 #1
        A number picks one, Enter the first, `r` any.
        > 3
          there is no 3: pick 1 to 2
        > first
          `first` cannot be picked; a number, Enter, `r`, `more` or `quit`
        > 2
        How does it begin?
          1  tired: node 1 false, node 2 false
          2  tired: node 1 false, node 2 true
          3  tired: node 1 true, node 2 false
          4  tired: node 1 true, node 2 true
        A number picks one, Enter the first, `r` any.
        > 3
          with n = 2; ids: node 1 #2, node 2 #1
          at first: node 1 has tired = true, node 2 has tired = false
        What happens first?
          1  node 1  starts
          2  node 2  starts  → Election #1 to node 1
        > q
    "#]]
    .assert_eq(&by_hand(&["-D", "n=2"], "3\nfirst\n2\n3\nq\n"));
    // 720 orders of ids do not fit on a page, and those of twelve nodes are too many to list.
    let many = by_hand(&["-D", "n=6"], "more\n721\n30\nr\nq\n");
    says(&many, " 20  ids:");
    says(&many, "  …  and 700 more, which `more` lists");
    says(&many, "  …  and 680 more, which `more` lists");
    says(&many, "there is no 721: pick 1 to 720");
    assert!(many.lines().count() < 100, "{many}");
    let drawn = by_hand(&["-D", "n=12"], "more\n\nr\nq\n");
    says(
        &drawn,
        "  …  drawn from about 479 million; `more` draws others",
    );
    says(&drawn, " 40  ids:");
    says(&drawn, "What happens first?");
    // The check has two instances.
    let sizes = by_hand(&["--check", "2"], "2\nr\nr\nq\n");
    says(&sizes, "Which parameters?\n  1  n = 5\n  2  n = 6\n");
    says(&sizes, "with n = 6; ids");
    assert!(
        !folder.join("scrutineer-out").exists(),
        "nothing has happened"
    );
}

#[test]
fn rare_beginnings_are_all_offered() {
    let text = "node A[5] { var x: 0..9 = any }\ninitially (sum k in A: k.x) == 44\n";
    let folder = with("run-rare", "rare.scrut", text);
    let done = typed(&folder, &["run", "rare.scrut", "--by-hand"], "6\n5\nq\n");
    assert_eq!((done.code, &done.err[..]), (0, ""), "{}", done.out);
    says(&done.out, "there is no 6: pick 1 to 5");
    assert!(!done.out.contains("drawn from"), "{}", done.out);
}

#[test]
fn more_choices_than_a_screen_has_lines() {
    let folder = with("run-many", "lock.scrut", LOCK);
    let args = ["run", "lock.scrut", "--by-hand", "-D", "clients=30"];
    let done = typed(&folder, &args, "more\n25\n31\n");
    assert_eq!(done.code, 0);
    says(&done.out, "  …  and 10 more, which `more` lists");
    says(&done.out, "> more\n 21  node 21  starts");
    says(&done.out, "> 25\n  1  node 25  starts  → Ask to Server");
    says(&done.out, "there is no 31: pick 1 to 30");
}

#[test]
fn by_hand_into_an_error_and_back() {
    let folder = with("run-hand-error", "counts.scrut", COUNTS);
    let args = ["run", "counts.scrut", "--by-hand", "--seed", "1"];
    let done = typed(&folder, &args, "r 9\n1\nu\n1\n");
    assert_eq!((done.code, &done.err[..]), (1, ""));
    expect![[r#"
        counts.scrut by hand, seed 1; `help` lists the commands
        What happens first?
          1  Tally  does up  x 0 → 1
        > r 9
          1  Tally  does up  x 0 → 1
          2  Tally  does up  x 1 → 2
          3  Tally  does up
          here the run ends in an error: the value 3 does not fit into 0..2:  x = x + 1   (counts.scrut:3)
          the run is over: `undo` goes back, `quit` ends
        > 1
          the run is over: `undo` goes back, `quit` ends
        > u
          took the last event back
        What happens next? (event 3)
          1  Tally  does up  an error: the value 3 does not fit into 0..2:  x = x + 1   (counts.scrut:3)
        > 1
          3  Tally  does up
          here the run ends in an error: the value 3 does not fit into 0..2:  x = x + 1   (counts.scrut:3)
          the run is over: `undo` goes back, `quit` ends
        > 
            the whole run: scrutineer show scrutineer-out/counts/by-hand-1.run   picture: scrutineer-out/counts/by-hand-1.html
    "#]].assert_eq(&done.out);
    let done = typed(&folder, &args, "r 9\nu\n");
    assert_eq!(done.code, 0, "the error was taken back");
    // Earlier files are not overwritten.
    says(&done.out, "by-hand-2.run");
}

/// Ctrl-C during a question, a termination signal, or a closed terminal: the run is stored, and the exit code is 3.
#[cfg(unix)]
#[test]
fn an_interrupt_by_hand_stores_the_run() {
    for signal in ["INT", "TERM", "HUP"] {
        interrupted_by(signal);
    }
}

#[cfg(unix)]
fn interrupted_by(signal: &str) {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};

    let folder = with(&format!("run-interrupt-{signal}"), "lock.scrut", LOCK);
    let mut child = crate::calling::command(&folder)
        .args(["run", "lock.scrut", "--by-hand"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be called");
    let mut input = child.stdin.take().expect("a pipe");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    input.write_all(b"1\n").expect("somebody who listens");
    let mut line = String::new();
    // When the program answers an input, the handler of Ctrl-C is already installed.
    while !line.contains("(event 2)") {
        line.clear();
        assert!(out.read_line(&mut line).expect("a line") > 0);
    }
    let kill = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .status();
    assert!(kill.expect("kill can be called").success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("the end");
    assert_eq!(
        child.wait().expect("an end").code(),
        Some(3),
        "{signal}: {rest}"
    );
    drop(input);
    let run = Path::new("scrutineer-out/lock/by-hand-1.run");
    says(&rest, &format!("scrutineer show {}", run.display()));
    says(
        &call(&folder, &["show", &run.display().to_string()]).out,
        "stopped here after 1 event",
    );
}

/// In a model without ids, the question is about faulty nodes and not about ids.
#[test]
fn faulty_nodes_are_named() {
    let model = "\
message M
node N[2] {
    start { broadcast M }
    on M { }
}
network complete { channel fifo }
faults at most 1 node: off from start
claim fine: always true
check fine
";
    let folder = with("run-faulty", "m.scrut", model);
    let done = typed(
        &folder,
        &["run", "m.scrut", "--by-hand", "--seed", "4"],
        "1\nquit\n",
    );
    says(&done.out, "Who is faulty?\n  1  nobody\n");
    says(&done.out, "node 1 off");
    assert!(!done.out.contains("which id"), "{}", done.out);
}
