//! A run as a story: a line per event, only what changed, and what is wrong at the end.

use crate::story::event::{Line, line};
use crate::story::loop_summary::{mark, refrain, remains};
use crate::story::timed::timed_events;
use crate::words::deadline::{for_ever, moment};
use crate::words::names::{fault_word, joined};
use crate::{Words, error_words};
use machine::{Choice, Event, Init, NodeId, RecordId, RunError, State, Value};
use verdict::{Ending, Explanation, PartVerdict, Run, Waiting};

/// Everything there is to tell of a run.
pub struct Telling<'a> {
    /// What things are called.
    pub words: Words<'a>,
    /// The run.
    pub run: &'a Run,
    /// Its states.
    pub states: &'a [State],
    /// The error in which it ends.
    pub error: Option<&'a RunError>,
    /// Why the claim is false on it.
    pub explanation: Option<&'a Explanation>,
    /// Who waits for what at its end.
    pub waiting: &'a [Waiting],
}

/// The story, a line each, without indentation.
pub fn story(telling: &Telling<'_>) -> Vec<String> {
    told_in_full(telling, false)
}

/// The same with every event, also those of which nothing comes that lasts.
pub fn whole_story(telling: &Telling<'_>) -> Vec<String> {
    told_in_full(telling, true)
}

fn told_in_full(telling: &Telling<'_>, all: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if telling.has_rhythm() {
        lines.extend(timed_events(telling, all));
    } else {
        lines.extend(initial_choices(telling));
        lines.extend(events(telling));
    }
    lines.extend(ending(telling));
    lines
}

/// The story from an event on, a line for each, and its end.
pub fn story_since(telling: &Telling<'_>, event: usize) -> Vec<String> {
    let lines = event_lines(telling);
    let rows: Vec<_> = lines[event..]
        .iter()
        .enumerate()
        .map(|(i, line)| {
            let number = (event + i + 1).to_string();
            let who = line.name(telling.words);
            (number, who, line.what.clone(), effects(line))
        })
        .collect();
    let mut text = columns(&rows);
    text.extend(ending(telling));
    text
}

/// The end of the story in a line or two: what is false, and why.
pub fn digest(telling: &Telling<'_>) -> Vec<String> {
    ending(telling)
}

/// Why nothing can happen any more at the end; nothing if the run does not stand still.
pub(crate) fn standstill(telling: &Telling<'_>) -> Vec<String> {
    if telling.run.ending != Ending::StandsStill {
        return Vec::new();
    }
    let mut lines = vec!["nothing can happen any more".to_string()];
    lines.extend(waits(telling.words, telling));
    lines
}

/// An event of a run in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Who.
    pub node: String,
    /// What happens to it.
    pub what: String,
    /// What it changes, sends and does.
    pub effects: Vec<String>,
}

/// Every event of a run in words, one for each choice.
pub fn told(telling: &Telling<'_>) -> Vec<Told> {
    let lines = event_lines(telling).into_iter();
    lines
        .map(|line| Told {
            node: line.name(telling.words),
            what: line.what,
            effects: line.reads.into_iter().chain(line.effects).collect(),
        })
        .collect()
}

