//! Mutated files through all commands: models, timed automata, stored runs, proofs and checkpoints, and Machines and JSON inside them.
//!
//! The mutants are the same in every run. `cargo test` tries a few, `cargo xtask long` many. A call has to end with an exit
//! code of its own: no panic, no signal, no endless work, and not much more work than its limit of time allows.

use crate::calling::{call, command, folder, root};
use mutations::{Dice, Operator, mutate_bytes};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use testkit::sample::on_all_cores;
use wait4::Wait4;

/// The number of mutated files; SCRUTINEER_SAMPLE overrides it, also with a range.
const SAMPLE: u64 = 80;

/// After this time a call counts as hanging. It is far above the time limit of a call, which is one second.
const HANGS: Duration = Duration::from_secs(60);

/// The most CPU time of a call of an optimised program with a limit of one second. CPU time does not depend on what else the
/// computer does.
const MOST_CPU: Duration = Duration::from_secs(5);

/// The number of the slowest calls that are printed.
const SLOWEST: usize = 12;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Model,
    Run,
    Proof,
    Checkpoint,
    Tck,
}

/// A file that is mutated.
struct Seed {
    kind: Kind,
    bytes: Vec<u8>,
    /// Where a checkpoint belongs, below the folder of the call.
    path: PathBuf,
}

/// The options of the calls with and about checkpoints.
const KEPT: &[&str] = &[
    "check",
    "m.scrut",
    "--checkpoint=30s",
    "--memory",
    "300kB",
    "--by",
    "states",
];

/// The calls about a kind of file; `FILE` is its name, and `N` a number from 1 to 3.
fn calls(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Model => &[
            "check FILE --time 1 --memory 500MB --check N",
            "check FILE --time 1 --memory 500MB --check N --json",
            "check FILE --time 1 --memory 500MB --check N -v --threads 1",
            "simulate FILE --time 1 --memory 500MB --check N --runs 20 --seed N",
            "run FILE --time 1 --memory 500MB --seed N --steps 30",
            "run FILE --time 1 --seed N --steps 30 --check N --svg a.svg --html a.html --itf a.json",
            "tests FILE --time 1 --memory 500MB",
            "print FILE --time 1 --memory 500MB --check N",
            "fmt FILE",
            "explain FILE --time 1 --memory 500MB",
        ],
        Kind::Run => &[
            "show FILE",
            "show FILE --all --verbose",
            "show FILE --svg a.svg --html a.html --itf a.json",
        ],
        Kind::Tck => &[
            "check FILE --time 1 --memory 500MB",
            "check FILE --time 1 --memory 500MB --json",
            "check FILE --time 1 --memory 500MB -v --reach l",
            "check FILE --time 1 --memory 500MB --live l",
        ],
        Kind::Proof => &["audit FILE --time 1", "explain FILE --time 1"],
        Kind::Checkpoint => {
            &["check m.scrut --checkpoint=30s --memory 300kB --by states --time 1 --resume"]
        }
    }
}

