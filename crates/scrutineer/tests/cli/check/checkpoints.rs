//! A call of `check` that is killed at any time can be resumed. The resumed call gives the same output as an
//! uninterrupted one.

use crate::calling::{call, command, folder, without_times};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Two nodes that count independently: many states, each visited quickly.
fn model(most: u32) -> String {
    let node = |name: &str| {
        format!(
            "node {name} {{\n    var a: 0..{most} = 0\n    var b: 0..{most} = 0\n    \
             when more: a < {most} {{ a = a + 1 }}\n    when follow: b < a {{ b = b + 1 }}\n}}\n\n"
        )
    };
    format!(
        "//! Two nodes count, each with a follower.\n\n{}{}\
         claim behind: always A.b <= A.a and B.b <= B.a\n\
         claim ends: eventually A.b == {most} and B.b == {most}\n\n\
         check behind, ends expect holds\n",
        node("A"),
        node("B")
    )
}

/// The output without times and memory, which differ after a resume.
fn without_resources(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(", depth ") {
        Some((before, behind)) => {
            let depth = behind.split(',').next().unwrap_or_default();
            format!("{before}, depth {depth}\n")
        }
        None => format!("{line}\n"),
    };
    without_times(text).lines().map(line).collect()
}

/// Kills a call `times` times, each time after a longer wait, and then lets it finish.
fn killed(folder: &Path, args: &[&str], times: u32, every: Duration) -> crate::calling::Done {
    let mut all = [&["check"][..], args].concat();
    for time in 1..=times {
        let mut child = command(folder)
            .args(&all)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command can be called");
        std::thread::sleep(every * time);
        let _ = child.kill(); // the call may have ended
        child.wait().expect("an end");
        if time == 1 {
            all.push("--resume");
        }
    }
    call(folder, &all)
}

fn left(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("scrutineer-out/m"));
    let entries = entries.into_iter().flatten();
    let names = entries.map(|e| {
        e.expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8")
    });
    names.filter(|name| name.contains("checkpoint")).collect()
}

#[test]
fn killed_at_any_moment() {
    let folder = folder("killed");
    std::fs::write(folder.join("m.scrut"), model(40)).expect("a model");
    let truth = call(&folder, &["check", "m.scrut", "-v", "--by", "states"]);
    assert_eq!(truth.code, 0, "{}{}", truth.out, truth.err);
    let args = ["m.scrut", "-v", "--by", "states", "--checkpoint=10ms"];
    let done = killed(&folder, &args, 6, Duration::from_millis(120));
    assert_eq!(done.err, "");
    let lines = |text: &str| {
        without_resources(text)
            .lines()
            .filter(|l| !l.contains("begins anew"))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&done.out), lines(&truth.out));
    assert_eq!(left(&folder), [""; 0]);
}

/// A limit of time that a search of `model(48)` reaches, after its Machine is made.
const LIMIT: &str = "250ms";

#[test]
fn a_limit_leaves_a_checkpoint_and_a_larger_one_goes_on() {
    let folder = folder("limited");
    std::fs::write(folder.join("m.scrut"), model(48)).expect("a model");
    let args = [
        "check", "m.scrut", "-v", "--by", "states", "--claim", "behind",
    ];
    let truth = call(&folder, &args);
    let limited = call(
        &folder,
        &[&args[..], &["--checkpoint", "--time", LIMIT]].concat(),
    );
    assert_eq!(limited.code, 3, "{}", limited.out);
    assert!(
        limited
            .err
            .contains("1 checkpoint in scrutineer-out: the same call with --resume goes on"),
        "{}",
        limited.err
    );
    assert_eq!(left(&folder).len(), 1);
    // Neither a call without `--resume` nor a call with another question removes the checkpoint.
    let again = call(&folder, &[&args[..], &["--checkpoint"]].concat());
    assert_eq!(again.code, 2);
    assert!(
        again.err.contains("go on from it with --resume"),
        "{}",
        again.err
    );
    let other = call(&folder, &["check", "m.scrut", "--resume"]);
    assert_eq!(other.code, 2);
    assert!(
        other
            .err
            .contains("was made with --claim behind --by states"),
        "{}",
        other.err
    );
    let done = call(&folder, &[&args[..], &["--resume"]].concat());
    assert_eq!(without_resources(&done.out), without_resources(&truth.out));
    assert_eq!(left(&folder), [""; 0]);
}

#[test]
fn what_is_damaged_is_refused_and_stays() {
    let folder = folder("damaged");
    std::fs::write(folder.join("m.scrut"), model(48)).expect("a model");
    let args = ["check", "m.scrut", "--by", "states"];
    let limited = call(
        &folder,
        &[&args[..], &["--checkpoint", "--time", LIMIT]].concat(),
    );
    assert_eq!(limited.code, 3, "{}", limited.out);
    let name = left(&folder).pop().expect("a checkpoint");
    let path = folder.join("scrutineer-out/m").join(&name);
    let mut bytes = std::fs::read(&path).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).expect("there is room");
    let refused = call(&folder, &[&args[..], &["--resume"]].concat());
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains(&name) && refused.err.contains("is damaged"),
        "{}",
        refused.err
    );
    assert_eq!(refused.out, "");
    assert_eq!(std::fs::read(&path).ok(), Some(bytes));
}

/// Twenty kills at random times in a search that takes about ten seconds. Part of `cargo xtask long`.
#[test]
#[ignore = "takes a minute"]
fn killed_twenty_times() {
    let folder = folder("killed-often");
    std::fs::write(folder.join("m.scrut"), model(60)).expect("a model");
    let args = ["m.scrut", "-v", "--by", "states", "--claim", "behind"];
    let truth = call(&folder, &[&["check"], &args[..]].concat());
    assert_eq!(truth.code, 0, "{}{}", truth.out, truth.err);
    let mut rng = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("a time")
        .as_nanos() as u64;
    println!("seed {rng}");
    let mut all = [&["check"], &args[..], &["--checkpoint=50ms"]].concat();
    let mut kills = 0;
    for _ in 0..20 {
        let mut child = command(&folder)
            .args(&all)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command can be called");
        rng = rng
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(100 + (rng >> 33) % 700));
        let running = child.try_wait().expect("a status").is_none();
        let _ = child.kill();
        child.wait().expect("an end");
        kills += usize::from(running);
        if all.last() != Some(&"--resume") {
            all.push("--resume");
        }
        if !running {
            all.pop(); // the call ended, so the next one starts without --resume
        }
    }
    let done = call(&folder, &all);
    assert_eq!((done.code, &done.err[..]), (0, ""));
    let lines = |text: &str| {
        without_resources(text)
            .lines()
            .filter(|l| !l.contains("begins anew"))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&done.out), lines(&truth.out));
    assert!(kills >= 15, "only {kills} were killed before their end");
}
