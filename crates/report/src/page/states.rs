//! The states of a run on a page: the rows of the state panel, and their values at each step.

use crate::draw::measure::width;
use crate::draw::write::escaped;
use crate::replay::run::ReplayedRun;
use crate::words::names::{Words, fault_word};
use crate::words::timers::{expires, timer_name, under_way};
use machine::{Mode, NodeId, NodeState, State, Value};

/// Font size in the panel, in pixels.
const TEXT: f64 = 14.0;
/// Line height in the panel, in pixels.
const LINE: f64 = 20.0;
/// The smallest width of the column of values, in pixels.
const COLUMN: f64 = 112.0;
/// The largest number of lines for which a cell reserves space.
const MOST_LINES: f64 = 6.0;

/// A row of the state panel.
struct StateRow {
    /// The node whose state the row shows; `None` if the row shows a channel.
    node: Option<NodeId>,
    /// The heading above the row: the name of the node, or the common heading of all channels.
    group: String,
    /// The name below the heading: a variable, timer, box or channel. Empty in the row of the node's mode.
    name: String,
}

/// All states of a run as texts.
pub(crate) struct States {
    rows: Vec<StateRow>,
    /// The text of each cell, indexed by step, then by row.
    pub(crate) values: Vec<Vec<String>>,
}

impl States {
    pub(crate) fn of(replay: &ReplayedRun<'_>) -> States {
        let mut rows = Vec::new();
        let mut columns: Vec<Vec<String>> = Vec::new();
        let words = replay.words;
        let mut add = |node: Option<NodeId>, name: &str, of: &dyn Fn(&State) -> String| {
            rows.push(StateRow {
                node,
                group: node.map_or("on the way".into(), |node| words.node(node)),
                name: name.to_string(),
            });
            columns.push(replay.states.iter().map(of).collect());
        };
        let machine = words.machine;
        let list = |values: &mut dyn Iterator<Item = &Value>| {
            let texts: Vec<String> = values.map(|v| words.value(v)).collect();
            if texts.is_empty() {
                "empty".to_string()
            } else {
                texts.join(", ")
            }
        };
        for node in machine.nodes() {
            let (n, group) = (node.index(), Some(node));
            let fault = replay.run.frozen.fault(node).map(fault_word);
            add(group, "", &|s| match (s.nodes[n].mode, fault) {
                (Mode::Running, Some(fault)) => format!("runs, {fault}"),
                (other, _) => mode(other).into(),
            });
            let vars = machine.vars_of(machine.kind_of(node)).enumerate();
            for (place, var) in vars {
                add(group, &var.name, &|s| words.value(&s.nodes[n].vars[place]));
            }
            for place in 0..machine.timer_places(machine.kind_of(node)) {
                let set = |s: &State| s.nodes[n].timers[place];
                if replay.states.iter().any(set) {
                    let name = format!("timer {}", timer_name(words, node, place));
                    add(group, &name, &|s| {
                        expires(words, s, node, place).unwrap_or_else(|| "–".into())
                    });
                }
            }
            if replay.states.iter().any(|s| !s.nodes[n].inbox.is_empty()) {
                add(group, "inbox", &|s| inbox(words, &s.nodes[n]));
            }
            if replay.states.iter().any(|s| !s.nodes[n].outbox.is_empty()) {
                add(group, "outbox", &|s| {
                    list(&mut s.nodes[n].outbox.iter().map(|o| &o.message))
                });
            }
        }
        for (e, (from, to)) in machine.edges.iter().enumerate() {
            if replay.states.iter().any(|s| !s.edges[e].is_empty()) {
                let short = match (words.number(*from), words.number(*to)) {
                    (Some(_), Some(number)) => number,
                    _ => words.node(*to),
                };
                let name = format!("{} → {short}", words.node(*from));
                add(None, &name, &|s| channel(words, s, e));
            }
        }
        let values = (0..replay.states.len())
            .map(|step| columns.iter().map(|c| c[step].clone()).collect())
            .collect();
        States { rows, values }
    }

