//! Formats rates and sizes as lines for the terminal and as a page.

use super::rows::Search;
use super::{Found, LEAST_SECONDS, LEAST_STATES, NAME, Row, TITLE};
use std::fmt::Write;

/// The line for a search, with ratios to the search of this tool (`ours`) on the same instance.
pub(crate) fn line(row: &Row, ours: &Row) -> String {
    let mark = if row.as_expected() { ' ' } else { '!' };
    let measured = &row.measured;
    format!(
        "{mark} {:<23}{:>9} states {:>9} transitions {:>7.2} s {:>7.2} s wall {:>12} {:>8}  {:>10} {:>8}  process {:>5}, told {:>5}",
        row.contender.name,
        measured.states,
        measured.transitions,
        measured.cpu_seconds,
        measured.wall_seconds,
        number(row.rate(), 0) + "/s",
        times(row.rate(), ours.rate()),
        number(row.bytes(), 0) + " B/state",
        times(row.bytes(), ours.bytes()),
        number(row.process_bytes(), 0),
        number(row.reported_bytes(), 0),
    )
}

impl Found {
    /// The page in Markdown.
    pub(crate) fn page(&self, host: &str) -> String {
        let mut page = format!(
            "<!-- Written by `cargo run --release -p bench -- {NAME}`. -->\n# {TITLE}\n\n{ABOUT}\n\
             Here: {host}. {}. Medians of {} runs by turns; CPU seconds of one process, user and system, all threads together; seconds on the wall are what threads are for.\n\n\
             ![Rates and sizes]({NAME}.svg)\n\n",
            self.versions.join("; "),
            self.runs,
        );
        for (name, why) in &self.missing {
            let why = why.lines().next().unwrap_or_default();
            writeln!(page, "{name} is left out: {why}\n").expect("text");
        }
        page.push_str(
            "| instance | search | states | transitions | CPU | wall | times ours | transitions per CPU second | times ours | \
             bytes per state | times ours | of the process | as it says itself |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let same = |ours: &&Row| std::ptr::eq(ours.instance, row.instance);
            let ours = self.rows.iter().find(same).expect("the row itself");
            let mark = match row.as_expected() {
                true => "",
                false => " (not as expected)",
            };
            writeln!(
                page,
                "| {} | {}{mark} | {} | {} | {:.2} s | {:.2} s | {} | {} | {} | {} | {} | {} | {} |",
                row.instance.title(),
                row.contender.name,
                row.measured.states,
                row.measured.transitions,
                row.measured.cpu_seconds,
                row.measured.wall_seconds,
                times(row.wall(), ours.wall()),
                number(row.rate(), 0),
                times(row.rate(), ours.rate()),
                number(row.bytes(), 0),
                times(row.bytes(), ours.bytes()),
                number(row.process_bytes(), 0),
                number(row.reported_bytes(), 0),
            )
            .expect("text");
        }
        page.push_str("\nHow they were called:\n\n");
        for contender in super::CONTENDERS {
            let how = match contender.search {
                Search::Scrutineer { options } => format!("`check {}`", options.join(" ")),
                Search::Spin { compiled } => format!("`gcc {}`", compiled.join(" ")),
                Search::Stateright { threads } => format!("breadth first, threads: {threads}"),
            };
            writeln!(page, "- {}: {how}", contender.name).expect("text");
        }
        writeln!(
            page,
            "\nRates are left out below {LEAST_SECONDS} s, sizes below {LEAST_STATES} states."
        )
        .expect("text");
        page
    }
}

const ABOUT: &str = "\
Two elections on rings, with channels for one message, and one order of ids for each size. The texts for Spin and for
stateright are our own, in `bench/peers`: their states and transitions are those of our models, one for one, and every search
that does not reduce must find exactly as many. So a transition means the same for everybody.

Bytes per state are the larger of two figures: the most memory of the process, less what it takes for a ring of two; and what
the search says of itself, for Spin its states and its table. Stateright keeps 64 bits of each state instead of the state, so
it may miss one. Partial-order reduction by Spin gains little where a step takes a message, sends another and looks whether
there is room.
";

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".into(), |value| format!("{value:.digits$}"))
}

fn times(value: Option<f64>, ours: Option<f64>) -> String {
    let ratio = value.zip(ours).map(|(value, ours)| value / ours);
    number(ratio, 2)
}
