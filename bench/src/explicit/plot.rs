//! Draws rates and sizes as a bar chart: one row per contender, for the largest instance of each protocol.

use super::{Found, Row};
use std::fmt::Write;

const WIDTH: f64 = 1180.0;
const MARGIN: f64 = 20.0;
/// The width of the names of contenders, in pixels.
const NAMES: f64 = 160.0;
/// The width of the figure beside a bar, in pixels.
const FIGURES: f64 = 92.0;
const BAR: f64 = 16.0;
const GAP: f64 = 8.0;
const HEAD: f64 = 46.0;

/// A quantity that is drawn as a column of bars.
struct Column {
    title: &'static str,
    value: fn(&Row) -> Option<f64>,
    words: fn(f64) -> String,
}

const COLUMNS: [Column; 3] = [
    Column {
        title: "transitions per CPU second (more is better)",
        value: Row::rate,
        words: |rate| format!("{:.2} million", rate / 1e6),
    },
    Column {
        title: "bytes per state (less is better)",
        value: Row::bytes,
        words: |bytes| format!("{bytes:.0}"),
    },
    Column {
        title: "states visited (less is better)",
        value: |row| Some(row.measured.states as f64),
        words: |states| format!("{states:.0}"),
    },
];

impl Found {
    /// The chart as SVG.
    pub(crate) fn plot(&self) -> String {
        let mut body = String::new();
        let mut y = MARGIN;
        for group in self.largest() {
            y = draw(&mut body, &group, y) + GAP;
        }
        let height = y + MARGIN - GAP;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"what\">\n\
             <title id=\"what\">Rates, bytes per state and states of explicit searches</title>\n{STYLE}\n\
             <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n{body}</svg>\n"
        )
    }

    /// For each protocol: the rows of the largest instance that peers search.
    fn largest(&self) -> Vec<Vec<&Row>> {
        let mut groups: Vec<Vec<&Row>> = Vec::new();
        for row in self.rows.iter().filter(|row| row.instance.peers) {
            match groups.last_mut() {
                Some(group) if std::ptr::eq(group[0].instance, row.instance) => group.push(row),
                Some(group) if group[0].instance.protocol.name == row.instance.protocol.name => {
                    *group = vec![row];
                }
                _ => groups.push(vec![row]),
            }
        }
        groups
    }
}

const STYLE: &str = "<style>\
text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#1f2328}\
.head{font-weight:700}.pale{fill:#57606a}.paper{fill:#ffffff}.bar{fill:#8c9bb0}.ours{fill:#1f6feb}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.pale{fill:#9198a1}.paper{fill:#0d1117}.bar{fill:#59677c}.ours{fill:#4493f8}}\
</style>";

/// Draws the bars of an instance at height `top`. Returns the height below them.
fn draw(body: &mut String, rows: &[&Row], top: f64) -> f64 {
    let title = rows[0].instance.title();
    let states = rows[0].instance.states;
    text(
        body,
        MARGIN,
        top + 13.0,
        "head",
        &format!("{title}: {states} states"),
    );
    let width = (WIDTH - 2.0 * MARGIN - NAMES - GAP) / COLUMNS.len() as f64;
    for (number, column) in COLUMNS.iter().enumerate() {
        let left = MARGIN + NAMES + number as f64 * (width + GAP);
        text(body, left, top + 34.0, "pale", column.title);
        let values = rows.iter().filter_map(|row| (column.value)(row));
        let most = values.fold(0.0, f64::max);
        for (place, row) in rows.iter().enumerate() {
            let y = top + HEAD + place as f64 * (BAR + GAP);
            if number == 0 {
                text(body, MARGIN, y + 12.5, "", row.contender.name);
            }
            let Some(value) = (column.value)(row) else {
                text(body, left, y + 12.5, "pale", "–");
                continue;
            };
            let class = if place == 0 { "ours" } else { "bar" };
            let length = (width - FIGURES - GAP) * (value / most).clamp(0.0, 1.0);
            writeln!(
                body,
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{BAR}\" rx=\"2\"/>"
            )
            .expect("text");
            let words = (column.words)(value);
            text(body, left + length + 5.0, y + 12.5, "", &words);
        }
    }
    top + HEAD + rows.len() as f64 * (BAR + GAP)
}

fn text(body: &mut String, x: f64, y: f64, class: &str, words: &str) {
    writeln!(
        body,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>"
    )
    .expect("text");
}
