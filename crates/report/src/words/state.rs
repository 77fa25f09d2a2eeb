//! A state in words, with ghost variables of the model, and which of its lines differ from an earlier state.

use crate::words::names::{Words, is_declared};
use crate::words::timers::{expires, timer_name, under_way};
use machine::{EdgeId, Mode, NodeId, State, Value};

/// A state in words: one line for each node and one for each channel that is not empty.
pub fn state(words: Words<'_>, state: &State) -> Vec<String> {
    let nodes = words.machine.nodes().map(|n| node(words, state, n));
    let channels = edges(words).filter_map(|e| channel(words, state, e));
    nodes.chain(channels).collect()
}

/// The lines of the [`state`] `after`, and a line for each channel that has become empty. The Boolean says whether the
/// line differs from the state `before`.
pub fn state_after(words: Words<'_>, before: &State, after: &State) -> Vec<(bool, String)> {
    let nodes = words.machine.nodes().map(|n| {
        let line = node(words, after, n);
        (line != node(words, before, n), line)
    });
    let channels = edges(words).filter_map(|e| {
        let (old, new) = (channel(words, before, e), channel(words, after, e));
        let changed = old != new;
        match (old, new) {
            (_, Some(line)) => Some((changed, line)),
            (Some(_), None) => Some((true, format!("{}: nothing any more", way(words, e)))),
            (None, None) => None,
        }
    });
    nodes.chain(channels).collect()
}

fn edges(words: Words<'_>) -> impl Iterator<Item = EdgeId> + use<> {
    (0..words.machine.edges.len() as u32).map(EdgeId)
}

fn node(words: Words<'_>, state: &State, node: NodeId) -> String {
    let machine = words.machine;
    let part = &state.nodes[node.index()];
    let mut facts = Vec::new();
    match part.mode {
        Mode::Waiting => facts.push("not started".to_string()),
        Mode::Running => {}
        Mode::Halted => facts.push("halted".to_string()),
        Mode::Off => facts.push("off".to_string()),
        Mode::Crashed => facts.push("crashed".to_string()),
        Mode::Stopped => facts.push("stopped".to_string()),
    }
    let vars = machine.vars_of(machine.kind_of(node)).zip(&part.vars);
    let vars = vars.filter(|(var, _)| is_declared(var));
    facts.extend(vars.map(|(var, value)| format!("{} = {}", var.name, words.value(value))));
    let timers = (0..part.timers.len()).filter_map(|place| {
        let expires = expires(words, state, node, place)?;
        Some(format!(
            "timer {} expires {expires}",
            timer_name(words, node, place)
        ))
    });
    facts.extend(timers);
    if !part.inbox.is_empty() {
        let inbox = part.inbox.iter();
        let inbox: Vec<String> = inbox
            .map(|(from, m)| format!("{} from {}", words.value(m), words.node(*from)))
            .collect();
        facts.push(format!("inbox: {}", inbox.join(", ")));
    }
    if !part.outbox.is_empty() {
        let waiting: Vec<String> = part
            .outbox
            .iter()
            .map(|o| words.value(&o.message))
            .collect();
        facts.push(format!("wants to send {}", waiting.join(", ")));
    }
    if facts.is_empty() {
        facts.push("running".to_string());
    }
    format!("{}: {}", words.node(node), facts.join(", "))
}

fn channel(words: Words<'_>, state: &State, edge: EdgeId) -> Option<String> {
    let messages = &state.edges[edge.index()];
    if messages.is_empty() {
        return None;
    }
    let mut texts: Vec<String> = messages.iter().map(|m| words.value(m)).collect();
    for (text, since) in texts.iter_mut().zip(under_way(words, state, edge.index())) {
        *text += &format!(" ({since})");
    }
    Some(format!("{}: {}", way(words, edge), texts.join(", ")))
}

fn way(words: Words<'_>, edge: EdgeId) -> String {
    let (from, to) = words.machine.edges[edge.index()];
    let (from, to) = (words.node(from), words.node(to));
    format!("on the way from {from} to {to}")
}

/// The value of a display variable in words, such as `Leader`, `voted` or `not voted`.
pub(crate) fn state_word(words: Words<'_>, node: NodeId, place: usize, value: &Value) -> String {
    let machine = words.machine;
    let mut vars = machine.vars_of(machine.kind_of(node));
    let name = vars.nth(place).map_or("", |var| &var.name);
    match value {
        Value::Bool(true) => name.to_string(),
        Value::Bool(false) => format!("not {name}"),
        Value::None => format!("no {name}"),
        Value::Some(inner) => format!("{name} {}", words.value(inner)),
        Value::Int(_) => format!("{name} {}", words.value(value)),
        other => words.value(other),
    }
}
