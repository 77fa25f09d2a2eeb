//! A harness for random samples: the seeds, their distribution over all cores, expected panics, and quotas of
//! constructs.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};

/// The environment variable that sets the sample: a number of seeds, or a range such as `10..20`.
const VARIABLE: &str = "SCRUTINEER_SAMPLE";

/// The seeds of a sample: `0..usual`, unless SCRUTINEER_SAMPLE sets a number or a range.
pub fn seeds(usual: u64) -> Range<u64> {
    match std::env::var(VARIABLE) {
        Ok(text) => range(&text).expect("SCRUTINEER_SAMPLE is a number, or two: 10..20"),
        Err(_) => 0..usual,
    }
}

/// The number of seeds of a sample: `usual`, unless SCRUTINEER_SAMPLE sets it.
pub fn sample_size(usual: u64) -> u64 {
    let seeds = seeds(usual);
    seeds.end - seeds.start.min(seeds.end)
}

fn range(text: &str) -> Option<Range<u64>> {
    let (from, to) = text.split_once("..").unwrap_or(("0", text));
    Some(from.parse().ok()?..to.parse().ok()?)
}

/// The results for all seeds, in the order of the seeds. Each core takes the next seed when it has finished one.
pub fn on_all_cores<T: Send>(seeds: Range<u64>, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let next = AtomicU64::new(seeds.start);
    let results = Mutex::new(BTreeMap::new());
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            let result = work(seed);
            results.lock().expect("no panic").insert(seed, result);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let results = results.into_inner().expect("no panic");
    results.into_values().collect()
}

/// Calls `compare` for all seeds on all cores. Panics with the errors of all seeds if there are any; otherwise returns
/// the results.
pub fn compare_all<T: Send, E: Display>(
    seeds: Range<u64>,
    compare: impl Fn(u64) -> Result<T, E> + Sync,
) -> Vec<T> {
    let one = |seed| compare(seed).map_err(|why| format!("seed {seed}: {why}"));
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for result in on_all_cores(seeds, one) {
        match result {
            Ok(result) => right.push(result),
            Err(why) => wrong.push(why),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    right
}

thread_local! {
    /// Whether panics of this thread are expected and print no message.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The result of a call; `None` if it panics. The panic prints no message.
pub fn catch_quietly<T>(call: impl FnOnce() -> T) -> Option<T> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(false);
    result.ok()
}

/// The number of cases of a sample in which each construct occurs.
#[derive(Clone, Debug, Default)]
pub struct Census {
    cases: usize,
    names: BTreeMap<String, usize>,
}

impl Census {
    /// Counts constructs over cases; each case is a list of the names of its constructs.
    pub fn of<N: Into<String>>(cases: impl Iterator<Item = impl IntoIterator<Item = N>>) -> Census {
        let mut census = Census::default();
        for names in cases {
            census.cases += 1;
            for name in names {
                *census.names.entry(name.into()).or_default() += 1;
            }
        }
        census
    }

    /// Panics unless each construct in `all` occurs in at least one of `part` cases on average.
    pub fn is_varied<'n>(&self, all: impl Iterator<Item = &'n str>, part: usize) {
        println!("{:?}", self.names);
        let count = |name: &str| self.names.get(name).copied().unwrap_or(0);
        let rare = all.map(|name| (name, count(name)));
        let rare: Vec<_> = rare.filter(|(_, n)| n * part < self.cases).collect();
        assert!(rare.is_empty(), "in fewer than one of {part}: {rare:?}");
    }

    /// Panics unless every construct that occurs is in `all`.
    pub fn is_within<'n>(&self, all: impl Iterator<Item = &'n str>) {
        let all: Vec<&str> = all.collect();
        let unknown = self.names.keys();
        let unknown: Vec<_> = unknown
            .filter(|name| !all.contains(&name.as_str()))
            .collect();
        assert!(unknown.is_empty(), "not in the list: {unknown:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_numbers_or_ranges() {
        assert_eq!(range("12"), Some(0..12));
        assert_eq!(range("10..20"), Some(10..20));
        assert_eq!(range("many"), None);
    }

    #[test]
    fn every_seed_is_worked_on_once_and_results_are_in_order() {
        let all = on_all_cores(3..50, |seed| seed);
        assert_eq!(all, (3..50).collect::<Vec<_>>());
    }

    #[test]
    fn contradictions_panics_and_rare_constructs_are_noticed() {
        let odd = |seed: u64| if seed == 4 { Err("odd") } else { Ok(seed) };
        assert!(catch_quietly(|| compare_all(0..6, odd)).is_none());
        assert_eq!(compare_all(0..4, odd), [0, 1, 2, 3]);
        let falls = |seed: u64| assert!(seed != 4);
        assert!(catch_quietly(|| on_all_cores(0..4, falls)).is_some());
        assert!(catch_quietly(|| on_all_cores(0..1, |_| panic!("expected"))).is_none());
        let census = Census::of([vec!["a", "b"], vec!["a"]].into_iter());
        census.is_varied(["a", "b"].into_iter(), 2);
        census.is_within(["a", "b", "c"].into_iter());
        assert!(catch_quietly(|| census.is_varied(["b"].into_iter(), 1)).is_none());
        assert!(catch_quietly(|| census.is_varied(["c"].into_iter(), 9)).is_none());
        assert!(catch_quietly(|| census.is_within(["a"].into_iter())).is_none());
    }
}