/// Models, and the runs, proofs and checkpoints that `check` stores for small ones.
fn seeds(folder: &Path) -> Vec<Seed> {
    let models = root().join("models");
    for (model, claim) in [
        ("thales-election.scrut", "boss_stands"),
        ("membership.scrut", "heard_right"),
        ("ring-mutants.scrut", "one_leader"),
        ("lease.scrut", "one_holder"),
        ("fairness.scrut", "b_gets_done"),
        ("activations.scrut", "close"),
    ] {
        let path = models.join(model);
        let path = path.to_str().expect("UTF-8");
        call(folder, &["check", path, "--claim", claim, "--time", "2"]);
    }
    call(folder, &["check", "m.scrut", "--by", "pdr", "--time", "2"]);
    call(folder, &[KEPT, &["--time", "20"]].concat());
    let mut seeds = Vec::new();
    for path in files(&folder.join("scrutineer-out")) {
        let kind = match path.extension().and_then(|ending| ending.to_str()) {
            Some("run") => Kind::Run,
            Some("proof") => Kind::Proof,
            Some("checkpoint") => Kind::Checkpoint,
            _ => continue,
        };
        let bytes = std::fs::read(&path).expect("a stored file");
        let path = path.strip_prefix(folder).expect("in the folder").into();
        if bytes.len() < 1_000_000 {
            seeds.push(Seed { kind, bytes, path });
        }
    }
    let folders = [
        "models/tck",
        "crates/timed/tck/tests/vectors",
        "tests/limits",
    ];
    let automata = folders
        .iter()
        .flat_map(|folder| files(&root().join(folder)));
    let automata = automata.filter(|path| path.extension().is_some_and(|e| e == "tck"));
    seeds.extend(automata.map(|path| Seed {
        kind: Kind::Tck,
        bytes: with_label(&std::fs::read_to_string(path).expect("a text")).into_bytes(),
        path: PathBuf::new(),
    }));
    let found = files(&root().join("tests/found")).into_iter();
    let limits = files(&root().join("tests/limits")).into_iter();
    let texts = found.chain(limits);
    let texts = texts.filter(|path| path.extension().is_some_and(|e| e == "scrut"));
    let texts = texts.map(|path| std::fs::read(path).expect("a model"));
    let shipped = mutations::texts().into_iter();
    let shipped = shipped.map(|text| text.text.into_bytes());
    seeds.extend(texts.chain(shipped).map(|bytes| Seed {
        kind: Kind::Model,
        bytes,
        path: PathBuf::new(),
    }));
    seeds
}

/// A system whose locations with labels have a label `l`, too.
fn with_label(text: &str) -> String {
    text.replace("labels:", "labels:l,")
}

