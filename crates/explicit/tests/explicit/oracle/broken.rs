//! Whether a comparison catches a seeded defect, by a wrong answer or a panic.

use super::referee::{Case, Said};
use explicit::defects::{Breaking, Defect};
use testkit::sample::catch_quietly;

/// Whether a Machine catches the defect. `sound` are the reports of the sound engine.
pub fn is_caught(rule: Defect, case: &Case, sound: &Said) -> bool {
    let breaking = Breaking::rule(rule);
    let said = catch_quietly(|| case.ask());
    drop(breaking);
    said.is_none_or(|said| said != *sound && case.check(&said).is_err())
}
