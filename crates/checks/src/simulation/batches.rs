//! Random runs of one instance, in batches on several threads.
//!
//! The random numbers of a run depend only on the seed and the number of the run. The results are added up in the order
//! of the runs. So they do not depend on the number of threads.

use crate::simulation::monitor::{Monitor, Observation};
use crate::simulation::simulate::Effort;
use crate::simulation::tally::Tally;
use cancellation::Cancelled;
use machine::Machine;
use machine::random::Rng;
use simulate::{InitialSampler, NoInitial, random_run_from};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use verdict::{Budget, Ending, Progress, Run, Spent};

/// The longest time between two calls of `Budget::ask` while no batch is finished.
const PATIENCE: Duration = Duration::from_millis(100);

/// The number of runs in a batch. A thread reports after each batch.
const BATCH: u64 = 50;

/// A property to evaluate on every run.
pub(crate) struct Monitored {
    pub(crate) monitor: Monitor,
    /// Whether the question is `possible` (true) or a claim (false).
    pub(crate) possible: bool,
    /// For a searched value: the first value that is evaluated.
    pub(crate) from: i64,
}

/// The random runs of one Machine.
pub(crate) struct Batches<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) sampler: InitialSampler<'a>,
    pub(crate) monitors: &'a [Monitored],
    /// The largest number of events in a run.
    pub(crate) steps: usize,
    pub(crate) effort: &'a Effort,
}

/// The sum of the results of some runs.
#[derive(Default)]
pub(crate) struct Sum {
    pub(crate) runs: u64,
    pub(crate) events: u64,
    /// The number of runs that end because no event is enabled.
    pub(crate) ended: u64,
    pub(crate) tallies: Vec<Tally>,
}

impl Batches<'_> {
    /// Executes all runs. Returns the sum of the results, and the limit if one was reached before the last run.
    pub(crate) fn run(&self, budget: &dyn Budget) -> Result<(Sum, Option<Spent>), NoInitial> {
        let batches = self.effort.runs.div_ceil(BATCH);
        let next = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let mut found: BTreeMap<u64, Result<Sum, NoInitial>> = BTreeMap::new();
        let mut spent = budget.ask(&Progress::default());
        stop.store(spent.is_some(), Ordering::Relaxed);
        let token = cancellation::current();
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.effort.threads.max(1) {
                let (sender, next, stop, token) = (sender.clone(), &next, &stop, &token);
                let work = move || {
                    while !stop.load(Ordering::Relaxed) && !cancellation::is_cancelled() {
                        let batch = next.fetch_add(1, Ordering::Relaxed);
                        if batch >= batches
                            || sender.send((batch, self.batch(batch, stop))).is_err()
                        {
                            break;
                        }
                    }
                };
                scope.spawn(move || cancellation::with(token, work));
            }
            drop(sender);
            let mut progress = Progress::default();
            loop {
                let (batch, sum) = match receiver.recv_timeout(PATIENCE) {
                    Ok(finished) => finished,
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        if spent.is_none() {
                            spent = budget.ask(&progress);
                        }
                        stop.fetch_or(spent.is_some(), Ordering::Relaxed);
                        continue;
                    }
                };
                match &sum {
                    Ok(sum) => {
                        progress.states += sum.runs;
                        progress.transitions += sum.events;
                    }
                    Err(_) => stop.store(true, Ordering::Relaxed),
                }
                found.insert(batch, sum);
                if spent.is_none() {
                    spent = budget.ask(&progress);
                }
                if spent.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let mut total = self.empty_sum();
        for sum in found.into_values() {
            let sum = sum?;
            total.runs += sum.runs;
            total.events += sum.events;
            total.ended += sum.ended;
            for (tally, more) in total.tallies.iter_mut().zip(sum.tallies) {
                tally.join(more);
            }
        }
        Ok((total, spent))
    }

    /// The sum over an empty set of runs.
    fn empty_sum(&self) -> Sum {
        Sum {
            tallies: self
                .monitors
                .iter()
                .map(|monitored| Tally {
                    first: monitored.from,
                    ..Tally::default()
                })
                .collect(),
            ..Sum::default()
        }
    }

    /// Executes the runs of one batch.
    fn batch(&self, batch: u64, stop: &AtomicBool) -> Result<Sum, NoInitial> {
        let mut sum = self.empty_sum();
        let first = batch * BATCH;
        for number in first..(first + BATCH).min(self.effort.runs) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            // A run that a limit ends is not counted.
            let (run, observations) = match cancellation::catch(|| self.run_once(number, stop)) {
                Err(Cancelled) | Ok(Err(NoInitial::Interrupted)) => break,
                Ok(observed) => observed?,
            };
            sum.runs += 1;
            sum.events += run.choices.len() as u64;
            sum.ended += u64::from(run.ending == Ending::StandsStill);
            let monitored = self.monitors.iter().zip(observations);
            for ((monitored, observation), tally) in monitored.zip(&mut sum.tallies) {
                tally.add(number + 1, &run, observation, monitored.possible);
            }
        }
        Ok(sum)
    }

    /// Executes one run. Returns it with the observation of each monitor.
    fn run_once(
        &self,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<(Run, Vec<Observation>), NoInitial> {
        let mut rng = random_numbers(self.effort.seed, number);
        let mut stopped = || stop.load(Ordering::Relaxed);
        let initial = self.sampler.draw(&mut rng, &mut stopped)?;
        let random_run = random_run_from(self.machine, initial, &mut rng, self.steps);
        let observe = |one: &Monitored| one.monitor.observe(self.machine, &random_run);
        let observations = self.monitors.iter().map(observe).collect();
        Ok((random_run.run, observations))
    }
}

/// The random number generator of one run, independent of those of other runs.
fn random_numbers(seed: u64, run: u64) -> Rng {
    let mut of_seed = Rng(seed);
    let start = of_seed.below(usize::MAX) as u64;
    let mut of_run = Rng(start ^ run.wrapping_mul(0xd134_2543_de82_ef95));
    Rng(of_run.below(usize::MAX) as u64)
}
