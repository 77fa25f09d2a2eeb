//! The calls for which the limits are measured.

use std::path::Path;
use std::process::Command;

/// The arguments of a call, without limits.
pub(super) enum Call {
    /// Arguments about files of the repository. Arguments with a slash are paths below its root.
    Shipped(&'static [&'static str]),
    /// Arguments about files that [`prepare`] makes.
    Made(&'static [&'static str]),
}

/// A call that takes long because of one phase.
pub(super) struct Row {
    pub(super) phase: &'static str,
    /// The engine or the command.
    pub(super) engine: &'static str,
    pub(super) call: Call,
    /// Whether the limit of memory is measured as well.
    pub(super) memory: bool,
    /// Whether `--quick` measures the row.
    pub(super) quick: bool,
}

impl Row {
    /// The call as a person types it.
    pub(super) fn text(&self) -> String {
        let (Call::Shipped(args) | Call::Made(args)) = &self.call;
        args.join(" ")
    }

    /// Whether the command has the options `--time` and `--memory`.
    pub(super) fn has_limits(&self) -> bool {
        let (Call::Shipped(args) | Call::Made(args)) = &self.call;
        matches!(
            args[0],
            "check" | "simulate" | "tests" | "explain" | "audit" | "run" | "print"
        )
    }

    const fn quick(self) -> Row {
        Row {
            quick: true,
            ..self
        }
    }

    const fn memory(self) -> Row {
        Row {
            memory: true,
            ..self
        }
    }
}

const fn row(phase: &'static str, engine: &'static str, args: &'static [&'static str]) -> Row {
    Row {
        phase,
        engine,
        call: Call::Shipped(args),
        memory: false,
        quick: false,
    }
}

const fn made(phase: &'static str, engine: &'static str, args: &'static [&'static str]) -> Row {
    Row {
        phase,
        engine,
        call: Call::Made(args),
        memory: false,
        quick: false,
    }
}

const INSTANCES: &str = "tests/limits/many-instances.scrut";
const ARRANGEMENTS: &str = "tests/limits/many-arrangements.scrut";
const PAIRS: &str = "tests/limits/many-pairs.scrut";
const GRAPHS: &str = "tests/limits/many-graphs.scrut";
const INITIAL: &str = "tests/limits/many-initial-states.scrut";
const STATES: &str = "tests/limits/many-states.scrut";
const RUNS: &str = "tests/limits/many-runs.scrut";
const RUN: &str = "tests/limits/long-run.scrut";
const TIMES: &str = "tests/limits/many-times.scrut";
const CODE: &str = "tests/limits/long-code.scrut";
const LINES: &str = "tests/limits/large-lines.scrut";
const ZONES: &str = "tests/limits/many-zones.tck";
const VALUES: &str = "tests/limits/many-first-values.scrut";
const ELECTION: &str = "models/thales-election.scrut";
const MEMBERSHIP: &str = "models/membership.scrut";
const RING: &str = "models/chang-roberts.scrut";
const FTSP: &str = "models/ftsp.scrut";
const PAXOS: &str = "models/paxos.scrut";
const HEARTBEAT: &str = "models/heartbeat.scrut";

