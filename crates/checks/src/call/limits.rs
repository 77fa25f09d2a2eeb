//! The budget of one check: time, memory, threads, and interruption by the user.

use crate::call::checkpoint::CheckFiles;
use cancellation::Token;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use verdict::{Budget, CheckpointStore, Progress, Spent, Storage};

/// A function that receives the progress of an engine.
pub type Watcher<'a> = dyn FnMut(&Progress) + 'a;

/// The budget of one check.
pub struct Limits<'a> {
    /// When the check started.
    pub since: Instant,
    /// The limit of wall-clock time; `None` for no limit.
    pub time: Option<Duration>,
    /// The limit of memory in bytes; `None` for no limit.
    pub memory: Option<u64>,
    /// The number of threads.
    pub threads: usize,
    /// The SAT solver that engines use.
    pub solver: sat::Backend,
    /// How visited states are stored, if the call says so.
    pub storage: Option<Storage>,
    /// Set to true when the user interrupts the call.
    pub interrupted: &'a AtomicBool,
    /// Receives the progress whenever an engine consults the budget.
    pub watcher: RefCell<&'a mut Watcher<'a>>,
    /// The token of the work, which the watchdog sets when the memory of the process exceeds the limit.
    pub token: Option<&'a Token>,
    /// The checkpoint files of the check; `None` if the call writes none.
    pub files: Option<&'a CheckFiles<'a>>,
}

impl Budget for Limits<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (self.watcher.borrow_mut())(progress);
        let spent = self.spent(progress);
        if spent.is_some() {
            // The engine stops its loops and returns its partial results.
            cancellation::acknowledge();
        }
        if let (Some(_), Some(files)) = (&spent, self.files) {
            files.limited();
        }
        spent
    }

    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        self.files.map(|files| files as &dyn CheckpointStore)
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn solver(&self) -> sat::Backend {
        self.solver
    }

    fn storage(&self) -> Storage {
        match (self.storage, self.memory) {
            (Some(storage), _) => storage,
            (None, Some(most)) => Storage::AsNeeded(most),
            (None, None) => Storage::Plain,
        }
    }
}

impl Limits<'_> {
    /// The limit that is reached, if any.
    fn spent(&self, progress: &Progress) -> Option<Spent> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Spent::Interrupted);
        }
        if let Some(limit) = self.time
            && self.since.elapsed() > limit
        {
            return Some(Spent::Time(limit));
        }
        if let Some(limit) = self.memory
            && (progress.memory > limit || self.token.is_some_and(Token::is_out_of_memory))
        {
            return Some(Spent::Memory(limit));
        }
        // A limit that a test planted is reported as an interruption.
        let planted = self.token.is_some_and(Token::is_reached);
        planted.then_some(Spent::Interrupted)
    }
}

/// The total time of the checks of a call. Each check gets an equal share of the time that is left. So no check uses
/// the time of the others, and the later checks share the time that a check does not use.
#[derive(Debug)]
pub struct TotalTime {
    since: Instant,
    total: Duration,
    /// The number of checks that have not begun.
    left: AtomicU32,
}

impl TotalTime {
    /// The total time of this number of checks, starting now.
    pub fn new(total: Duration, checks: u32) -> TotalTime {
        TotalTime {
            since: Instant::now(),
            total,
            left: AtomicU32::new(checks),
        }
    }

    /// The time of the check that begins now.
    pub fn share(&self) -> Duration {
        let left = self.left.load(Ordering::Relaxed).max(1);
        self.left.store(left - 1, Ordering::Relaxed);
        self.total.saturating_sub(self.since.elapsed()) / left
    }
}

/// The number of threads that the computer runs in parallel.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_time_is_shared_by_later_checks() {
        let time = TotalTime::new(Duration::from_secs(3000), 3);
        let around = |share: Duration, wanted: u64| {
            let share = share.as_secs_f64();
            assert!((share - wanted as f64).abs() < 100.0, "{share}");
        };
        around(time.share(), 1000);
        around(time.share(), 1500);
        around(time.share(), 3000);
        let over = TotalTime::new(Duration::ZERO, 2);
        assert_eq!(over.share(), Duration::ZERO);
    }
}
