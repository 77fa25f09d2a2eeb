//! The watchdog: a thread that cancels the work of a check when a limit is reached or the user interrupts it.
//!
//! Engines ask their budget and end with partial results. All other work (lowering, encoding, enumeration, audits) polls the
//! token of its thread (crate `cancellation`), which this thread sets.

use cancellation::Token;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The time between two looks at the limits.
const INTERVAL: Duration = Duration::from_millis(20);

/// The time after a limit in which engines bring their partial results home, and found runs are audited.
const GRACE: Duration = Duration::from_millis(500);

/// The memory of the process, beyond the limit, that is not counted: code, tables and texts, in bytes.
const BASE_MEMORY: u64 = 32_000_000;

/// The limits that the watchdog watches.
pub(crate) struct Watched<'a> {
    /// The start of the work.
    pub(crate) since: Instant,
    /// The limit of wall-clock time.
    pub(crate) time: Option<Duration>,
    /// The limit of memory, in bytes.
    pub(crate) memory: Option<u64>,
    /// Set when the user interrupts the call.
    pub(crate) interrupted: &'a AtomicBool,
}

/// The state of watched work.
#[derive(Default)]
pub(crate) struct Tokens {
    /// Cancelled when a limit is reached, ended some time later.
    pub(crate) limit: Token,
    /// Whether the memory of the process exceeds its limit.
    pub(crate) out_of_memory: AtomicBool,
}

impl Watched<'_> {
    /// Runs work that polls `tokens.limit`, while a second thread watches the limits.
    pub(crate) fn run<T>(&self, tokens: &Tokens, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            // The sender is dropped when the work ends or unwinds: that ends the watchdog.
            let (_working, ended) = mpsc::channel::<()>();
            let watch = Watched { ..*self };
            scope.spawn(move || watch.watch(tokens, &ended));
            cancellation::with(&tokens.limit, work)
        })
    }

    fn watch(&self, tokens: &Tokens, ended: &mpsc::Receiver<()>) {
        let mut reached: Option<Instant> = None;
        while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            match reached {
                None if self.is_reached(tokens) => {
                    reached = Some(Instant::now());
                    tokens.limit.cancel();
                }
                Some(when) if when.elapsed() > GRACE => return tokens.limit.end(),
                _ => {}
            }
        }
    }

    fn is_reached(&self, tokens: &Tokens) -> bool {
        let out_of_memory = self.memory.is_some_and(|limit| {
            process_memory().is_some_and(|used| used > limit.saturating_add(BASE_MEMORY))
        });
        if out_of_memory {
            tokens.out_of_memory.store(true, Ordering::Relaxed);
        }
        out_of_memory
            || self.interrupted.load(Ordering::Relaxed)
            || self.time.is_some_and(|limit| self.since.elapsed() > limit)
    }
}

/// The memory of this process in bytes (the resident set); `None` if the operating system does not report it.
fn process_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