/// What the initial state has that the text does not say.
pub(crate) fn initial_choices(telling: &Telling<'_>) -> Vec<String> {
    let machine = telling.words.machine;
    let mut parts = Vec::new();
    for node in machine.nodes() {
        let vars = machine.vars_of(machine.kind_of(node));
        for (var, value) in vars.zip(&telling.states[0].nodes[node.index()].vars) {
            if !matches!(var.init, Init::Value(..)) {
                let (node, value) = (telling.words.node(node), telling.words.value(value));
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

/// What happens in each event.
pub(crate) fn event_lines(telling: &Telling<'_>) -> Vec<Line> {
    let several = several_senders(telling.words, &telling.run.choices);
    let deeds = telling.deeds();
    let deeds = deeds.iter().enumerate();
    deeds
        .map(|(i, deed)| {
            let choice = &telling.run.choices[i];
            let (before, after) = (&telling.states[i], telling.states.get(i + 1));
            line(telling.place(), &several, choice, (before, after), deed)
        })
        .collect()
}

fn events(telling: &Telling<'_>) -> Vec<String> {
    let words = telling.words;
    let lines = event_lines(telling);
    let mut rows: Vec<(String, String, String, String)> = Vec::new();
    let mut marks: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if telling.run.ending == Ending::Loops(at) {
            marks.push((rows.len(), mark(telling)));
        }
        let together = starting_together(telling, &lines[at..], at);
        if together > 1 {
            let group = &lines[at..at + together];
            let everybody = together == words.machine.node_count() as usize;
            let nodes: Vec<_> = group.iter().filter_map(|l| l.who).collect();
            let who = if everybody {
                "all".to_string()
            } else {
                words.nodes(&nodes)
            };
            let effect = sent_together(words, group);
            rows.push((
                format!("{}-{}", at + 1, at + together),
                who,
                "start".into(),
                effect,
            ));
            at += together;
        } else {
            let line = &lines[at];
            let number = (at + 1).to_string();
            rows.push((number, line.name(words), line.what.clone(), effects(line)));
            at += 1;
        }
    }
    let mut text = columns(&rows);
    for (place, mark) in marks.into_iter().rev() {
        text.insert(place, mark);
    }
    text
}

/// The nodes to which several others send in these events.
pub(crate) fn several_senders<'c>(
    words: Words<'_>,
    choices: impl IntoIterator<Item = &'c Choice>,
) -> Vec<NodeId> {
    let edges = &words.machine.edges;
    let mut used: Vec<(NodeId, NodeId)> = Vec::new();
    for choice in choices {
        if let Event::Deliver(edge, ..) = &choice.event {
            used.push(edges[edge.index()]);
        }
    }
    let nodes = words.machine.nodes();
    nodes
        .filter(|node| {
            let mut senders = used
                .iter()
                .filter(|(_, to)| to == node)
                .map(|(from, _)| from);
            let first = senders.next();
            senders.any(|other| Some(other) != first)
        })
        .collect()
}

/// What several nodes send at once: `→ Election #1, #2 and #3 to nodes 2, 3 and 1`.
fn sent_together(words: Words<'_>, group: &[Line]) -> String {
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
            let sends = sends.iter();
            let sends = sends.map(|(m, to)| format!("→ {} to {}", words.value(m), words.node(*to)));
            let sends: Vec<String> = sends.collect();
            match &sends[..] {
                [first, rest @ ..] if rest.iter().all(|other| other == first) => {
                    format!("{first}, each")
                }
                _ => sends.join(", "),
            }
        }
    }
}

/// What an event changes, then what it sends.
pub(crate) fn effects(line: &Line) -> String {
    let (sends, changes): (Vec<&str>, Vec<&str>) = line
        .effects
        .iter()
        .map(|e| &e[..])
        .partition(|e| e.starts_with('→'));
    let reads = line.reads.clone().unwrap_or_default();
    let parts = [reads, changes.join(", "), sends.join(", ")];
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.map(|part| &part[..]).collect::<Vec<_>>().join("   ")
}

/// How many of the next events are starts that only send: they are told together.
pub(crate) fn starting_together(telling: &Telling<'_>, lines: &[Line], at: usize) -> usize {
    let loop_start = telling.loops().unwrap_or(usize::MAX);
    let plain = |line: &&Line| line.starts && line.sends.len() == line.effects.len();
    let count = lines.iter().take_while(plain).count();
    // An error belongs to a line of its own, and so does the beginning of a loop.
    let count = count.min(telling.states.len() - 1 - at);
    if at < loop_start {
        count.min(loop_start - at)
    } else {
        count
    }
}

fn ending(telling: &Telling<'_>) -> Vec<String> {
    let words = telling.words;
    let mut lines = Vec::new();
    if let Some(error) = telling.error {
        lines.push(format!(
            "here the run ends in an error: {}",
            error_words(words, error, telling.run.choices.last())
        ));
        return lines;
    }
    if let Ending::Error(error) = &telling.run.ending {
        lines.push(format!(
            "here the claim has no value: {}",
            error_words(words, error, None)
        ));
        return lines;
    }
    match telling.run.ending {
        Ending::Loops(_) => lines.extend(refrain(telling)),
        Ending::StandsStill => lines.push("nothing can happen any more".into()),
        Ending::Open | Ending::Error(_) => {}
    }
    lines.extend(
        telling
            .explanation
            .map(|e| explanation(telling, e))
            .into_iter()
            .flatten(),
    );
    lines.extend(remains(telling));
    lines.extend(waits(words, telling));
    lines
}

