//! The lines of a report: a mark, what, what it covers, how long it took.

use anstyle::{AnsiColor, Style};

pub(crate) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Good,
    Bad,
    Unknown,
}

/// Prints a verdict.
pub(crate) fn verdict(mark: Mark, what: &str, covers: &str, seconds: Option<f64>) {
    let (style, sign) = match mark {
        Mark::Good => (GREEN, "✓"),
        Mark::Bad => (RED, "✗"),
        Mark::Unknown => (YELLOW, "?"),
    };
    let time = seconds.map_or(String::new(), |s| format!("{s:.1} s"));
    let (style, reset) = (style.render(), style.render_reset());
    if what.chars().count() > WHAT && !covers.is_empty() {
        anstream::println!("  {style}{sign}{reset} {what}");
        let line = format!("{:WHAT$} {covers:<COVERS$} {time:>7}", "");
        anstream::println!("    {}", line.trim_end());
    } else {
        let line = format!("{what:<WHAT$} {covers:<COVERS$} {time:>7}");
        anstream::println!("  {style}{sign}{reset} {}", line.trim_end());
    }
}

/// Columns for what is said, and for what it covers.
const WHAT: usize = 44;
const COVERS: usize = 52;

/// Prints a question to whoever sits there.
pub(crate) fn question(text: &str) {
    anstream::println!("{}{text}{}", BOLD.render(), BOLD.render_reset());
}

/// Prints something that belongs to the verdict above.
pub(crate) fn detail(text: &str) {
    anstream::println!("      {text}");
}

/// Prints something of less weight.
pub(crate) fn aside(text: &str) {
    anstream::println!("    {}{text}{}", DIM.render(), DIM.render_reset());
}