    /// The panel that the script fills: an empty cell for each row. `data-row` is the index of the row.
    pub(crate) fn panel(&self) -> String {
        let mut out = String::from(
            "<div class=\"scroll live\" tabindex=\"0\" role=\"group\" aria-label=\"State at this step\" hidden>\n\
             <table class=\"now\">\n",
        );
        let mut group = None;
        for (i, row) in self.rows.iter().enumerate() {
            if group != Some(row.node) {
                group = Some(row.node);
                let own = row.node.is_some();
                let value = if own {
                    self.cell(i)
                } else {
                    "<td></td>".into()
                };
                out += &format!(
                    "<tr class=\"group\"><th scope=\"row\">{}</th>{value}</tr>\n",
                    escaped(&row.group)
                );
                if own {
                    continue;
                }
            }
            out += &format!(
                "<tr><th scope=\"row\">{}</th>{}</tr>\n",
                escaped(&row.name),
                self.cell(i)
            );
        }
        out + "</table>\n</div>\n"
    }

    /// The empty cell of a row. It is high enough for the longest value in any step, so that rows do not move.
    fn cell(&self, row: usize) -> String {
        let values = self.values.iter().map(|values| &values[row]);
        let widest = values.map(|v| width(v, TEXT, true)).fold(0.0, f64::max);
        let lines = (widest / COLUMN).ceil().clamp(1.0, MOST_LINES);
        let height = 4.0 + LINE * lines;
        format!("<td data-row=\"{row}\" style=\"height:{height}px\"></td>")
    }

    /// All states in one table, for browsers without scripts. Changed values are bold and have a bullet. `sentences`
    /// has the sentence of each event.
    pub(crate) fn table(&self, sentences: &[String]) -> String {
        let mut out =
            String::from("<details class=\"all\">\n<summary>all states</summary>\n<table>\n");
        for (step, values) in self.values.iter().enumerate() {
            let what = match step.checked_sub(1) {
                Some(event) => &sentences[event],
                None => "the initial state",
            };
            out += &format!(
                "<tbody id=\"step={step}\"><tr><th colspan=\"3\" scope=\"rowgroup\">{step}: {}</th></tr>\n",
                escaped(what)
            );
            for (i, (row, value)) in self.rows.iter().zip(values).enumerate() {
                let changed = step > 0 && self.values[step - 1][i] != *value;
                let (open, close) = if changed {
                    ("<b>• ", "</b>")
                } else {
                    ("", "")
                };
                out += &format!(
                    "<tr><td>{}</td><td>{}</td><td>{open}{}{close}</td></tr>\n",
                    escaped(&row.group),
                    escaped(&row.name),
                    escaped(value)
                );
            }
            out += "</tbody>\n";
        }
        out + "</table>\n</details>\n"
    }
}

/// The messages in flight on an edge. If the state has a clock, each has the time since it was sent.
fn channel(words: Words<'_>, state: &State, edge: usize) -> String {
    let mut texts: Vec<String> = state.edges[edge].iter().map(|m| words.value(m)).collect();
    for (text, since) in texts.iter_mut().zip(under_way(words, state, edge)) {
        *text += &format!(" ({since})");
    }
    match texts.is_empty() {
        true => "empty".into(),
        false => texts.join(", "),
    }
}

/// The entries of an inbox, with their senders.
fn inbox(words: Words<'_>, node: &NodeState) -> String {
    let entries = node.inbox.iter();
    let entries: Vec<String> = entries
        .map(|(from, message)| format!("{} from {}", words.value(message), words.node(*from)))
        .collect();
    if entries.is_empty() {
        "–".into()
    } else {
        entries.join(", ")
    }
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Waiting => "not started",
        Mode::Running => "runs",
        Mode::Halted => "has halted",
        Mode::Off => "off",
        Mode::Crashed => "has crashed",
        Mode::Stopped => "has stopped",
    }
}