fn explanation(telling: &Telling<'_>, explanation: &Explanation) -> Vec<String> {
    let words = telling.words;
    let part = words.false_part(&explanation.why);
    let mut lines = Vec::new();
    if let Some(part) = part {
        lines.push(match explanation.verdict {
            PartVerdict::FalseAfter(_) if telling.is_false_throughout() => {
                format!("all the while the claim is false:  {part}")
            }
            PartVerdict::FalseAfter(after) if telling.is_false_again() => {
                let when = when(telling, after);
                format!("{when}, and again in every round, the claim is false:  {part}")
            }
            PartVerdict::FalseAfter(after) if after + 1 == telling.states.len() => {
                format!("here the claim is false:  {part}")
            }
            PartVerdict::FalseAfter(0) => format!("at the start the claim is false:  {part}"),
            PartVerdict::FalseAfter(after) => {
                let when = when(telling, after);
                format!("{when} the claim is false:  {part}")
            }
            PartVerdict::NeverAfter(0) => format!("what never becomes true:  {part}"),
            PartVerdict::NeverAfter(after) if telling.is_timed() => {
                let time = telling.times().text(&telling.time(after - 1));
                format!("what never becomes true after {time}:  {part}")
            }
            PartVerdict::NeverAfter(after) => {
                format!("what never becomes true after event {after}:  {part}")
            }
        });
    }
    let because = words.because_of(&explanation.why, &|fact| {
        let state = || moment(explanation, telling.states);
        for_ever(telling, fact).or_else(|| words.timely_fact(fact, state()?))
    });
    if !because.is_empty() {
        lines.push(because);
    }
    lines
}

/// After so many events, in words.
fn when(telling: &Telling<'_>, after: usize) -> String {
    if telling.is_timed() {
        format!("at {}", telling.times().text(&telling.time(after - 1)))
    } else {
        format!("after event {after}")
    }
}

/// Who waits for what; who waits for the same is told together. Where the explanation names nodes, others
/// that only wait for messages are at rest for all we know.
fn waits(words: Words<'_>, telling: &Telling<'_>) -> Vec<String> {
    let bindings = telling.explanation.iter().flat_map(|e| &e.why.bindings);
    let named: Vec<NodeId> = bindings
        .filter_map(|(_, value)| match value {
            Value::Node(node) => Some(*node),
            _ => None,
        })
        .collect();
    let mut lines = Vec::new();
    let mut for_messages: Vec<(&[RecordId], Vec<NodeId>)> = Vec::new();
    for waiting in telling.waiting {
        match waiting {
            Waiting::ForMessage(node, _) if !named.is_empty() && !named.contains(node) => {}
            Waiting::ForMessage(node, records) if !telling.run.frozen.can_receive(*node) => {
                let fault = telling.run.frozen.fault(*node).map_or("deaf", fault_word);
                let (node, wanted) = (words.node(*node), words.records(records));
                lines.push(format!("{node} is {fault}: {wanted} never reaches it"));
            }
            Waiting::ForMessage(node, records) => {
                match for_messages.iter_mut().find(|(r, _)| r == records) {
                    Some((_, nodes)) => nodes.push(*node),
                    None => for_messages.push((records, vec![*node])),
                }
            }
            Waiting::ForRoom(node, edge, message) => {
                let to = words.node(words.machine.edges[edge.index()].1);
                let (node, message) = (words.node(*node), words.value(message));
                lines.push(format!(
                    "{node} wants to send {message} to {to}, but the channel stays full"
                ));
            }
            Waiting::WithMessage(node, edge, message) => {
                let from = words.node(words.machine.edges[edge.index()].0);
                let (node, message) = (words.node(*node), words.value(message));
                lines.push(format!(
                    "{node} does not take {message} from {from}: no block for it applies"
                ));
            }
        }
    }
    for (records, nodes) in for_messages {
        let one = nodes.len() == 1;
        let wanted = words.records(records);
        let nodes = words.nodes(&nodes);
        // Where nothing was claimed, nobody knows whether they should have got it.
        lines.push(match (telling.explanation.is_some(), one) {
            (true, true) => format!("{nodes} waits for {wanted}, which nobody sends any more"),
            (true, false) => format!("{nodes} wait for {wanted}, which nobody sends any more"),
            (false, true) => format!("{nodes} is at rest and would still take {wanted}"),
            (false, false) => format!("{nodes} are at rest and would still take {wanted}"),
        });
    }
    lines
}

/// Rows with their cells one below the other.
pub(crate) fn columns(rows: &[(String, String, String, String)]) -> Vec<String> {
    let width = |cell: fn(&(String, String, String, String)) -> &String| {
        rows.iter()
            .map(|row| cell(row).chars().count())
            .max()
            .unwrap_or(0)
    };
    let (number, who, what) = (width(|r| &r.0), width(|r| &r.1), width(|r| &r.2));
    let lines = rows.iter().map(|(n, w, t, e)| {
        let line = format!("{n:>number$}  {w:<who$}  {t:<what$}  {e}");
        line.trim_end().to_string()
    });
    lines.collect()
}
