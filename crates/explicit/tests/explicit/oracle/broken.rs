//! Whether a comparison catches a seeded defect: by a wrong answer, or by a panic.

use super::referee::{Case, Said};
use explicit::defects::{Breaking, Defect};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Suppresses the output of expected panics.
pub fn keep_quiet() {
    let loud = take_hook();
    set_hook(Box::new(move |panic| {
        if !QUIET.get() {
            loud(panic);
        }
    }));
}

/// Whether a Machine catches the defect; `sound` are the reports of the sound engine.
pub fn is_caught(rule: Defect, case: &Case, sound: &Said) -> bool {
    let breaking = Breaking::rule(rule);
    let said = quietly(|| catch_unwind(AssertUnwindSafe(|| case.ask())));
    drop(breaking);
    match said {
        Ok(said) => said != *sound && case.check(&said).is_err(),
        Err(_) => true,
    }
}

/// Runs work whose panics are expected.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    QUIET.set(true);
    let done = work();
    QUIET.set(false);
    done
}
