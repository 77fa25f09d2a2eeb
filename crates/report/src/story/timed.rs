//! The events of a run with times or activations as story lines: time, node, and what the node reads, changes and
//! sends. Events that do not matter are left out or folded into one line.

use crate::events::effect::{Effect, sends};
use crate::events::line::{EventLine, PARTS};
use crate::events::step::activated;
use crate::replay::claims::claim_vars;
use crate::replay::messages::Flight;
use crate::replay::run::ReplayedRun;
use crate::story::loop_summary::loop_mark;
use crate::words::names::{fault_word, joined};
use crate::words::state::state_word;
use crate::words::times::Times;
use machine::{Channel, Event, Fault, Init, NodeId, RecordId, Value};
use rational::Rational;
use std::collections::BTreeSet;
use verdict::Ending;

/// The smallest number of successive unlisted events that are folded into one line.
const FOLDED: usize = 3;

/// The same for an event-driven run. A shorter sequence of unlisted events has no line.
const FOLDED_EVENT_DRIVEN: usize = 12;

/// One line of the story before its cells are aligned.
struct Row {
    when: When,
    name: String,
    what: String,
    effects: String,
}

enum When {
    At(Rational),
    /// A text in the column of times.
    Words(String),
}

impl Row {
    /// A row with one text instead of cells.
    fn text(when: When, text: String) -> Row {
        Row {
            when,
            name: text,
            what: String::new(),
            effects: String::new(),
        }
    }
}

/// One line for the initial state and one for each listed event. With `all`, every event is listed.
pub(crate) fn timed_events(replay: &ReplayedRun<'_>, all: bool) -> Vec<String> {
    let cause = replay.cause();
    let event_driven = cause.transient.is_some();
    let lines = replay.lines();
    let ticking = cause.transient.clone();
    let ticking = ticking.unwrap_or_else(|| ticking_vars(replay));
    let mut rows = vec![Row::text(When::Words("start".into()), start(replay))];
    // If a run is not event-driven and has neither a violated claim nor an error, its story lists every event with an
    // effect other than messages and changes of ticking variables.
    let plain = replay.is_plain() && !event_driven;
    let eventful = |line: &EventLine| plain && changes(line, &ticking).next().is_some();
    let listed: Vec<bool> = (0..lines.len())
        .map(|i| is_listed(replay, i) || eventful(&lines[i]))
        .collect();
    let unlisted = listed.iter().filter(|listed| !**listed).count();
    let listed = match all || event_driven && unlisted < FOLDED {
        true => vec![true; lines.len()],
        false => listed,
    };
    // With `all`, and in an event-driven run of which more than three quarters are listed, rows also list the changes
    // of ticking variables.
    let ticking = match all || event_driven && unlisted * 4 < lines.len() {
        true => Vec::new(),
        false => ticking,
    };
    if event_driven && listed.contains(&false) {
        rows.push(left_out(replay, &listed));
    }
    let mut at = 0;
    let mut above = None;
    while at < lines.len() {
        if replay.run.ending == Ending::Loops(at) {
            rows.push(Row::text(When::Words(String::new()), loop_mark(replay)));
            above = None;
        }
        let left_out = (at..lines.len())
            .take_while(|i| !listed[*i] && (*i == at || replay.run.ending != Ending::Loops(*i)))
            .count();
        if event_driven && (1..FOLDED_EVENT_DRIVEN).contains(&left_out) {
            // The row from `left_out` at the start counts these events.
            at += left_out;
        } else if left_out >= FOLDED {
            rows.push(fold(replay, &lines[at..at + left_out], at));
            at += left_out;
            above = None;
        } else {
            let place = Listing {
                event: at,
                above,
                listed: &listed,
                all,
            };
            rows.push(row(replay, &lines[at], place, &ticking));
            above = Some(at);
            at += 1;
        }
    }
    columns(replay.times(), &rows)
}

