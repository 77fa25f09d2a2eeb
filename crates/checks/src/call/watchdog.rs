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

/// The memory, in bytes, that the process may use beyond its limit for tables, stacks and texts: a search counts the memory of
/// its states itself, and compresses them at the limit.
const ALLOWANCE: u64 = 16_000_000;

/// The allowance for a large limit is `1 / SLACK` of the limit.
const SLACK: u64 = 25;

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

/// A token for watched work: the token that a test has planted, or a new one.
pub(crate) fn token() -> Token {
    cancellation::planted().unwrap_or_default()
}

/// Runs work under limits of time and memory and until the user interrupts it. If a limit ends the work, the work has
/// no result. The memory of the process at the beginning of the work is not counted.
pub fn within<T>(
    time: Option<Duration>,
    memory: Option<u64>,
    interrupted: &AtomicBool,
    work: impl FnOnce() -> T,
) -> Result<T, Spent> {
    let token = token();
    let watched = Watched {
        since: Instant::now(),
        time,
        memory,
        interrupted,
    };
    let done = watched.run(&token, || cancellation::catch(work));
    // A limit that was reached stays reached, so `spent` still returns it.
    done.map_err(|Cancelled| watched.spent(&token).unwrap_or(Spent::Interrupted))
}

/// Reads a model file within limits. After an interrupt the time limit is `GRACE`, so that the checks of a small model
/// can still be reported as not begun.
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
    /// Runs work that polls `token`, while a second thread watches the limits.
    pub(crate) fn run<T>(&self, token: &Token, work: impl FnOnce() -> T) -> T {
        let base = process_memory().unwrap_or(0);
        if let Some(limit) = self.memory {
            token.set_room(most(limit));
        }
        // Work that begins after a limit ends at its first poll.
        if self.spent(token).is_some() {
            token.cancel();
        }
        std::thread::scope(|scope| {
            // The sender is dropped when the work ends or unwinds: that ends the watchdog.
            let (_working, ended) = mpsc::channel::<()>();
            let watch = Watched { ..*self };
            scope.spawn(move || watch.watch(base, token, &ended));
            cancellation::with(token, work)
        })
    }

    /// Checks the limits until the work has ended.
    fn watch(&self, mut base: u64, token: &Token, ended: &mpsc::Receiver<()>) {
        let mut reached: Option<Instant> = None;
        let mut interval = INTERVAL;
        while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
            interval = INTERVAL;
            let memory = process_memory().unwrap_or(0);
            // The allocator may return memory that earlier work freed to the system only now.
            base = base.min(memory);
            let used = memory - base;
            let mut is_over = false;
            if let Some(limit) = self.memory {
                token.set_room(most(limit).saturating_sub(used));
                is_over = used > most(limit);
                if used > limit.saturating_add(tolerated(limit)) {
                    token.run_out_of_memory();
                } else if used > limit / 2 {
                    interval = SHORT_INTERVAL;
                }
            }
            match reached {
                None if self.spent(token).is_some() => {
                    reached = Some(Instant::now());
                    token.cancel();
                }
                Some(when) if when.elapsed() > GRACE || is_over => return token.end(),
                _ => {}
            }
        }
    }

    /// The limit that is reached, if any.
    fn spent(&self, token: &Token) -> Option<Spent> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Spent::Interrupted);
        }
        let time = self.time.filter(|limit| self.since.elapsed() > *limit);
        let memory = self.memory.filter(|_| token.is_out_of_memory());
        time.map(Spent::Time).or(memory.map(Spent::Memory))
    }
}

/// The memory beyond a limit that is tolerated.
fn tolerated(limit: u64) -> u64 {
    (limit / SLACK).max(ALLOWANCE)
}

/// The memory at which work ends at once, even if it has acknowledged a limit. The room for single allocations is
/// computed from it.
fn most(limit: u64) -> u64 {
    limit.saturating_add(tolerated(limit) / 2 * 3)
}
