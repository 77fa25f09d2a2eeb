//! Whether a comparison notices that the engine breaks a rule: by a wrong answer, or by falling over.

use super::referee::{Case, Said};
use explicit::defects::{Breaking, Defect};
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

/// Whether the engine that breaks the rule is caught by a Machine; `sound` is what the whole engine says.
pub fn is_caught(rule: Defect, case: &Case, sound: &Said) -> bool {
    let breaking = Breaking::rule(rule);
    let said = quietly(|| catch_unwind(AssertUnwindSafe(|| case.ask())));
    drop(breaking);
    match said {
        Ok(said) => said != *sound && case.check(&said).is_err(),
        Err(_) => true,
    }
}

/// Does something whose panics are expected.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    QUIET.set(true);
    let done = work();
    QUIET.set(false);
    done
}
