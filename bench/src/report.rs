//! Formats figures as lines for the terminal and as a page.

use crate::measure::Asked;
use crate::tables::{Figure, Row, Table};
use std::fmt::Write;

/// The line for a question.
pub(crate) fn line(row: &Row, asked: &Asked) -> String {
    let mark = if asked.as_expected { ' ' } else { '!' };
    format!(
        "{mark} {:<58} {:<12} {:>9} {:>8}  {}",
        row.about,
        asked.answer,
        seconds(asked.cpu_seconds),
        format!("{:.0} MB", asked.megabytes),
        beside(row, asked)
    )
}

/// The page of a table, in Markdown.
pub(crate) fn page(table: &Table, host: &str, rows: &[(&Row, Asked)]) -> String {
    let mut page = format!(
        "<!-- Written by `cargo run --release -p bench -- {name}`. -->\n# {title}\n\n{about}\n\n\
         Measured on: {host}. CPU: user and system seconds of one process; memory: its peak resident size.\n\n\
         | question | check | answer | CPU | memory | method | other tools | ratio |\n|---|---|---|---|---|---|---|---|\n",
        name = table.name,
        title = table.title,
        about = table.about,
    );
    for (row, asked) in rows {
        let there = row.figures.iter().map(Figure::words).collect::<Vec<_>>();
        let as_expected = if asked.as_expected {
            ""
        } else {
            " (not as expected)"
        };
        writeln!(
            page,
            "| {} | `{}` | {}{as_expected} | {} | {:.0} MB | {} | {} | {} |",
            row.about,
            row.check,
            asked.answer,
            seconds(asked.cpu_seconds),
            asked.megabytes,
            asked.method,
            there.join("; "),
            beside(row, asked),
        )
        .expect("text");
    }
    page
}

/// The time of each other tool, as a multiple of the CPU time measured here.
fn beside(row: &Row, asked: &Asked) -> String {
    let grain = asked.cpu_seconds.max(0.01);
    let ratio = |figure: &Figure| {
        let more = if figure.at_least { "more than " } else { "" };
        let by = figure.seconds / grain;
        let by = match by {
            by if by >= 100.0 => format!("{:.0}", by),
            by => format!("{by:.1}"),
        };
        format!("{} took {more}{by} times as long", figure.by)
    };
    let all: Vec<String> = row.figures.iter().map(ratio).collect();
    all.join("; ")
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

impl Figure {
    fn words(&self) -> String {
        let more = if self.at_least { "over " } else { "" };
        format!("{}: {more}{} s", self.by, self.seconds)
    }
}