/// Whether an event is listed: it matters or changes a display variable.
fn is_listed(replay: &ReplayedRun<'_>, i: usize) -> bool {
    let cause = replay.cause();
    // If the claim is false in every iteration of the loop, changes before the loop are not listed for their own sake.
    let before_loop = replay.is_false_again() && replay.loop_start().is_some_and(|from| i < from);
    cause.matters[i] || !before_loop && !cause.changed(replay, i).is_empty()
}

/// The effects of an event except messages and changes of ticking variables.
fn changes<'l>(
    line: &'l EventLine,
    ticking: &'l [(NodeId, usize)],
) -> impl Iterator<Item = &'l Effect> {
    let effects = line.effects.iter().filter(|effect| !effect.is_send());
    effects.filter(|effect| match effect {
        Effect::Change(change) => !ticking.contains(&(change.node, change.place)),
        _ => true,
    })
}

/// Where a row is in the story, and which events are listed.
struct Listing<'t> {
    event: usize,
    /// The event of the previous event row; `None` at the start and after folded events.
    above: Option<usize>,
    /// By event: whether it is listed. Unlisted events have a row if there are too few to fold.
    listed: &'t [bool],
    /// Whether every event is listed with all its effects.
    all: bool,
}

/// The row of an event.
fn row(
    replay: &ReplayedRun<'_>,
    line: &EventLine,
    place: Listing<'_>,
    ticking: &[(NodeId, usize)],
) -> Row {
    let cause = replay.cause();
    let (i, above, listed) = (place.event, place.above, place.listed[place.event]);
    let words = replay.words;
    // If the event violates the claim and there is no silence, the change of a ticking variable may be the cause.
    let breaks = cause.failing_event == Some(i) && cause.silences.is_empty();
    let ticking = match breaks && changes(line, ticking).next().is_some() {
        true => &[],
        false => ticking,
    };
    let changes = changes(line, ticking).map(|effect| effect.text(words));
    let changes: Vec<String> = changes.collect();
    let sends = row_sends(replay, line, &place);
    let again = replay.is_false_again();
    let over = cause.failing_event.is_some_and(|fails| i > fails) && !again;
    let reads = line.reads.as_ref().filter(|_| listed && !over);
    let reads = reads.map(|reads| reads.text(words));
    let fails = again && cause.failing_event == Some(i) && !replay.is_false_throughout();
    let fails = fails.then(|| "here the claim is false".to_string());
    let parts = reads.into_iter().chain(changes).chain(sends).chain(fails);
    let parts: Vec<String> = parts.collect();
    let same = above.filter(|_| replay.is_timed());
    let same = same.is_some_and(|above| replay.time(i) == replay.time(above));
    let when = match (&replay.run.choices[i].time, same) {
        (Some(_), true) => When::Words("same instant".into()),
        (Some(time), false) => When::At(time.clone()),
        (None, _) => When::Words((i + 1).to_string()),
    };
    let Some(node) = line.node else {
        let text = match replay.states.get(i + 1) {
            Some(_) => format!("nothing happens until here{}", awaited(replay, i)),
            None => line.action.text(words),
        };
        return Row::text(when, text);
    };
    Row {
        when,
        name: words.node(node),
        what: line.action.text(words),
        effects: parts.join(PARTS),
    }
}

