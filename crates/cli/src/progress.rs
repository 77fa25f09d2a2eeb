//! One line of progress on a terminal, silent elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use verdict::Progress;

/// Writes how far a check is, a few times a second.
pub(crate) struct ProgressLine {
    title: String,
    on: bool,
    since: Instant,
    last: Option<Instant>,
}

impl ProgressLine {
    pub(crate) fn new(title: String) -> ProgressLine {
        ProgressLine {
            title,
            on: std::io::stderr().is_terminal(),
            since: Instant::now(),
            last: None,
        }
    }

    pub(crate) fn tell(&mut self, progress: &Progress) {
        let patience = self.last.unwrap_or(self.since).elapsed();
        if !self.on || patience < Duration::from_millis(200) {
            return;
        }
        self.last = Some(Instant::now());
        if progress.states == 0 && progress.transitions > 0 {
            eprint!(
                "\r\x1b[2K  … {}: depth {}, {} questions to a solver",
                self.title,
                progress.depth,
                count(progress.transitions)
            );
            let _ = std::io::stderr().flush();
            return;
        }
        let rate = progress.states as f64 / self.since.elapsed().as_secs_f64().max(0.001);
        eprint!(
            "\r\x1b[2K  … {}: {} states, {} to look at, depth {}, {}/s, {} MB",
            self.title,
            count(progress.states),
            count(progress.waiting),
            progress.depth,
            count(rate as u64),
            progress.memory / 1_000_000
        );
        let _ = std::io::stderr().flush();
    }
}

impl ProgressLine {
    /// The same for a simulation, whose runs are counted instead of states.
    pub(crate) fn runs(&mut self, progress: &Progress) {
        let patience = self.last.unwrap_or(self.since).elapsed();
        if !self.on || patience < Duration::from_millis(200) {
            return;
        }
        self.last = Some(Instant::now());
        eprint!(
            "\r\x1b[2K  … {}: {} runs, {} events",
            self.title,
            count(progress.states),
            count(progress.transitions)
        );
        let _ = std::io::stderr().flush();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.last.is_some() {
            eprint!("\r\x1b[2K");
        }
    }
}

/// A number that is easy to read.
pub(crate) fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{} thousand", number / 1000),
        _ => format!("{:.1} million", number as f64 / 1e6),
    }
}
