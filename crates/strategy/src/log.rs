//! The log of the rows that were tried, with their cost: every search is counted, also one that is given up.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};
use verdict::{Budget, CheckpointStore, Progress, Spent, Storage};

/// The cost of one row over all questions of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The method of the row.
    pub method: &'static str,
    /// The limit of the row, as text.
    pub effort: String,
    /// The number of questions that the row was asked.
    pub questions: u64,
    /// The properties in these questions that were open before the row.
    pub open: u64,
    /// The properties among `open` that the row decided.
    pub decided: u64,
    /// The wall-clock time.
    pub time: Duration,
    /// The states visited in all searches of the row, including searches that were given up.
    pub states: u64,
}

/// The rows that were tried, in the order of their first use.
#[derive(Debug, Default)]
pub struct Log {
    attempts: RefCell<Vec<Attempt>>,
}

impl Log {
    /// The rows so far.
    pub fn attempts(&self) -> Vec<Attempt> {
        self.attempts.borrow().clone()
    }

    /// Adds the cost of one question to its row.
    pub(crate) fn add(&self, one: Attempt) {
        let mut attempts = self.attempts.borrow_mut();
        let mut known = attempts.iter_mut();
        match known.find(|row| row.method == one.method && row.effort == one.effort) {
            Some(row) => {
                row.questions += one.questions;
                row.open += one.open;
                row.decided += one.decided;
                row.time += one.time;
                row.states += one.states;
            }
            None => attempts.push(one),
        }
    }
}

/// A budget that counts the states of all searches under it.
pub(crate) struct Meter<'a> {
    budget: &'a dyn Budget,
    since: Instant,
    finished: Cell<u64>,
    current: Cell<u64>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a dyn Budget) -> Meter<'a> {
        Meter {
            budget,
            since: Instant::now(),
            finished: Cell::new(0),
            current: Cell::new(0),
        }
    }

    /// The states visited so far, in all searches.
    pub(crate) fn states(&self) -> u64 {
        self.finished.get() + self.current.get()
    }

    /// The time since the meter was made.
    pub(crate) fn time(&self) -> Duration {
        self.since.elapsed()
    }
}

impl Budget for Meter<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        if progress.states < self.current.get() {
            self.finished.set(self.finished.get() + self.current.get());
        }
        self.current.set(progress.states);
        self.budget.ask(progress)
    }

    fn solver(&self) -> sat::Backend {
        self.budget.solver()
    }

    fn threads(&self) -> usize {
        self.budget.threads()
    }

    fn storage(&self) -> Storage {
        self.budget.storage()
    }

    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        self.budget.checkpoint_store()
    }
}
