//! Compares the explicit-state search of this tool with Spin and stateright on the same state spaces.
//!
//! The peer models in `bench/peers` have exactly the states and transitions of our models, and every complete search
//! must find the numbers in `rows.rs`; otherwise rates and sizes would not be comparable. The page lists each peer that
//! is not installed as left out.

mod contender;
mod page;
mod plot;
mod rows;

use crate::host;
use contender::{Measured, Paths, Ready};
use rows::{CONTENDERS, Contender, INSTANCES, Instance, Search, TINY};
use std::path::Path;

/// The name of this table on the command line and in file names.
pub(crate) const NAME: &str = "explicit";
pub(crate) const TITLE: &str = "Explicit search, compared with Spin and stateright";

/// The number of runs of each search; the median is reported.
const RUNS: usize = 5;

/// The CPU time, in seconds, below which no rate is reported, because start-up dominates.
const LEAST_SECONDS: f64 = 0.05;

/// The number of states below which no size per state is reported, because processes allocate memory in pages.
const LEAST_STATES: u64 = 50_000;

/// The results of all measurements.
pub(crate) struct Found {
    rows: Vec<Row>,
    /// The contenders that are left out, with the reasons.
    missing: Vec<(&'static str, String)>,
    /// The versions of the other tools.
    versions: Vec<String>,
    runs: usize,
    /// Whether every complete search found the expected numbers of states and transitions.
    pub(crate) as_expected: bool,
}

/// The measurement of a contender on an instance.
struct Row {
    instance: &'static Instance,
    contender: &'static Contender,
    /// The medians of all runs.
    measured: Measured,
    /// The peak memory of the contender on a trivial instance of the protocol, in megabytes.
    base_megabytes: f64,
}

impl Row {
    /// Transitions per CPU second; `None` if the run is too short.
    fn rate(&self) -> Option<f64> {
        let seconds = self.measured.cpu_seconds;
        (seconds >= LEAST_SECONDS).then(|| self.measured.transitions as f64 / seconds)
    }

    /// Wall-clock seconds; `None` if the run is too short.
    fn wall(&self) -> Option<f64> {
        let seconds = self.measured.wall_seconds;
        (seconds >= LEAST_SECONDS).then_some(seconds)
    }

    /// Bytes per state: the larger of the figure measured for the process and the figure that the search reports. The
    /// first is too small if the process reuses memory that it freed before the search, and the second if the report
    /// does not include all memory of the process.
    fn bytes(&self) -> Option<f64> {
        let reported = self.reported_bytes().unwrap_or(0.0);
        self.process_bytes().map(|bytes| bytes.max(reported))
    }

    /// Bytes per state of the process, less its memory on a trivial instance.
    fn process_bytes(&self) -> Option<f64> {
        self.per_state((self.measured.megabytes - self.base_megabytes) * 1e6)
    }

    /// Bytes per state, as the search reports them.
    fn reported_bytes(&self) -> Option<f64> {
        self.per_state(self.measured.reported_bytes?)
    }

    fn per_state(&self, bytes: f64) -> Option<f64> {
        let states = self.measured.states;
        (states >= LEAST_STATES).then(|| bytes / states as f64)
    }