/// All calls.
pub(super) const ROWS: &[Row] = &[
    made(
        "a text of 125,000 claims",
        "front end",
        &["check", "long.scrut"],
    ),
    row("instances", "lower", &["check", INSTANCES])
        .memory()
        .quick(),
    row("arrangements", "machine", &["check", ARRANGEMENTS]).quick(),
    row("networks", "lower", &["check", GRAPHS]),
    row("definitions", "lower", &["check", PAIRS]).quick(),
    row("a large Machine", "passes", &["check", LINES]),
    row("initial states", "explicit", &["check", INITIAL]).memory(),
    row("first values", "explicit", &["check", VALUES]),
    row(
        "faults from the start",
        "explicit",
        &[
            "check", ELECTION, "--by", "states", "-D", "p=60", "--check", "1",
        ],
    )
    .memory(),
    row("search", "explicit", &["check", STATES, "--by", "states"]).quick(),
    row(
        "search, one thread",
        "explicit",
        &["check", STATES, "--by", "states", "--threads", "1"],
    )
    .memory(),
    row("search of zones", "tck", &["check", ZONES]).memory(),
    row("cycles of zones", "tck", &["check", ZONES, "--live", "cs1"]),
    row(
        "search, compressed",
        "explicit",
        &["check", STATES, "--by", "states", "--store", "compressed"],
    )
    .memory(),
    row(
        "search, hashes",
        "explicit",
        &["check", STATES, "--by", "states", "--store", "hashes"],
    ),
    row(
        "partial-order reduction",
        "explicit",
        &["check", RING, "--check", "1", "-D", "n=60"],
    ),
    row(
        "symmetry",
        "explicit",
        &["check", RING, "--check", "3", "-D", "n=11"],
    ),
    row("infinite runs", "explicit", &["check", RUNS]).memory(),
    row(
        "infinite runs, all states",
        "explicit",
        &["check", RUNS, "--by", "states"],
    ),
    row(
        "a run of two million events",
        "explicit, audit",
        &["check", RUN],
    )
    .memory(),
    row(
        "one value after the other",
        "bounds, explicit",
        &["check", FTSP, "--check", "3", "-D", "enough=9"],
    ),
    row(
        "all",
        "strategy",
        &["check", PAXOS, "--check", "2", "-D", "acceptors=5"],
    ),
    row(
        "encoding",
        "event order",
        &["check", ELECTION, "--check", "1", "-D", "p=500"],
    )
    .quick(),
    row(
        "solving",
        "event order",
        &["check", ELECTION, "--check", "1", "-D", "p=40"],
    ),
    row(
        "solving",
        "event order",
        &["check", MEMBERSHIP, "--check", "5", "-D", "p=12"],
    ),
    row(
        "encoding",
        "event order",
        &["check", MEMBERSHIP, "--check", "1", "-D", "p=300"],
    ),
    row(
        "encoding",
        "BMC",
        &[
            "check", ELECTION, "--by", "bmc", "--check", "1", "-D", "p=60",
        ],
    )
    .memory(),
    row(
        "encoding",
        "k-induction",
        &[
            "check",
            ELECTION,
            "--by",
            "induction",
            "--check",
            "1",
            "-D",
            "p=60",
        ],
    ),
    row(
        "encoding",
        "PDR",
        &[
            "check", ELECTION, "--by", "pdr", "--check", "1", "-D", "p=60",
        ],
    ),
    row(
        "solving",
        "k-induction",
        &[
            "check",
            PAXOS,
            "--check",
            "1",
            "--claim",
            "agreement",
            "--by",
            "induction",
            "-D",
            "acceptors=3",
        ],
    ),
    row(
        "solving",
        "PDR",
        &[
            "check",
            PAXOS,
            "--check",
            "1",
            "--claim",
            "agreement",
            "--by",
            "pdr",
            "-D",
            "acceptors=3",
        ],
    ),
    row("multiplications", "PDR", &["check", CODE, "--by", "pdr"]),
    row(
        "digitisation",
        "explicit",
        &["check", HEARTBEAT, "--check", "1", "-D", "n=3"],
    )
    .memory(),
    row("digitisation, fine grid", "explicit", &["check", TIMES]),
    row(
        "abstraction of times",
        "CEGAR",
        &[
            "check", ELECTION, "--by", "search", "--check", "1", "-D", "p=6",
        ],
    ),
    row(
        "runs",
        "simulate",
        &["simulate", STATES, "--runs", "1000000000"],
    ),
    row("definitions", "simulate", &["simulate", PAIRS]),
    row("events", "run", &["run", RUNS, "--steps", "1000000"]),
    row("outcomes", "tests", &["tests", CODE]),
    row("large code", "tests", &["tests", ELECTION, "-D", "p=300"]).memory(),
    row(
        "encoding",
        "explain",
        &["explain", ELECTION, "elected(4)", "-D", "p=400"],
    ),
    row(
        "a large Machine",
        "print",
        &["print", ELECTION, "-D", "p=1000"],
    ),
    made("an order of events", "audit", &["audit", "changed.proof"]),
    made(
        "a run of many events",
        "show",
        &["show", "long.run", "--all"],
    ),
];

/// Makes the files of the calls that are not in the repository.
pub(super) fn prepare(root: &Path, tool: &Path, folder: &Path) -> Result<(), String> {
    let claims: String = (0..125_000)
        .map(|i| format!("claim c{i}: always A.x == 0\n"))
        .collect();
    let text = format!("node A {{ var x: 0..1 = 0 }}\n{claims}claim c: always A.x == 0\ncheck c\n");
    std::fs::write(folder.join("long.scrut"), text).map_err(|why| why.to_string())?;
    // With these periods nodes drift apart, so that far more orders of events are possible than in the proof.
    let proof = stored(
        tool,
        folder,
        &["check", "--check", "1", "-D", "p=5"],
        &root.join(ELECTION),
        "proof",
    )?;
    let proof = proof.replace("(every 49 51", "(every 1 51");
    std::fs::write(folder.join("changed.proof"), proof).map_err(|why| why.to_string())?;
    let run = stored(
        tool,
        folder,
        &["run", "--seed", "1", "--steps", "20000"],
        &root.join(RUNS),
        "run",
    )?;
    std::fs::write(folder.join("long.run"), run).map_err(|why| why.to_string())
}

/// The text of the file that a call stores, found by its ending.
fn stored(
    tool: &Path,
    folder: &Path,
    args: &[&str],
    model: &Path,
    ending: &str,
) -> Result<String, String> {
    let out = folder.join("stored");
    let called = Command::new(tool)
        .args(args)
        .arg("--out")
        .arg(&out)
        .arg(model)
        .output();
    called.map_err(|why| format!("{}: {why}", tool.display()))?;
    let name = model.file_stem().unwrap_or_default();
    let entries = std::fs::read_dir(out.join(name)).map_err(|why| why.to_string())?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let path = paths.find(|path| path.extension().is_some_and(|e| e == ending));
    let path = path.ok_or_else(|| format!("nothing is stored about {}", model.display()))?;
    std::fs::read_to_string(path).map_err(|why| why.to_string())
}
