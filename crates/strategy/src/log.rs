//! The log of the rows of the strategy table that were tried, with their cost. Interrupted searches count too.

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
    /// The number of questions for which the row was tried.
    pub questions: u64,
    /// The number of properties that were open before the row, over all questions.
    pub open: u64,
    /// The number of these properties that the row decided.
    pub decided: u64,
    /// The wall-clock time of the row.
    pub time: Duration,
    /// The number of states visited by all searches of the row, including interrupted ones.
    pub states: u64,
}

/// The rows that were tried, in the order of their first use.
#[derive(Debug, Default)]
pub struct Log {
    attempts: RefCell<Vec<Attempt>>,
}

impl Log {
    /// The rows that were tried so far.
    pub fn attempts(&self) -> Vec<Attempt> {
        self.attempts.borrow().clone()
    }

    /// Adds the cost of a row for one question to the total of the row.
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

/// A budget that counts the states of all searches that use it, one after the other.
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

    /// The number of states visited so far by all searches.
    pub(crate) fn states(&self) -> u64 {
        self.finished.get() + self.current.get()
    }

    /// The time since the meter was created.
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
