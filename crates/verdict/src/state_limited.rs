//! A budget with a limit on the number of states. Unlike a time limit it makes results reproducible.

use crate::{Budget, CheckpointStore, Progress, Spent, Storage};
use std::cell::Cell;

/// A budget that ends each search, or several searches together, after a number of states.
pub struct StateLimited<'a> {
    budget: &'a dyn Budget,
    /// The largest number of states that may be visited.
    most: u64,
    use_: Use,
    /// The states of finished searches, if all searches share the limit; otherwise 0.
    before: Cell<u64>,
    /// The states of the current search.
    now: Cell<u64>,
    reached: Cell<bool>,
}

/// The purpose of a limited search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// An attempt with one thread and without checkpoints. If the limit is reached, another search is used instead.
    Attempt,
    /// The first search of a model, with all threads, without hash compaction and without checkpoints.
    FirstLook,
    /// Several searches that share the limit. Each keeps its checkpoint, from which an unlimited search can resume.
    Together,
}

impl<'a> StateLimited<'a> {
    fn new(budget: &'a dyn Budget, most: u64, use_: Use) -> StateLimited<'a> {
        StateLimited {
            budget,
            most,
            use_,
            before: Cell::new(0),
            now: Cell::new(0),
            reached: Cell::new(false),
        }
    }

    /// A limit for each search, with one thread, plain storage and no checkpoints.
    pub fn attempt(budget: &'a dyn Budget, most: u64) -> StateLimited<'a> {
        StateLimited::new(budget, most, Use::Attempt)
    }

    /// A limit for each search, with all threads, no hash compaction and no checkpoints.
    pub fn first_look(budget: &'a dyn Budget, most: u64) -> StateLimited<'a> {
        StateLimited::new(budget, most, Use::FirstLook)
    }

    /// A limit that all searches share. They keep their checkpoints.
    pub fn together(budget: &'a dyn Budget, most: u64) -> StateLimited<'a> {
        StateLimited::new(budget, most, Use::Together)
    }

    /// Whether a search was ended by this limit.
    pub fn reached(&self) -> bool {
        self.reached.get()
    }
}

impl Budget for StateLimited<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        let spent = self.budget.ask(progress);
        if self.use_ == Use::Together && progress.states < self.now.get() {
            self.before.set(self.before.get() + self.now.get());
        }
        self.now.set(progress.states);
        if spent.is_none() && self.before.get() + progress.states > self.most {
            self.reached.set(true);
            return Some(Spent::Brief);
        }
        spent
    }

    fn solver(&self) -> sat::Backend {
        self.budget.solver()
    }

    fn threads(&self) -> usize {
        match self.use_ {
            Use::Attempt => 1,
            Use::FirstLook | Use::Together => self.budget.threads(),
        }
    }

    fn storage(&self) -> Storage {
        match (self.use_, self.budget.storage()) {
            (Use::Attempt, _) | (Use::FirstLook, Storage::Hashes(_)) => Storage::Plain,
            (_, storage) => storage,
        }
    }

    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        match self.use_ {
            Use::Together => self.budget.checkpoint_store(),
            Use::Attempt | Use::FirstLook => None,
        }
    }
}