/// A small model, of which a search is stored as a checkpoint.
fn small_model(folder: &Path) {
    let text = "node A[2] {\n    var a: 0..90 = 0\n    var b: 0..90 = 0\n    \
        when more: a < 90 { a = a + 1 }\n    when follow: b < a { b = b + 1 }\n}\n\
        claim behind: always (all k in A: k.b <= k.a)\ncheck behind\n";
    std::fs::write(folder.join("m.scrut"), text).expect("a file");
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

/// Mutates a file. Of stored runs and proofs sometimes only the text of the Machine, so that the JSON around it stays
/// valid; of models sometimes a token.
fn mutated(seed: &Seed, texts: &[mutations::Text], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.bytes.clone();
    let inside = dice.roll(2) == 0;
    match seed.kind {
        Kind::Run | Kind::Proof if inside => {
            let mut form: serde_json::Value =
                serde_json::from_slice(&bytes).expect("what was stored is JSON");
            let machine = form["machine"].as_str().expect("a Machine as text");
            let mut machine = machine.as_bytes().to_vec();
            mutate_bytes(&mut machine, dice);
            form["machine"] = String::from_utf8_lossy(&machine).into();
            form.to_string().into_bytes()
        }
        Kind::Model if inside => {
            let text = &texts[dice.roll(texts.len())];
            let operator = Operator::ALL[dice.roll(Operator::ALL.len())];
            let mutant = mutations::mutate(text, operator, dice);
            mutant.map_or(bytes, |mutant| mutant.text.into_bytes())
        }
        _ => {
            mutate_bytes(&mut bytes, dice);
            bytes
        }
    }
}

/// A call with a mutated file, and how it ended.
struct Called {
    number: u64,
    kind: Kind,
    call: String,
    /// The CPU time of the call.
    cpu: Duration,
    /// How it ended otherwise than with an exit code of its own, in time.
    wrong: Option<String>,
}

/// Makes the call with a number, in a folder of its own.
fn called(folder: &Path, number: u64, seeds: &[Seed], texts: &[mutations::Text]) -> Called {
    let mut dice = Dice::new(number);
    // All kinds of files are tried equally often, except for models, for which there are more commands.
    let kind = [
        Kind::Model,
        Kind::Model,
        Kind::Model,
        Kind::Run,
        Kind::Proof,
        Kind::Checkpoint,
        Kind::Tck,
    ][dice.roll(7)];
    let fitting: Vec<&Seed> = seeds.iter().filter(|seed| seed.kind == kind).collect();
    let seed = fitting[dice.roll(fitting.len())];
    let bytes = mutated(seed, texts, &mut dice);
    let name = match kind {
        Kind::Model => PathBuf::from("changed.scrut"),
        Kind::Run => PathBuf::from("changed.run"),
        Kind::Proof => PathBuf::from("changed.proof"),
        Kind::Tck => PathBuf::from("changed.tck"),
        Kind::Checkpoint => seed.path.clone(),
    };
    let path = folder.join(&name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(&path, &bytes).expect("a file");
    let call = calls(kind)[dice.roll(calls(kind).len())];
    let one = (1 + dice.roll(3)).to_string();
    let args: Vec<&str> = { call.split(' ') }
        .map(|word| match word {
            "FILE" => name.to_str().expect("UTF-8"),
            "N" => &one[..],
            word => word,
        })
        .collect();
    let (cpu, wrong) = ending(folder, &args);
    if wrong.is_some() {
        let kept = folder
            .parent()
            .expect("a folder")
            .join(format!("kept-{number}"));
        std::fs::write(kept, &bytes).expect("a file");
    }
    Called {
        number,
        kind,
        call: args.join(" "),
        cpu,
        wrong,
    }
}

/// Calls the program. Returns its CPU time, and how it ended otherwise than with an exit code of its own, in time.
fn ending(folder: &Path, args: &[&str]) -> (Duration, Option<String>) {
    let mut command = command(folder);
    command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let child = command.spawn().expect("the command can be called");
    let pid = child.id().to_string();
    let (ended, watched) = mpsc::channel::<()>();
    let (result, hangs) = std::thread::scope(|scope| {
        let killer = scope.spawn(move || {
            let hangs = watched.recv_timeout(HANGS) == Err(RecvTimeoutError::Timeout);
            if hangs {
                let killed = Command::new("kill").args(["-KILL", &pid]).status();
                killed.expect("`kill` can be called");
            }
            hangs
        });
        let result = child.wait4().expect("an end");
        drop(ended);
        (result, killer.join().expect("no panic"))
    });
    let cpu = result.rusage.utime + result.rusage.stime;
    let wrong = match result.status.code() {
        _ if hangs => Some("it hangs".into()),
        Some(0..=3) if cpu > MOST_CPU && !cfg!(debug_assertions) => {
            Some(format!("it takes {cpu:?}"))
        }
        Some(0..=3) => None,
        _ => Some(result.status.to_string()),
    };
    (cpu, wrong)
}

#[test]
fn mutated_files_end_with_an_exit_code() {
    let all = folder("mutated");
    small_model(&all);
    let seeds = seeds(&all);
    for kind in [
        Kind::Model,
        Kind::Run,
        Kind::Proof,
        Kind::Checkpoint,
        Kind::Tck,
    ] {
        let some = seeds.iter().any(|seed| seed.kind == kind);
        assert!(some, "nothing of {kind:?} to mutate");
    }
    let texts = mutations::texts();
    let mut done = on_all_cores(testkit::sample::seeds(SAMPLE), |number| {
        let folder = all.join(format!("mutant-{number}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        small_model(&folder);
        let called = called(&folder, number, &seeds, &texts);
        if let Some(wrong) = &called.wrong {
            println!("mutant {number}: {wrong}: {}", called.call);
        }
        std::fs::remove_dir_all(&folder).expect("a folder");
        called
    });
    done.sort_by_key(|called| std::cmp::Reverse(called.cpu));
    let mut tally = std::collections::BTreeMap::new();
    for called in &done {
        let command = called.call.split(' ').next().unwrap_or_default();
        *tally.entry((called.kind, command)).or_insert(0) += 1;
    }
    for ((kind, command), calls) in tally {
        println!("{calls} × {command} of a mutated {kind:?}");
    }
    for called in done.iter().take(SLOWEST) {
        println!(
            "{:?}: mutant {}: {}",
            called.cpu, called.number, called.call
        );
    }
    let wrong = done.iter().filter(|called| called.wrong.is_some()).count();
    assert_eq!(
        wrong,
        0,
        "mutants that end otherwise, kept in {}",
        all.display()
    );
}
