//! Panics that tests expect: they are caught, and no message is printed.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether panics of this thread are expected.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Installs a panic hook, once in the process, that prints nothing for threads with expected panics.
fn keep_quiet() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
}

/// The result of a call; none if it panics.
pub fn catch_quietly<T>(call: impl FnOnce() -> T) -> Option<T> {
    keep_quiet();
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(false);
    result.ok()
}
