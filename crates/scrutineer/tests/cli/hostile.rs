//! Hostile input: whatever a model, a stored run, a proof or a checkpoint contains, the program ends with an exit code
//! and a short message; it does not panic, abort or hang.
//!
//! `tests/hostile/` has inputs that once did. The mutator changes stored files at random, the same ones in every run:
//! `cargo test` tries a few, `cargo xtask long` many.

use crate::calling::{call, command, folder, root};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The number of mutated files that are tried; SCRUTINEER_SAMPLE overrides it.
const SAMPLE: u64 = 60;

/// The time after which a call counts as hanging. It is far above the time limit of a call, which is one second.
const HANGS: Duration = Duration::from_secs(60);

/// Calls the program on a file of `tests/hostile`. Returns the exit code and standard error.
fn hostile(name: &str, command: &str, file: &str) -> (i32, String) {
    let path = root().join("tests/hostile").join(file);
    let done = call(&folder(name), &[command, path.to_str().expect("UTF-8")]);
    (done.code, done.err)
}

#[test]
fn ranges_and_structs_that_are_too_large_are_one_error_with_the_place() {
    for (file, place, words) in [
        (
            "count-over-a-huge-range.scrut",
            ":2:29",
            "1000000001 numbers",
        ),
        (
            "loop-over-a-huge-range.scrut",
            ":2:26",
            "1000000001 numbers",
        ),
        ("structs-that-double.scrut", ":12:8", "`S11` has"),
    ] {
        let (code, err) = hostile("large", "check", file);
        assert_eq!((code, err.matches("error[E0317]").count()), (2, 1), "{err}");
        assert!(err.contains(place) && err.contains(words), "{err}");
    }
}

#[test]
fn numbers_in_stored_files_are_bounded() {
    let (code, err) = hostile("numbers", "show", "message-of-no-type.run");
    assert_eq!((code, err.matches("error").count()), (2, 1), "{err}");
    let (code, err) = hostile("numbers", "audit", "a-hundred-million-nodes.proof");
    assert_eq!((code, err.matches("error").count()), (1, 1), "{err}");
    assert!(err.contains("more than 100000 nodes"), "{err}");
}

#[test]
fn a_long_name_makes_a_short_message() {
    let folder = folder("long");
    let name = "y".repeat(1_000_000);
    for (text, place) in [
        (
            format!("node A {{ var x: 0..1 = {name} }}\n"),
            "m.scrut:1:24",
        ),
        (format!("node A {{ }}\n{name} B {{ }}\n"), "m.scrut:2:1"),
        (format!("let {name}x = 1\nlet a = {name}\n"), "m.scrut:2:9"),
    ] {
        std::fs::write(folder.join("m.scrut"), text).expect("a file");
        let done = call(&folder, &["check", "m.scrut"]);
        assert_eq!(done.code, 2);
        assert!(done.err.len() < 2_000, "{} bytes", done.err.len());
        assert!(done.err.contains(place), "{}", done.err);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let folder = folder("deep");
    let many = 100_000;
    let around = |a: &str, x: &str, b: &str| format!("{}{x}{}", a.repeat(many), b.repeat(many));
    let start = |value: &str| format!("node A {{ var x: Bool = {value} }}\n");
    let code = |body: &str| format!("node A {{ var x: Bool = true\nwhen g: x {{ {body} }} }}\n");
    let structs = (1..20_000).map(|i| format!("struct S{i} {{ a: S{} }}\n", i - 1));
    let structs: String = structs.collect();
    for text in [
        start(&around("(", "true", ")")),
        start(&around("not ", "true", "")),
        start(&around("true and ", "true", "")),
        start(&around("true implies ", "true", "")),
        start(&around("{", "true", "}")),
        start(&format!("x{}", ".y".repeat(many))),
        start(&format!("x{}", "[0]".repeat(many))),
        code(&around("if x { ", "x = false", " }")),
        code(&format!(
            "{}{{ x = false }}",
            "if x { x = false } else ".repeat(many)
        )),
        code(&around("for i in 0..1 { ", "x = false", " }")),
        format!(
            "node A {{ var x: {} = none }}\n",
            around("Option<", "Bool", ">")
        ),
        format!("struct S0 {{ a: Bool }}\n{structs}node A {{ var x: Option<S19999> = none }}\n"),
    ] {
        std::fs::write(folder.join("m.scrut"), &text).expect("a file");
        let done = call(&folder, &["check", "m.scrut"]);
        assert_eq!(done.code, 2, "{:.200}: {}", text, done.err);
        assert!(done.err.contains("error["), "{:.200}: {}", text, done.err);
    }
    let deep = around("[", "", "]");
    let machine = around("(", "x", ")");
    for (file, command, code) in [("m.run", "show", 2), ("m.proof", "audit", 1)] {
        let version = format!("scrutineer_{}", &file[2..]);
        let text = format!("{{\"{version}\": 2, \"machine\": \"{machine}\", \"title\": {deep}}}");
        std::fs::write(folder.join(file), text).expect("a file");
        let done = call(&folder, &[command, file]);
        assert_eq!(
            (done.code, done.err.matches("error").count()),
            (code, 1),
            "{:.300}",
            done.err
        );
    }
}

/// A file that is mutated, and the call that reads it.
struct Seed {
    name: PathBuf,
    bytes: Vec<u8>,
    call: Vec<&'static str>,
}

/// Models, and the runs, proofs and checkpoints that `check` stores for small ones.
fn seeds(folder: &Path) -> Vec<Seed> {
    let models = root().join("models");
    for (model, claim) in [
        ("thales-election.scrut", "boss_stands"),
        ("ring-mutants.scrut", "one_leader"),
        ("lease.scrut", "one_holder"),
    ] {
        let path = models.join(model);
        let path = path.to_str().expect("UTF-8");
        call(folder, &["check", path, "--claim", claim, "--time", "2"]);
    }
    let counter = "node A[2] {\n    var a: 0..90 = 0\n    var b: 0..90 = 0\n    \
        when more: a < 90 { a = a + 1 }\n    when follow: b < a { b = b + 1 }\n}\n\
        claim behind: always (all k in A: k.b <= k.a)\ncheck behind\n";
    std::fs::write(folder.join("m.scrut"), counter).expect("a file");
    let kept = [
        "check",
        "m.scrut",
        "--checkpoint=30s",
        "--memory",
        "300kB",
        "--by",
        "states",
    ];
    call(folder, &kept);
    let mut seeds = Vec::new();
    for path in files(&folder.join("scrutineer-out")) {
        let name = path
            .strip_prefix(folder)
            .expect("in the folder")
            .to_path_buf();
        let call = match path.extension().and_then(|ending| ending.to_str()) {
            Some("run") => vec!["show", "changed.run"],
            Some("proof") => vec!["audit", "changed.proof"],
            Some("checkpoint") => [&kept[..], &["--resume"]].concat(),
            _ => continue,
        };
        let name = match call[0] {
            "check" => name,
            _ => PathBuf::from(call[1]),
        };
        let bytes = std::fs::read(&path).expect("a stored file");
        if bytes.len() < 1_000_000 {
            seeds.push(Seed { name, bytes, call });
        }
    }
    for path in files(&models) {
        if path.extension().is_some_and(|ending| ending == "scrut") {
            seeds.push(Seed {
                name: "changed.scrut".into(),
                bytes: std::fs::read(&path).expect("a model"),
                call: vec!["check", "changed.scrut", "--time", "1", "--json"],
            });
        }
    }
    seeds
}

/// All files in a folder and its folders, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let each = paths.into_iter().flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    each.collect()
}

