//! The watchdog: a thread that cancels work when a limit is reached or the user interrupts it.
//!
//! Engines check their budget, and at a limit they return partial results. All other work (lowering, encoding,
//! enumeration, audits) polls the token of its thread (crate `cancellation`), which the watchdog sets.

use crate::call::load::{Loaded, load};
use crate::call::memory::process_memory;
use cancellation::{Cancelled, Token};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use verdict::Spent;

/// The time between two checks of the limits.
const INTERVAL: Duration = Duration::from_millis(20);

/// The time between two checks of the limits while more than half of the memory is used.
const SHORT_INTERVAL: Duration = Duration::from_millis(2);

/// The time after a limit in which engines may return partial results, and runs that were found are audited.
const GRACE: Duration = Duration::from_millis(400);

/// The memory, in bytes, for tables, stacks and texts that the process may use in addition to its limit and to its
/// memory at the beginning of the work.
const ALLOWANCE: u64 = 16_000_000;

/// The watchdog tolerates `1 / SLACK` of the limit of memory above the limit, because a search counts the memory of its
/// states itself and compresses them at the limit.
const SLACK: u64 = 20;

/// The limits that the watchdog watches.
pub(crate) struct Watched<'a> {
    /// The start of the work.
    pub(crate) since: Instant,
    /// The limit of wall-clock time.
    pub(crate) time: Option<Duration>,
    /// The limit of memory, in bytes, in addition to the memory of the process at the beginning of the work.
    pub(crate) memory: Option<u64>,
    /// Set when the user interrupts the call.
    pub(crate) interrupted: &'a AtomicBool,
}

/// The state of watched work.
pub(crate) struct Tokens {
    /// Cancelled when a limit is reached, ended some time later.
    pub(crate) limit: Token,
    /// Whether the memory of the process exceeds its limit.
    pub(crate) out_of_memory: AtomicBool,
}

impl Default for Tokens {
    fn default() -> Tokens {
        Tokens {
            // A test may have planted a limit.
            limit: cancellation::planted().unwrap_or_default(),
            out_of_memory: AtomicBool::new(false),
        }
    }
}

/// Runs work under limits of time and memory and until the user interrupts it. If a limit ends the work, the work has
/// no result. The memory of the process at the beginning of the work is not counted.
pub fn within<T>(
    time: Option<Duration>,
    memory: Option<u64>,
    interrupted: &AtomicBool,
    work: impl FnOnce() -> T,
) -> Result<T, Spent> {
    let tokens = Tokens::default();
    let watched = Watched {
        since: Instant::now(),
        time,
        memory,
        interrupted,
    };
    let done = watched.run(&tokens, || cancellation::catch(work));
    // A limit that was reached stays reached, so `spent` still returns it.
    done.map_err(|Cancelled| watched.spent(&tokens).unwrap_or(Spent::Interrupted))
}

/// Reads a model file within limits, also after an interrupt: then what is read quickly is still read, so that its checks
/// can be reported as not begun.
pub fn load_within(
    path: &Path,
    time: Option<Duration>,
    memory: Option<u64>,
    interrupted: &AtomicBool,
) -> Result<Result<Loaded, String>, Spent> {
    let load = || load(path);
    if interrupted.load(Ordering::Relaxed) {
        let never = AtomicBool::new(false);
        return within(Some(GRACE), memory, &never, load).map_err(|_| Spent::Interrupted);
    }
    within(time, memory, interrupted, load)
}

impl Watched<'_> {
    /// Runs work that polls `tokens.limit`, while a second thread watches the limits.
    pub(crate) fn run<T>(&self, tokens: &Tokens, work: impl FnOnce() -> T) -> T {
        let base = process_memory().unwrap_or(0) + ALLOWANCE;
        // Work that begins after a limit ends at its first poll.
        if self.spent(tokens).is_some() {
            tokens.limit.cancel();
        }
        std::thread::scope(|scope| {
            // The sender is dropped when the work ends or unwinds: that ends the watchdog.
            let (_working, ended) = mpsc::channel::<()>();
            let watch = Watched { ..*self };
            scope.spawn(move || watch.watch(base, tokens, &ended));
            cancellation::with(&tokens.limit, work)
        })
    }

    /// Checks the limits until the work has ended.
    fn watch(&self, base: u64, tokens: &Tokens, ended: &mpsc::Receiver<()>) {
        let mut reached: Option<Instant> = None;
        let mut interval = INTERVAL;
        while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
            interval = INTERVAL;
            if let Some(limit) = self.memory {
                let limit = limit.saturating_add(limit / SLACK);
                let used = process_memory().unwrap_or(0).saturating_sub(base);
                if used > limit {
                    tokens.out_of_memory.store(true, Ordering::Relaxed);
                } else if used > limit / 2 {
                    interval = SHORT_INTERVAL;
                }
            }
            match reached {
                None if self.spent(tokens).is_some() => {
                    reached = Some(Instant::now());
                    tokens.limit.cancel();
                }
                Some(when) if when.elapsed() > GRACE => return tokens.limit.end(),
                _ => {}
            }
        }
    }

    /// The limit that is reached, if any.
    fn spent(&self, tokens: &Tokens) -> Option<Spent> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Spent::Interrupted);
        }
        let time = self.time.filter(|limit| self.since.elapsed() > *limit);
        let out_of_memory = tokens.out_of_memory.load(Ordering::Relaxed);
        let memory = self.memory.filter(|_| out_of_memory);
        time.map(Spent::Time).or(memory.map(Spent::Memory))
    }
}
