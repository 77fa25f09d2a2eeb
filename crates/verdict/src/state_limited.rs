//! A budget with a limit on states: a limited effort whose outcome does not depend on the clock.

use crate::{Budget, CheckpointStore, Progress, Spent, Storage};
use std::cell::Cell;

/// A budget that ends a search, or several searches together, after a number of states.
pub struct StateLimited<'a> {
    budget: &'a dyn Budget,
    /// States that may be visited.
    most: u64,
    use_: Use,
    /// States of finished searches, where all searches count together, and of the present one.
    before: Cell<u64>,
    now: Cell<u64>,
    reached: Cell<bool>,
}

/// What a limited search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// An attempt in one thread, of which no checkpoint is kept: another search goes on instead.
    Attempt,
    /// The first look at a model, with all threads, exact storage and no checkpoint.
    FirstLook,
    /// Several searches together; each keeps its checkpoint, from which the unlimited search goes on.
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

    /// A limit for each search: one thread, no checkpoints.
    pub fn attempt(budget: &'a dyn Budget, most: u64) -> StateLimited<'a> {
        StateLimited::new(budget, most, Use::Attempt)
    }

    /// A limit for each search: all threads, exact storage, no checkpoints.
    pub fn first_look(budget: &'a dyn Budget, most: u64) -> StateLimited<'a> {
        StateLimited::new(budget, most, Use::FirstLook)
    }

    /// A limit for all searches together, which keep their checkpoints.
    pub fn together(budget: &'a dyn Budget, most: u64) -> StateLimited<'a> {
        StateLimited::new(budget, most, Use::Together)
    }

    /// Whether a search ended because of this limit.
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
