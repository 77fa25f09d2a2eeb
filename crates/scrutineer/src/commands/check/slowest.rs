//! The slowest checks of a call of `check -v`, with their places.

use crate::console::lines;
use checks::{CheckReport, Loaded};
use std::time::Duration;

/// The largest number of checks that are listed.
const MOST: usize = 5;

/// The least time of a check that is listed.
const LEAST: Duration = Duration::from_secs(1);

/// The checks of a call that take long.
#[derive(Default)]
pub(crate) struct Slowest {
    /// The number of all checks.
    count: usize,
    /// Of each check that takes at least `LEAST`: the wall-clock time, and the place and the questions as text.
    checks: Vec<(Duration, String)>,
}

impl Slowest {
    /// Notes the time of a check.
    pub(crate) fn add(&mut self, loaded: &Loaded, report: &CheckReport) {
        self.count += 1;
        if report.took < LEAST {
            return;
        }
        let line = loaded.sources.line(loaded.model.checks[report.number].span);
        let file = loaded.sources.name(loaded.file);
        let asked: Vec<&str> = report.asked.iter().map(|asked| &asked.text[..]).collect();
        let place = format!("{file}:{line}: {}", asked.join(", "));
        self.checks.push((report.took, place));
    }

    /// Prints the slowest checks; nothing if all were quick, or if there is only one.
    pub(crate) fn print(mut self) {
        if self.checks.is_empty() || self.count == 1 {
            return;
        }
        self.checks.sort_by(|(a, _), (b, _)| b.cmp(a));
        lines::aside("slowest checks:");
        for (took, place) in self.checks.iter().take(MOST) {
            lines::aside(&format!("  {:.1} s  {place}", took.as_secs_f64()));
        }
    }
}
