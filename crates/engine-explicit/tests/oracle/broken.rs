//! Whether a comparison notices that the engine breaks a rule: by a wrong answer, or by falling over.

use super::referee::Case;
use engine_explicit::defects::{Breaking, Defect};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Panics of threads that expect some are not printed from now on.
pub fn keep_quiet() {
    let loud = take_hook();
    set_hook(Box::new(move |panic| {
        if !QUIET.get() {
            loud(panic);
        }
    }));
}

/// Whether the engine that breaks the rule is caught by a Machine.
pub fn is_caught(rule: Defect, case: &Case) -> bool {
    let breaking = Breaking::rule(rule);
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| case.compare()));
    QUIET.set(false);
    drop(breaking);
    !matches!(result, Ok(Ok(())))
}
