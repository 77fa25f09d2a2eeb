//! Formats the measurements of limits as lines for the terminal and as a page.

use super::{End, LIMIT, MEMORY, MOST, MOST_MEMORY, Measured};
use std::fmt::Write;

/// The line for a row.
pub(super) fn line(measured: &Measured) -> String {
    let mark = if measured.is_as_expected() { ' ' } else { '!' };
    format!(
        "{mark} {:<40} {:<20} {:>8} {:>8} {:>8} {:>10}",
        measured.row.phase,
        measured.row.engine,
        time(measured),
        end(measured.interrupt),
        end(measured.terminate),
        memory(measured),
    )
}

/// The page, in Markdown.
pub(super) fn page(all: &[Measured], host: &str) -> String {
    let limit = LIMIT.as_secs();
    let mut page = format!(
        "<!-- Written by `cargo run --release -p bench -- {}`. -->\n# {}\n\n\
         Every call takes from minutes to centuries, because of the phase in the first column. It is made with `--time {limit}`, and \
         without a limit and with SIGINT and SIGTERM after {limit} s: the columns are the wall-clock time from the limit or the signal to the end of \
         the process, output and stored files included. None may be over {} s. *ended* is a call that was done before. With \
         `--memory {}MB`, the last column is the peak of the resident memory, without that of a call that does nothing, beyond the limit; at most {MOST_MEMORY:.0} % are \
         allowed, and less than nothing is a phase that does not reach the limit. If a figure is over its limit, the least of three measurements \
         counts.\n\nHere: {host}.\n\n\
         | phase | engine | call | `--time` | SIGINT | SIGTERM | memory |\n|---|---|---|---|---|---|---|\n",
        super::NAME,
        super::TITLE,
        MOST.as_secs(),
        MEMORY / 1_000_000,
    );
    for measured in all {
        let mark = if measured.is_as_expected() {
            ""
        } else {
            " (over)"
        };
        writeln!(
            page,
            "| {}{mark} | {} | `{}` | {} | {} | {} | {} |",
            measured.row.phase,
            measured.row.engine,
            measured.row.text(),
            time(measured),
            end(measured.interrupt),
            end(measured.terminate),
            memory(measured),
        )
        .expect("text");
    }
    let late = all.iter().flat_map(|m| [m.time, m.interrupt, m.terminate]);
    let late = late.filter_map(|end| match end {
        End::Late(late) => Some(late),
        _ => None,
    });
    if let Some(most) = late.max() {
        writeln!(page, "\nThe longest: {:.2} s.", most.as_secs_f64()).expect("text");
    }
    page
}

fn time(measured: &Measured) -> String {
    match measured.row.has_limits() {
        true => end(measured.time),
        false => "–".into(),
    }
}

fn end(end: End) -> String {
    match end {
        End::Before => "ended".into(),
        End::Late(late) => format!("{:.2} s", late.as_secs_f64()),
        End::Killed => "killed".into(),
    }
}

fn memory(measured: &Measured) -> String {
    match measured.memory {
        None => "–".into(),
        Some(memory) if memory.reached => format!("{:+.0} %", memory.overshoot()),
        Some(memory) => format!("{:+.0} %, not reached", memory.overshoot()),
    }
}