/// The messages sent in the row of an event. On an instant channel and in an event-driven run these are only the
/// messages that matter or whose arrival is listed.
fn row_sends(replay: &ReplayedRun<'_>, line: &EventLine, place: &Listing<'_>) -> Vec<String> {
    let words = replay.words;
    let cause = replay.cause();
    let (i, listed) = (place.event, place.listed[place.event]);
    let at_once = words.machine.channel == Channel::Instant;
    let event_driven = cause.transient.is_some();
    let crashes = matches!(replay.run.choices[i].event, Event::CrashDuring(..));
    let selects = event_driven && !place.all && !crashes && listed && !is_passed_on(line);
    if !at_once && !selects {
        let sends = line.effects.iter().filter(|effect| effect.is_send());
        return sends.map(|send| send.text(words)).collect();
    }
    let flights = replay.messages().iter().zip(&cause.message_matters);
    // Whether an event in which the message arrives is listed.
    let arrives = |f: &Flight| f.arrivals.iter().any(|(at, _)| place.listed[*at]);
    let shown = flights.filter(|(f, matters)| {
        f.sent == i && (**matters || place.all || event_driven && arrives(f))
    });
    let shown: Vec<(Value, NodeId)> = shown
        .map(|(f, _)| (f.message.clone(), words.machine.edges[f.edge.index()].1))
        .collect();
    let sender = line.node.into_iter();
    sender
        .flat_map(|sender| sends(words, sender, at_once, &shown))
        .map(|send| send.text(words))
        .collect()
}

/// The messages in flight at the end of the run that matter, with their age at event `i`: `; Answer 1 has been on its
/// way to Client for 1.5 ms`. Empty if there are none.
fn awaited(replay: &ReplayedRun<'_>, i: usize) -> String {
    let words = replay.words;
    let open = replay
        .messages()
        .iter()
        .zip(&replay.cause().message_matters);
    let open = open.filter(|(f, matters)| f.open && **matters);
    let open = open.map(|(f, _)| {
        let to = words.node(words.machine.edges[f.edge.index()].1);
        let since = replay.times().text(&(replay.time(i) - replay.time(f.sent)));
        let message = words.value(&f.message);
        format!("{message} has been on its way to {to} for {since}")
    });
    let open: Vec<String> = open.collect();
    match &open[..] {
        [] => String::new(),
        [_, _, _, ..] => format!("; {} messages are on their way", open.len()),
        few => format!("; {}", few.join(", ")),
    }
}

/// Whether the event passes on the message that it handles, so that its text already names the message.
fn is_passed_on(line: &EventLine) -> bool {
    line.effects.contains(&Effect::PassesOn)
}

/// The row that counts the unlisted events of an event-driven run and names the types of messages that arrive in them.
fn left_out(replay: &ReplayedRun<'_>, listed: &[bool]) -> Row {
    let events: Vec<usize> = (0..listed.len()).filter(|i| !listed[*i]).collect();
    let messages = arrivals(replay, &events);
    let count = match events.len() {
        1 => "1 event".to_string(),
        many => format!("{many} events"),
    };
    let text = format!("(left out: {count} of which nothing comes that lasts{messages})");
    Row::text(When::Words(String::new()), text)
}

/// One row for the successive unlisted events `lines`, the first of which has the index `at`.
fn fold(replay: &ReplayedRun<'_>, lines: &[EventLine], at: usize) -> Row {
    let words = replay.words;
    let nodes: BTreeSet<NodeId> = lines.iter().filter_map(|l| l.node).collect();
    let nodes: Vec<NodeId> = nodes.into_iter().collect();
    let count = lines.len();
    let all = (at..at + count).all(|i| replay.steps()[i].activation.is_some());
    let what = if all { "activations" } else { "events" };
    let of = match nodes.len() {
        0 => String::new(),
        1..=4 => format!(" of {}", words.nodes(&nodes)),
        many => format!(" of {many} nodes"),
    };
    let messages = match replay.cause().transient.is_some() {
        true => arrivals(replay, &(at..at + count).collect::<Vec<_>>()),
        false => String::new(),
    };
    let text = format!("{count} {what}{of}{messages}");
    Row::text(When::Words("⋯".into()), text)
}

/// The types of the messages that arrive in these events: `, with Alive and Round`; empty if there are none.
fn arrivals(replay: &ReplayedRun<'_>, events: &[usize]) -> String {
    let records = events.iter().map(|i| &replay.run.choices[*i]);
    let records: BTreeSet<RecordId> = records
        .filter_map(|choice| match &choice.event {
            Event::Deliver(_, message, _) => Some(message.record()),
            _ => None,
        })
        .collect();
    let names = records
        .iter()
        .map(|r| &replay.words.machine.records[r.index()].name[..]);
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(", with {}", joined(&names, "and")),
    }
}

