//! The options of a check: limits, parameters, cancellation, progress.

use lower::Define;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use verdict::Progress;

/// A function that receives the progress of a check.
type Callback = dyn Fn(&Progress) + Send + Sync;

/// The options of a check. The default is no time limit, three quarters of the available memory, and as many threads as
/// the computer runs in parallel.
#[derive(Clone, Default)]
pub struct Options {
    defines: Vec<Define>,
    claim: Option<String>,
    time: Option<Duration>,
    memory: Option<u64>,
    threads: Option<usize>,
    cancel: Cancel,
    progress: Option<Arc<Callback>>,
}

impl Options {
    /// Sets a parameter of the model, with the value in the notation of the model, like `-D name=value`. The `expect`
    /// of the check is then ignored.
    pub fn set(mut self, name: &str, value: impl std::fmt::Display) -> Options {
        self.defines.push(Define {
            name: name.into(),
            value: value.to_string(),
        });
        self
    }

    /// Answers only the claim with this name.
    pub fn claim(mut self, name: &str) -> Options {
        self.claim = Some(name.into());
        self
    }

    /// Limits the wall-clock time of each check. Questions that are undecided by then are unknown.
    pub fn time(mut self, limit: Duration) -> Options {
        self.time = Some(limit);
        self
    }

    /// Limits the memory of each check, in bytes. Questions that are undecided at the limit are unknown.
    pub fn memory(mut self, bytes: u64) -> Options {
        self.memory = Some(bytes);
        self
    }

    /// Sets the number of threads. The results do not depend on it.
    pub fn threads(mut self, threads: usize) -> Options {
        self.threads = Some(threads.max(1));
        self
    }

    /// Ends the check when the token is cancelled. Questions that are undecided by then are unknown.
    pub fn cancel(mut self, cancel: &Cancel) -> Options {
        self.cancel = cancel.clone();
        self
    }

    /// Calls a function with the progress every few thousand steps, on the thread of the check. The function should
    /// return quickly.
    pub fn progress(mut self, callback: impl Fn(&Progress) + Send + Sync + 'static) -> Options {
        self.progress = Some(Arc::new(callback));
        self
    }

    /// The options in the form that the crate `checks` uses.
    pub(crate) fn of_checks(&self) -> checks::Options {
        let memory = || checks::available_memory().map(|available| available / 4 * 3);
        checks::Options {
            defines: self.defines.clone(),
            claim: self.claim.clone(),
            time: self.time,
            memory: self.memory.or_else(memory),
            threads: self.threads.unwrap_or_else(checks::available_threads),
            solver: crate::SOLVER,
            ..checks::Options::default()
        }
    }

    /// The flag that ends the check when it is true.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.cancel.flag
    }

    /// Calls the progress function, if there is one.
    pub(crate) fn report(&self, progress: &Progress) {
        if let Some(callback) = &self.progress {
            callback(progress);
        }
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("defines", &self.defines)
            .field("claim", &self.claim)
            .field("time", &self.time)
            .field("memory", &self.memory)
            .field("threads", &self.threads)
            .field("cancel", &self.cancel)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

/// A token that ends a check from another thread. Clones share one flag, which cannot be reset.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
}

impl Cancel {
    /// A token that is not cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Ends every check that uses this token or a clone of it, within a few thousand steps.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the token is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}
