//! Explicit search beside others: the same states, searched by this tool, by Spin and by stateright.
//!
//! Peers are written so that they have exactly the states and transitions of our models (`bench/peers`), and every search
//! that goes through all states must find the numbers of `rows.rs`; otherwise rates and sizes would say nothing. A peer
//! that is not installed is left out, and the page says so.

mod contender;
mod page;
mod plot;
mod rows;

use crate::host;
use contender::{Measured, Places, Ready};
use rows::{CONTENDERS, Contender, INSTANCES, Instance, Search, TINY};
use std::path::Path;

/// For the command line, and the page.
pub(crate) const NAME: &str = "explicit";
pub(crate) const TITLE: &str = "Explicit search, beside Spin and stateright";

/// How often each search is measured; the median counts.
const RUNS: usize = 5;

/// Whatever takes less CPU time has no rate: too much of it is the beginning.
const LEAST_SECONDS: f64 = 0.05;

/// Whatever has fewer states has no size per state: the memory of a process comes in pages.
const LEAST_STATES: u64 = 50_000;

/// What was measured.
pub(crate) struct Found {
    rows: Vec<Row>,
    /// Contenders that are not there, and why.
    missing: Vec<(&'static str, String)>,
    /// With which versions of others.
    versions: Vec<String>,
    runs: usize,
    /// Every search that goes through all states found all of them.
    pub(crate) as_expected: bool,
}

/// An instance and a contender.
struct Row {
    instance: &'static Instance,
    contender: &'static Contender,
    /// Medians.
    measured: Measured,
    /// The memory that it takes for next to nothing.
    base_megabytes: f64,
}

impl Row {
    /// Transitions for each CPU second.
    fn rate(&self) -> Option<f64> {
        let seconds = self.measured.cpu_seconds;
        (seconds >= LEAST_SECONDS).then(|| self.measured.transitions as f64 / seconds)
    }

    /// Seconds on the wall.
    fn wall(&self) -> Option<f64> {
        let seconds = self.measured.wall_seconds;
        (seconds >= LEAST_SECONDS).then_some(seconds)
    }

    /// Bytes for each state: the larger of what the process took and of what the search says. A process may need nothing
    /// new where it has given back what it took before the search, and not everything that a process takes is told.
    fn bytes(&self) -> Option<f64> {
        let told = self.told_bytes().unwrap_or(0.0);
        self.process_bytes().map(|bytes| bytes.max(told))
    }

    /// Bytes for each state, of the whole process beyond what it takes for next to nothing.
    fn process_bytes(&self) -> Option<f64> {
        self.per_state((self.measured.megabytes - self.base_megabytes) * 1e6)
    }

    /// Bytes for each state as the search says.
    fn told_bytes(&self) -> Option<f64> {
        self.per_state(self.measured.told_bytes?)
    }

    fn per_state(&self, bytes: f64) -> Option<f64> {
        let states = self.measured.states;
        (states >= LEAST_STATES).then(|| bytes / states as f64)
    }

    /// It found what there is, or need not.
    fn as_expected(&self) -> bool {
        let found = (self.measured.states, self.measured.transitions);
        !self.contender.complete || found == (self.instance.states, self.instance.transitions)
    }
}

/// Measures every instance by every contender that is there; quickly: only what takes less than a second, and once.
pub(crate) fn run(root: &Path, tool: &Path, quick: bool) -> Result<Found, String> {
    let places = Places {
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
        match bases(contender, &places, found.runs) {
            Ok(bases) => there.push((contender, bases)),
            // Without this tool there is nothing to compare with.
            Err(why) if matches!(contender.search, Search::Here { .. }) => return Err(why),
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
            searches.push(contender::ready(contender, instance, &places)?);
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

/// The memory of a contender on the smallest ring of each protocol.
fn bases(contender: &Contender, places: &Places, runs: usize) -> Result<Vec<f64>, String> {
    let mut bases = Vec::new();
    for tiny in TINY {
        let search = contender::ready(contender, tiny, places)?;
        let medians = alternating(&[search], runs)?;
        bases.push(medians[0].megabytes);
    }
    Ok(bases)
}

/// The medians of some searches that are done by turns, so that what else happens on the machine hits all alike.
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

/// Who else takes part, and is there.
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
