//! Limits of one question: time, memory, threads, and interruption.

use crate::call::checkpoint::CheckFiles;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use verdict::{Budget, CheckpointStore, Progress, Spent, Storage};

/// Receives the progress of an engine.
pub type Watcher<'a> = dyn FnMut(&Progress) + 'a;

/// The budget of one question.
pub struct Limits<'a> {
    /// The start of the question.
    pub since: Instant,
    /// Limit of wall-clock time.
    pub time: Option<Duration>,
    /// Limit of memory, in bytes.
    pub memory: Option<u64>,
    /// The number of threads.
    pub threads: usize,
    /// The SAT solver that engines use.
    pub solver: sat::Backend,
    /// The storage of visited states, if the call names one.
    pub storage: Option<Storage>,
    /// Set when the user interrupts the call.
    pub interrupted: &'a AtomicBool,
    /// Receives the progress now and then.
    pub watcher: RefCell<&'a mut Watcher<'a>>,
    /// The checkpoint files, if searches keep any.
    pub files: Option<&'a CheckFiles<'a>>,
}

impl Budget for Limits<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (self.watcher.borrow_mut())(progress);
        let spent = self.spent(progress);
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
    /// The limit that is exceeded, if any.
    fn spent(&self, progress: &Progress) -> Option<Spent> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Spent::Interrupted);
        }
        if let Some(limit) = self.time
            && self.since.elapsed() > limit
        {
            return Some(Spent::Time(format!("of {} s", limit.as_secs_f64())));
        }
        if let Some(limit) = self.memory
            && progress.memory > limit
        {
            return Some(Spent::Memory(format!("of {}", size(limit))));
        }
        None
    }
}

/// The number of threads that the computer runs in parallel.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A number of bytes with a unit.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// The available memory of the computer in bytes, where the operating system reports it.
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