/// A deterministic random number generator (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides.max(1) as u64) as usize
    }
}

/// The least and greatest numbers of common integer types, and the limits of the program.
const NUMBERS: &[&str] = &[
    "-1",
    "0",
    "1",
    "7",
    "62",
    "64",
    "128",
    "99999",
    "100001",
    "1000000000",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1e308",
    "1/0",
];

/// Changes a file: a byte, a number, a token, or the end.
fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let tokens = |is: fn(&u8) -> bool, bytes: &[u8]| -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut start = None;
        for (at, byte) in bytes.iter().chain([&0]).enumerate() {
            match (start, is(byte)) {
                (None, true) => start = Some(at),
                (Some(first), false) => {
                    found.push((first, at));
                    start = None;
                }
                _ => {}
            }
        }
        found
    };
    match dice.roll(7) {
        0 => {
            let at = dice.roll(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = dice.roll(256) as u8;
            }
        }
        1 => bytes.truncate(dice.roll(bytes.len())),
        2..=4 => {
            let numbers = tokens(u8::is_ascii_digit, bytes);
            if let Some((from, to)) = numbers.get(dice.roll(numbers.len())) {
                let number = NUMBERS[dice.roll(NUMBERS.len())];
                bytes.splice(*from..*to, number.bytes());
            }
        }
        kind => {
            let words = tokens(|b| b.is_ascii_graphic(), bytes);
            if let Some((from, to)) = words.get(dice.roll(words.len())).copied() {
                let other = words[dice.roll(words.len())];
                let mut word = bytes[other.0..other.1].to_vec();
                if kind == 6 {
                    word = bytes[from..to].repeat([2, 50, 3_000][dice.roll(3)]);
                }
                bytes.splice(from..to, word);
            }
        }
    }
}

/// Calls the program with a mutated file; the error says how it ended otherwise than with an exit code.
fn ends(folder: &Path, seed: &Seed, number: u64) -> Result<(), String> {
    let mut dice = Dice(number);
    let mut bytes = seed.bytes.clone();
    for _ in 0..=dice.roll(3) {
        mutate(&mut bytes, &mut dice);
    }
    std::fs::write(folder.join(&seed.name), &bytes).expect("a file");
    let begun = Instant::now();
    let mut child = command(folder)
        .args(&seed.call)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command can be called");
    let status = loop {
        match child.try_wait().expect("a status") {
            Some(status) => break status,
            None if begun.elapsed() > HANGS => {
                child.kill().expect("a process that runs");
                child.wait().expect("an end");
                return Err("it hangs".into());
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    match status.code() {
        Some(0..=3) => Ok(()),
        _ => Err(status.to_string()),
    }
}

#[test]
fn mutated_files_end_with_an_exit_code() {
    let folder = folder("mutated");
    let seeds = seeds(&folder);
    for ending in ["run", "proof", "checkpoint", "scrut"] {
        let some = seeds
            .iter()
            .any(|s| s.name.extension().is_some_and(|e| e == ending));
        assert!(some, "no .{ending} to mutate");
    }
    let sample = std::env::var("SCRUTINEER_SAMPLE")
        .ok()
        .and_then(|n| n.parse().ok());
    for number in 0..sample.unwrap_or(SAMPLE) {
        let seed = &seeds[Dice(!number).roll(seeds.len())];
        if let Err(how) = ends(&folder, seed, number) {
            let kept = folder.join(&seed.name);
            panic!("mutation {number}, kept in {}: {how}", kept.display());
        }
        if seed.call[0] == "check" && seed.name.extension().is_some_and(|e| e == "checkpoint") {
            std::fs::write(folder.join(&seed.name), &seed.bytes).expect("a file");
        }
    }
}
