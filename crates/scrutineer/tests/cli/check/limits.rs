//! Limits and interrupts end every phase of every method: instances, lowering, initial states, circuits, solvers.
//!
//! Without a limit each of these calls would take from minutes to centuries. A call that does not end at its limit is
//! killed, which fails the test.

use crate::calling::{command, folder, root};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time after which a call that has not ended is killed.
const KILLED_AFTER: Duration = Duration::from_secs(60);

/// Phases by name, each with a model and options for which it takes long.
const SLOW: &[(&str, &str, &[&str])] = &[
    ("arrangements", "tests/limits/many-arrangements.scrut", &[]),
    ("definitions", "tests/limits/many-pairs.scrut", &[]),
    (
        "faults",
        ELECTION,
        &["--by", "states", "-D", "p=60", CLAIM, STANDS],
    ),
    ("unrolling", ELECTION, &["-D", "p=500", CLAIM, STANDS]),
    (
        "bmc",
        ELECTION,
        &["--by", "bmc", "-D", "p=60", CLAIM, STANDS],
    ),
    (
        "induction",
        ELECTION,
        &["--by", "induction", "-D", "p=60", CLAIM, STANDS],
    ),
    (
        "pdr",
        ELECTION,
        &["--by", "pdr", "-D", "p=60", CLAIM, STANDS],
    ),
    (
        "search",
        "tests/limits/many-states.scrut",
        &["--by", "states"],
    ),
    ("zones", "tests/limits/many-zones.tck", &[]),
    (
        "cycles of zones",
        "tests/limits/many-zones.tck",
        &["--live", "cs1"],
    ),
];

const ELECTION: &str = "models/thales-election.scrut";
const CLAIM: &str = "--claim";
const STANDS: &str = "boss_stands";

fn call(name: &str, model: &str, options: &[&str], time: Option<&str>) -> Command {
    let mut command = command(&folder(name));
    command.arg("check").arg(root().join(model)).args(options);
    command.args(time.map(|limit| ["--time", limit]).into_iter().flatten());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The exit code and the output of a call; it is killed if it does not end.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let since = Instant::now();
    let mut output = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).map(|_| text)
    });
    let status = loop {
        if let Some(status) = child.try_wait().expect("a status") {
            break status;
        }
        if since.elapsed() > KILLED_AFTER {
            child.kill().expect("a process of this test");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = reader.join().expect("a reader").expect("UTF-8");
    (status.code(), text)
}

#[test]
fn a_time_limit_ends_every_phase() {
    for (name, model, options) in SLOW {
        let mut child = call(&format!("time-{name}"), model, options, Some("500ms"));
        let (code, text) = ended(child.spawn().expect("the command"));
        assert!(matches!(code, Some(0..=3)), "{name}: {code:?}\n{text}");
        assert!(
            text.contains("time limit of 0.5 s reached"),
            "{name}:\n{text}"
        );
        assert_eq!(code, Some(3), "{name}:\n{text}");
    }
}

#[test]
fn a_limit_ends_the_audit_of_a_large_run() {
    let child = call("audit", "tests/limits/distances.scrut", &[], Some("500ms")).spawn();
    let (code, text) = ended(child.expect("the command"));
    assert!(matches!(code, Some(0..=3)), "{code:?}\n{text}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_every_phase() {
    for (name, model, options) in SLOW {
        let child = call(&format!("signal-{name}"), model, options, None);
        let child = child_after(child, Duration::from_millis(500));
        let kill = Command::new("kill")
            .arg("-TERM")
            .arg(child.id().to_string())
            .status();
        assert!(
            kill.expect("the program kill").success(),
            "{name} ended before"
        );
        let (code, text) = ended(child);
        assert_eq!(code, Some(3), "{name}:\n{text}");
        assert!(text.contains("interrupted"), "{name}:\n{text}");
    }
}

#[cfg(unix)]
fn child_after(mut command: Command, pause: Duration) -> Child {
    let child = command.spawn().expect("the command");
    std::thread::sleep(pause);
    child
}
