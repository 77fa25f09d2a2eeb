//! Formats rates and sizes as lines for the terminal and as a page.

use super::rows::Search;
use super::{Found, LEAST_SECONDS, LEAST_STATES, NAME, Row, TITLE};
use std::fmt::Write;

/// The line for a search, with ratios to the search of this tool (`ours`) on the same instance.
pub(crate) fn line(row: &Row, ours: &Row) -> String {
    let mark = if row.as_expected() { ' ' } else { '!' };
    let measured = &row.measured;
    format!(
        "{mark} {:<23}{:>9} states {:>9} transitions {:>7.2} s {:>7.2} s wall {:>12} {:>8}  {:>10} {:>8}  process {:>5}, reported {:>5}",
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
             Measured on: {host}. {}. Each figure is the median of {} runs; the tools run in turn. CPU: user and system seconds of all threads of the process; wall: elapsed seconds.\n\n\
             ![Rates and sizes]({NAME}.svg)\n\n",
            self.versions.join("; "),
            self.runs,
        );
        for (name, why) in &self.missing {
            let why = why.lines().next().unwrap_or_default();
            writeln!(page, "{name} is left out: {why}\n").expect("text");
        }
        page.push_str(
            "| instance | search | states | transitions | CPU | wall | ratio | transitions per CPU second | ratio | \
             bytes per state | ratio | measured for the process | reported by the tool |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
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
        page.push_str("\nOptions of the tools:\n\n");
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
            "\nRates are omitted for runs below {LEAST_SECONDS} s, sizes for runs below {LEAST_STATES} states."
        )
        .expect("text");
        page
    }
}

const ABOUT: &str = "\
Two election algorithms on rings whose channels hold one message, with one order of ids for each size. The models for
Spin and stateright in `bench/peers` belong to this project. Their states and transitions correspond one to one to those
of the models of Scrutineer, and every search without reductions must find the same numbers; so the rates of all tools
count the same transitions. Each column `ratio` compares the figure to its left with that of Scrutineer on one thread.

Bytes per state are the larger of two figures: the peak memory of the process, less its peak memory on a ring of two
nodes; and the memory for states that the tool reports, which for Spin is that of the states and the hash table.
Stateright stores a hash of 64 bits instead of each state, so it may miss states. Partial-order reduction in Spin has
little effect on these models, because one step receives a message, tests whether the outgoing channel has room, and
sends another message.
";

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".into(), |value| format!("{value:.digits$}"))
}

fn times(value: Option<f64>, ours: Option<f64>) -> String {
    let ratio = value.zip(ours).map(|(value, ours)| value / ours);
    number(ratio, 2)
}
