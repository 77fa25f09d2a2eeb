//! The lines of a report: mark, sentence, coverage, and time.

use anstyle::{AnsiColor, Style};

pub(crate) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// The mark at the beginning of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Good,
    Bad,
    Unknown,
}

/// Prints an answer: the mark, the sentence `what`, the coverage and the time.
pub(crate) fn verdict(mark: Mark, what: &str, covers: &str, seconds: Option<f64>) {
    let (style, sign) = match mark {
        Mark::Good => (GREEN, "✓"),
        Mark::Bad => (RED, "✗"),
        Mark::Unknown => (YELLOW, "?"),
    };
    let time = seconds.map_or(String::new(), |s| format!("{s:.1} s"));
    let (style, reset) = (style.render(), style.render_reset());
    if what.chars().count() > SENTENCE_WIDTH && !covers.is_empty() {
        anstream::println!("  {style}{sign}{reset} {what}");
        let line = format!("{:SENTENCE_WIDTH$} {covers:<COVERAGE_WIDTH$} {time:>7}", "");
        anstream::println!("    {}", line.trim_end());
    } else {
        let line = format!("{what:<SENTENCE_WIDTH$} {covers:<COVERAGE_WIDTH$} {time:>7}");
        anstream::println!("  {style}{sign}{reset} {}", line.trim_end());
    }
}

/// The width of the sentence, in columns.
const SENTENCE_WIDTH: usize = 44;
/// The width of the coverage after the sentence, in columns.
const COVERAGE_WIDTH: usize = 52;

/// Prints a question or a title in bold.
pub(crate) fn question(text: &str) {
    anstream::println!("{}{text}{}", BOLD.render(), BOLD.render_reset());
}

/// Prints a line that belongs to the answer above.
pub(crate) fn detail(text: &str) {
    anstream::println!("      {text}");
}

/// Prints a dimmed line.
pub(crate) fn aside(text: &str) {
    anstream::println!("    {}{text}{}", DIM.render(), DIM.render_reset());
}

/// A number with its noun: `1 state`, `2 states`.
pub(crate) fn many(number: u64, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    }
}

/// A number of bytes as text with a unit. A positive number is never shown as 0.
pub(crate) fn bytes(number: u64) -> String {
    match number {
        0..1_000 => many(number, "byte"),
        1_000..10_000_000 => format!("{} kB", number / 1_000),
        _ => format!("{} MB", number / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!(many(1, "event"), "1 event");
        assert_eq!(many(0, "event"), "0 events");
        assert_eq!(bytes(40), "40 bytes");
        assert_eq!(bytes(1_999), "1 kB");
        assert_eq!(bytes(12_000_000), "12 MB");
    }
}
