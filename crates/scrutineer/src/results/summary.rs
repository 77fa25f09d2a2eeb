//! The last line of a report: the number of checks by outcome.

use crate::Exit;
use crate::console::progress::count;

/// The number of checks by outcome, over one call.
#[derive(Default)]
pub(crate) struct Summary {
    good: usize,
    bad: usize,
    unknown: usize,
    /// Checks without failure that `-D` changed, so that `expect` does not apply.
    unjudged: usize,
    /// Checks that were answered but have no `expect`, and whose answer is neither a success nor a failure.
    open: usize,
    /// Checks that could not be answered because of an error in the model or a contradiction.
    refused: usize,
    /// Files that could not be read, or have errors.
    files: usize,
}

/// How the answers of a check are judged.
#[derive(Clone, Copy)]
pub(crate) enum Standard {
    /// By `expect`, or by the default: claims hold, and conditions of `possible` are reachable.
    Expectation,
    /// Not at all: there is no `expect`, and the answer is a value or `impossible`.
    Nothing,
    /// Not by `expect`, because `-D` changed the check.
    Changed,
}

impl Summary {
    /// Records a check. `worst` is the exit code of its answers.
    pub(crate) fn check(&mut self, worst: Exit, by: Standard) {
        match worst {
            Exit::Good => match by {
                Standard::Expectation => self.good += 1,
                Standard::Nothing => self.open += 1,
                Standard::Changed => self.unjudged += 1,
            },
            Exit::Bad => self.bad += 1,
            Exit::Unknown => self.unknown += 1,
            Exit::Wrong | Exit::Contradiction => self.refused += 1,
        }
    }

    /// Records a file that could not be checked.
    pub(crate) fn file(&mut self) {
        self.files += 1;
    }

    /// Whether no check was recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.total() == 0
    }

    /// The summary as one line; empty if the only file could not be checked.
    pub(crate) fn text(&self) -> String {
        let mut parts = Vec::new();
        let many = [
            (self.good, "as expected"),
            (self.open, "answered (without `expect`)"),
            (
                self.unjudged,
                "without failure (`expect` is not judged because of -D)",
            ),
            (self.bad, "failed"),
            (self.unknown, "unknown"),
            (self.refused, "could not be asked"),
        ];
        for (number, what) in many.into_iter().filter(|(number, _)| *number > 0) {
            parts.push(if number == self.total() {
                what.to_string()
            } else {
                format!("{number} {what}")
            });
        }
        let mut text = match self.total() {
            0 if self.files == 1 => return String::new(), // the error of the file has already been printed
            0 => "no checks".to_string(),
            1 => format!("1 check: {}", parts.join(", ")),
            total => format!("{} checks: {}", count(total as u64), parts.join(", ")),
        };
        match self.files {
            0 => {}
            1 => text.push_str("; 1 file was not checked"),
            files => text.push_str(&format!("; {files} files were not checked")),
        }
        text
    }

    fn total(&self) -> usize {
        self.good + self.open + self.bad + self.unknown + self.unjudged + self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_outcomes() {
        let mut summary = Summary::default();
        assert_eq!(summary.text(), "no checks");
        summary.file();
        assert_eq!(summary.text(), "");
        let mut summary = Summary::default();
        summary.check(Exit::Good, Standard::Expectation);
        assert_eq!(summary.text(), "1 check: as expected");
        summary.check(Exit::Good, Standard::Expectation);
        assert_eq!(summary.text(), "2 checks: as expected");
        summary.check(Exit::Bad, Standard::Nothing);
        summary.file();
        assert_eq!(
            summary.text(),
            "3 checks: 2 as expected, 1 failed; 1 file was not checked"
        );
        let mut summary = Summary::default();
        summary.check(Exit::Good, Standard::Nothing);
        assert_eq!(summary.text(), "1 check: answered (without `expect`)");
        summary.check(Exit::Good, Standard::Changed);
        assert_eq!(
            summary.text(),
            "2 checks: 1 answered (without `expect`), 1 without failure (`expect` is not judged because of -D)"
        );
    }
}
