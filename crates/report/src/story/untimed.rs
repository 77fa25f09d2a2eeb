//! The events of a run without times and activations as story lines in columns. Successive starts that only send share
//! a line.

use crate::events::action::Action;
use crate::events::line::{EventLine, PARTS};
use crate::replay::run::ReplayedRun;
use crate::story::loop_summary::loop_mark;
use crate::words::names::{Words, joined};
use machine::{Init, NodeId, Value};
use verdict::Ending;

/// One line with the initial values that the model leaves open; empty if there are none.
pub(crate) fn initial_choices(replay: &ReplayedRun<'_>) -> Vec<String> {
    let machine = replay.words.machine;
    let mut parts = Vec::new();
    for node in machine.nodes() {
        let vars = machine.vars_of(machine.kind_of(node));
        for (var, value) in vars.zip(&replay.states[0].nodes[node.index()].vars) {
            if !matches!(var.init, Init::Value(..)) {
                let (node, value) = (replay.words.node(node), replay.words.value(value));
                parts.push(format!("{node} has {} = {value}", var.name));
            }
        }
    }
    if parts.is_empty() {
        Vec::new()
    } else {
        vec![format!("at first: {}", parts.join(", "))]
    }
}

/// One line for each event or group of starts, and a mark above the loop.
pub(crate) fn untimed_events(replay: &ReplayedRun<'_>) -> Vec<String> {
    let words = replay.words;
    let lines = replay.lines();
    let mut rows: Vec<(String, String, String, String)> = Vec::new();
    let mut marks: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if replay.run.ending == Ending::Loops(at) {
            marks.push((rows.len(), loop_mark(replay)));
        }
        let together = starting_together(replay, at);
        if together > 1 {
            let group = &lines[at..at + together];
            let nodes: Vec<_> = group.iter().filter_map(|l| l.node).collect();
            let names = if together == words.machine.node_count() as usize {
                "all".to_string()
            } else {
                words.nodes(&nodes)
            };
            let effect = sent_together(words, group);
            rows.push((
                format!("{}-{}", at + 1, at + together),
                names,
                "start".into(),
                effect,
            ));
            at += together;
        } else {
            let line = &lines[at];
            let number = (at + 1).to_string();
            rows.push((
                number,
                line.name(words),
                line.action.text(words),
                line.effects_text(words, PARTS),
            ));
            at += 1;
        }
    }
    let mut text = columns(&rows);
    for (place, mark) in marks.into_iter().rev() {
        text.insert(place, mark);
    }
    text
}

/// The messages of several starts in one text: `→ Election #1, #2 and #3 to nodes 2, 3 and 1`.
fn sent_together(words: Words<'_>, group: &[EventLine]) -> String {
    let sends: Vec<_> = group.iter().flat_map(|l| &l.sends).collect();
    let one_field = |m: &Value| match m {
        Value::Record(record, fields) if fields.len() == 1 => {
            Some((*record, words.value(&fields[0])))
        }
        _ => None,
    };
    let values: Option<Vec<_>> = sends.iter().map(|(m, _)| one_field(m)).collect();
    match values.as_deref() {
        Some([(record, first), rest @ ..]) if rest.iter().all(|(r, _)| r == record) => {
            let values: Vec<&str> = std::iter::once(first)
                .chain(rest.iter().map(|(_, v)| v))
                .map(|v| &v[..])
                .collect();
            let nodes: Vec<NodeId> = sends.iter().map(|(_, to)| *to).collect();
            format!(
                "→ {} {} to {}",
                words.records(&[*record]),
                joined(&values, "and"),
                words.nodes(&nodes)
            )
        }
        _ => {
            let same = sends.windows(2).all(|pair| pair[0] == pair[1]);
            let texts = sends.iter();
            let texts = texts.map(|(m, to)| format!("→ {} to {}", words.value(m), words.node(*to)));
            let texts: Vec<String> = texts.collect();
            match &texts[..] {
                [first, ..] if same => format!("{first}, each"),
                _ => texts.join(", "),
            }
        }
    }
}

/// The number of successive events from `at` on that are starts whose only effects are messages. They share a line.
pub(crate) fn starting_together(replay: &ReplayedRun<'_>, at: usize) -> usize {
    let loop_start = replay.loop_start().unwrap_or(usize::MAX);
    let plain =
        |line: &&EventLine| line.action == Action::Starts && line.sends.len() == line.effects.len();
    let count = replay.lines()[at..].iter().take_while(plain).count();
    // An event that is an error and the first event of a loop begin a new line.
    let count = count.min(replay.states.len() - 1 - at);
    if at < loop_start {
        count.min(loop_start - at)
    } else {
        count
    }
}

/// Rows as lines with aligned cells: number, node, action and effects.
pub(crate) fn columns(rows: &[(String, String, String, String)]) -> Vec<String> {
    let width = |cell: fn(&(String, String, String, String)) -> &String| {
        rows.iter()
            .map(|row| cell(row).chars().count())
            .max()
            .unwrap_or(0)
    };
    let (number, name, what) = (width(|r| &r.0), width(|r| &r.1), width(|r| &r.2));
    let lines = rows.iter().map(|(n, w, t, e)| {
        let line = format!("{n:>number$}  {w:<name$}  {t:<what$}  {e}");
        line.trim_end().to_string()
    });
    lines.collect()
}