/// The initial state: static faults, and the initial values that the model leaves open.
pub(crate) fn start(replay: &ReplayedRun<'_>) -> String {
    let words = replay.words;
    let machine = words.machine;
    let mut parts = Vec::new();
    for node in machine.nodes() {
        let mut facts = Vec::new();
        let fault = replay.run.frozen.fault(node);
        facts.extend(fault.map(|f| fault_word(f).to_string()));
        let display_var = replay.cause().display_var[machine.kind_of(node).index()];
        let vars = machine.vars_of(machine.kind_of(node)).enumerate();
        for (place, var) in vars.filter(|_| fault != Some(Fault::Off)) {
            let value = &replay.states[0].nodes[node.index()].vars[place];
            if matches!(var.init, Init::Value(..)) {
                continue;
            }
            facts.push(match display_var == Some(place) {
                true => state_word(words, node, place, value),
                false => format!("{} {}", var.name, words.value(value)),
            });
        }
        if !facts.is_empty() {
            parts.push(format!("{} {}", words.node(node), facts.join(", ")));
        }
    }
    match parts.is_empty() {
        true => "as the text says".into(),
        false => parts.join("; "),
    }
}

/// The ticking variables, by node and index among its variables: integers that change in at least four of five
/// activations of their node and do not occur in the claim.
fn ticking_vars(replay: &ReplayedRun<'_>) -> Vec<(NodeId, usize)> {
    let machine = replay.words.machine;
    let instance = replay.instance();
    let claimed = claim_vars(replay);
    let is_claimed = |place: usize, node: NodeId| {
        claimed.iter().any(|var| {
            let kind = machine.vars[var.index()].kind;
            kind == machine.kind_of(node) && machine.place_of_var(*var) == place
        })
    };
    let mut found = Vec::new();
    for node in machine.nodes() {
        let own: Vec<usize> = (0..replay.states.len() - 1)
            .filter(|i| activated(instance, &replay.run.choices[*i]) == Some(node))
            .collect();
        let vars = machine.vars_of(machine.kind_of(node)).enumerate();
        for (place, _) in vars.filter(|(_, var)| matches!(var.ty, machine::Type::Int(..))) {
            let of = |state: usize| &replay.states[state].nodes[node.index()].vars[place];
            let changes = own.iter().filter(|i| of(**i) != of(**i + 1)).count();
            let often = own.len() > 1 && changes * 5 >= own.len() * 4;
            if often && !is_claimed(place, node) {
                found.push((node, place));
            }
        }
    }
    found
}

/// Rows as lines with aligned cells. A row with one text does not widen the columns.
fn columns(times: Times, rows: &[Row]) -> Vec<String> {
    let at: Vec<Rational> = rows
        .iter()
        .filter_map(|row| match &row.when {
            When::At(time) => Some(time.clone()),
            When::Words(_) => None,
        })
        .collect();
    let mut at = times.column(&at).into_iter();
    let whens: Vec<String> = rows
        .iter()
        .map(|row| match &row.when {
            When::At(_) => at.next().unwrap_or_default(),
            When::Words(words) => words.clone(),
        })
        .collect();
    let wide = |cells: &mut dyn Iterator<Item = &String>| {
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let when = wide(&mut whens.iter());
    let name = wide(&mut rows.iter().filter(|r| !r.what.is_empty()).map(|r| &r.name));
    let what = wide(
        &mut rows
            .iter()
            .filter(|r| !r.effects.is_empty())
            .map(|r| &r.what),
    );
    let rows = whens.iter().zip(rows);
    rows.map(|(w, row)| {
        let line = format!(
            "{w:>when$}  {:<name$}  {:<what$}  {}",
            row.name, row.what, row.effects
        );
        line.trim_end().to_string()
    })
    .collect()
}