    /// Whether the search found the expected numbers of states and transitions. True for incomplete searches.
    fn as_expected(&self) -> bool {
        let found = (self.measured.states, self.measured.transitions);
        !self.contender.complete || found == (self.instance.states, self.instance.transitions)
    }
}

/// Measures every instance with every installed contender. With `quick`, only instances that take less than a second
/// are measured, and each only once.
pub(crate) fn run(root: &Path, tool: &Path, quick: bool) -> Result<Found, String> {
    let paths = Paths {
        root,
        tool,
        scratch: root.join("target/peers"),
    };
    let mut found = Found {
        rows: Vec::new(),
        missing: Vec::new(),
        versions: versions(root),
        runs: if quick { 1 } else { RUNS },
        as_expected: true,
    };
    let mut there = Vec::new();
    for contender in CONTENDERS {
        match bases(contender, &paths, found.runs) {
            Ok(bases) => there.push((contender, bases)),
            // The figures of this tool are the reference for the others, so it must not be missing.
            Err(why) if matches!(contender.search, Search::Scrutineer { .. }) => return Err(why),
            Err(why) => {
                println!("{} is left out: {why}", contender.name);
                found.missing.push((contender.name, why));
            }
        }
    }
    for instance in INSTANCES.iter().filter(|one| !quick || one.quick) {
        println!("{}", instance.title());
        let mut searches = Vec::new();
        let there = there.iter().filter(|(one, _)| instance.is_for(one));
        for (contender, _) in there.clone() {
            searches.push(contender::ready(contender, instance, &paths)?);
        }
        let medians = alternating(&searches, found.runs)?;
        let first = found.rows.len();
        for ((contender, bases), measured) in there.zip(medians) {
            let tiny = TINY.iter().zip(bases);
            let base = tiny.filter(|(tiny, _)| tiny.protocol.name == instance.protocol.name);
            let base_megabytes = base.map(|(_, megabytes)| *megabytes).next();
            let row = Row {
                instance,
                contender,
                measured,
                base_megabytes: base_megabytes.ok_or("a protocol without its smallest ring")?,
            };
            found.as_expected &= row.as_expected();
            found.rows.push(row);
            let ours = &found.rows[first];
            let row = found.rows.last().expect("just put there");
            println!("{}", page::line(row, ours));
        }
    }
    Ok(found)
}

/// The peak memory of a contender on the smallest ring of each protocol, in megabytes.
fn bases(contender: &Contender, paths: &Paths, runs: usize) -> Result<Vec<f64>, String> {
    let mut bases = Vec::new();
    for tiny in TINY {
        let search = contender::ready(contender, tiny, paths)?;
        let medians = alternating(&[search], runs)?;
        bases.push(medians[0].megabytes);
    }
    Ok(bases)
}

/// The medians of several searches. The searches run in turn, so that other load on the machine affects all of them
/// alike.
fn alternating(searches: &[Ready], runs: usize) -> Result<Vec<Measured>, String> {
    let mut all = vec![Vec::new(); searches.len()];
    for _ in 0..runs {
        for (search, measured) in searches.iter().zip(&mut all) {
            measured.push(search.search()?);
        }
    }
    let medians = all.iter().map(|runs| Measured {
        cpu_seconds: median(runs.iter().map(|run| run.cpu_seconds)),
        wall_seconds: median(runs.iter().map(|run| run.wall_seconds)),
        megabytes: median(runs.iter().map(|run| run.megabytes)),
        ..runs[0]
    });
    Ok(medians.collect())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The versions of the installed peers and of the compiler.
fn versions(root: &Path) -> Vec<String> {
    let manifest = root.join("bench/peers/stateright/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).unwrap_or_default();
    let mut lines = manifest.lines();
    let stateright = lines.find_map(|line| line.strip_prefix("stateright = "));
    let stateright = stateright.map(|version| format!("stateright {}", version.trim_matches('"')));
    let spin = host::version("spin", &["-V"]);
    let gcc = host::version("gcc", &["--version"]);
    [spin, gcc, stateright].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_has_its_smallest_ring_and_its_peers() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for instance in INSTANCES {
            let name = instance.protocol.name;
            assert!(TINY.iter().any(|tiny| tiny.protocol.name == name));
            assert!(root.join(format!("models/{name}.scrut")).exists());
            assert!(root.join(format!("bench/peers/{name}.pml")).exists());
        }
    }

    #[test]
    fn the_middle_of_five() {
        assert_eq!(median([5.0, 1.0, 4.0, 2.0, 3.0].into_iter()), 3.0);
    }
}
