//! A run with a rhythm as a story: times or activations, what is read, what changes, and what is left out.

use crate::replay::cause::{Crux, claimed, state_word};
use crate::replay::messages::Flight;
use crate::replay::step::activated;
use crate::story::event::{Line, sendings};
use crate::story::loop_summary::mark;
use crate::story::untimed::event_lines;
use crate::words::names::{fault_word, joined};
use crate::{Telling, Times};
use machine::{Channel, Event, Fault, Init, NodeId, RecordId, Value};
use rational::Rational;
use std::collections::BTreeSet;
use verdict::Ending;

/// Fewer events than this in a row are told even if they do not matter.
const FEW: usize = 3;

/// Where most events come to nothing, only so many in a row are worth a line.
const MANY: usize = 12;

/// One row: when, who, what, and what comes of it.
struct Row {
    when: When,
    who: String,
    what: String,
    effects: String,
}

enum When {
    /// At this time.
    At(Rational),
    /// In other words.
    Words(String),
}

impl Telling<'_> {
    /// Events have times, or activations are counted.
    pub(crate) fn has_rhythm(&self) -> bool {
        let instance = self.instance();
        let mut choices = self.run.choices.iter();
        self.is_timed() || choices.any(|c| activated(instance, c).is_some())
    }

    /// How times are written.
    pub(crate) fn times(&self) -> Times<'_> {
        Times::new(self.words.labels)
    }
}

/// The events, a line each, after the start; all of them, or those of which something comes.
pub(crate) fn timed_events(telling: &Telling<'_>, all: bool) -> Vec<String> {
    let crux = Crux::new(telling);
    let lines = event_lines(telling);
    let ticking = crux.fleeting.clone().unwrap_or_else(|| ticking(telling));
    let mut rows = vec![Row {
        when: When::Words("start".into()),
        who: start(telling, &crux),
        what: String::new(),
        effects: String::new(),
    }];
    // A run that shows nothing but itself is told as far as something comes of its events.
    let for_itself =
        telling.explanation.is_none() && telling.error.is_none() && crux.fleeting.is_none();
    let eventful = |line: &Line| for_itself && changes(line, &ticking).next().is_some();
    let told: Vec<bool> = (0..lines.len())
        .map(|i| is_told(telling, &crux, i) || eventful(&lines[i]))
        .collect();
    let untold = told.iter().filter(|told| !**told).count();
    let told = match all || crux.fleeting.is_some() && untold < FEW {
        true => vec![true; lines.len()],
        false => told,
    };
    // Who hears of nearly every event hears of every change.
    let ticking = match all || crux.fleeting.is_some() && untold * 4 < lines.len() {
        true => Vec::new(),
        false => ticking,
    };
    if crux.fleeting.is_some() && told.contains(&false) {
        rows.push(left_out(telling, &told));
    }
    let mut at = 0;
    // The event of the row above.
    let mut above = None;
    while at < lines.len() {
        if telling.run.ending == Ending::Loops(at) {
            rows.push(Row {
                when: When::Words(String::new()),
                who: mark(telling),
                what: String::new(),
                effects: String::new(),
            });
        }
        let left_out = (at..lines.len())
            .take_while(|i| !told[*i] && (*i == at || telling.run.ending != Ending::Loops(*i)))
            .count();
        if crux.fleeting.is_some() && (1..MANY).contains(&left_out) {
            // That something is left out is said once.
            at += left_out;
        } else if left_out >= FEW {
            rows.push(fold(telling, &crux, &lines[at..at + left_out], at));
            at += left_out;
            above = None;
        } else {
            let shown = Shown {
                event: at,
                above,
                told: &told,
                all,
            };
            rows.push(row(telling, &crux, &lines[at], shown, &ticking));
            above = Some(at);
            at += 1;
        }
    }
    columns(telling.times(), &rows)
}

fn is_told(telling: &Telling<'_>, crux: &Crux, i: usize) -> bool {
    // On the way to a loop in which the claim is false again and again much may have changed.
    let on_the_way = telling.is_false_again() && telling.loops().is_some_and(|from| i < from);
    crux.matters[i] || !on_the_way && !crux.changed(telling, i).is_empty()
}

/// What an event does beside sending; but for variables that tick.
fn changes<'l>(
    line: &'l Line,
    ticking: &'l [(NodeId, String)],
) -> impl Iterator<Item = &'l String> {
    let effects = line.effects.iter().filter(|e| !e.starts_with('→'));
    effects.filter(move |effect| {
        let tick = |(node, name): &(NodeId, String)| {
            let rest = effect.strip_prefix(&name[..]).unwrap_or("");
            Some(*node) == line.who && rest.starts_with([' ', '[', '.']) && rest.contains(" → ")
        };
        !ticking.iter().any(tick)
    })
}

/// What a row is about.
struct Shown<'t> {
    event: usize,
    /// The event of the row above.
    above: Option<usize>,
    /// By event: whether it is told for its own sake.
    told: &'t [bool],
    /// Nothing is left out.
    all: bool,
}

/// The row of an event.
fn row(
    telling: &Telling<'_>,
    crux: &Crux,
    line: &Line,
    shown: Shown<'_>,
    ticking: &[(NodeId, String)],
) -> Row {
    let (i, above, told) = (shown.event, shown.above, shown.told[shown.event]);
    let words = telling.words;
    let at_once = words.machine.channel == Channel::Instant;
    // Where something breaks the claim and nobody was silent, what ticks may be why.
    let breaks = crux.fails == Some(i) && crux.silences.is_empty();
    let ticking = match breaks && changes(line, ticking).next().is_some() {
        true => &[],
        false => ticking,
    };
    let changes: Vec<String> = changes(line, ticking).cloned().collect();
    let sends = line.effects.iter().filter(|e| e.starts_with('→'));
    let mut sends: Vec<String> = sends.filter(|_| !at_once).cloned().collect();
    let crashes = matches!(telling.run.choices[i].event, Event::CrashDuring(..));
    let fleeting = crux.fleeting.is_some() && !shown.all;
    if at_once || fleeting && !crashes && told && !is_passed_on(line) {
        let of_event = crux.flights.iter().zip(&crux.heavy);
        // Whoever hears that a message arrives has heard that it was sent.
        let arrives = |f: &Flight| f.arrivals.iter().any(|(at, _)| shown.told[*at]);
        let heavy = of_event.filter(|(f, heavy)| {
            f.sent == i && (**heavy || shown.all || crux.fleeting.is_some() && arrives(f))
        });
        let heavy: Vec<(Value, NodeId)> = heavy
            .map(|(f, _)| (f.message.clone(), words.machine.edges[f.edge.index()].1))
            .collect();
        let who = line.who.into_iter();
        sends = who
            .flat_map(|who| sendings(words, who, at_once, &heavy))
            .collect();
    }
    let again = telling.is_false_again();
    let over = crux.fails.is_some_and(|fails| i > fails) && !again;
    let reads = line.reads.clone().filter(|_| told && !over);
    let fails = again && crux.fails == Some(i) && !telling.is_false_throughout();
    let fails = fails.then(|| "here the claim is false".to_string());
    let parts = reads.into_iter().chain(changes).chain(sends).chain(fails);
    let parts: Vec<String> = parts.collect();
    let same = above.filter(|_| telling.is_timed());
    let same = same.is_some_and(|above| telling.time(i) == telling.time(above));
    let when = match (&telling.run.choices[i].time, same) {
        (Some(_), true) => When::Words("same instant".into()),
        (Some(time), false) => When::At(time.clone()),
        (None, _) => When::Words((i + 1).to_string()),
    };
    let Some(who) = line.who else {
        return Row {
            when,
            who: match telling.states.get(i + 1) {
                Some(_) => format!("nothing happens until here{}", awaited(telling, crux, i)),
                None => line.what.clone(),
            },
            what: String::new(),
            effects: String::new(),
        };
    };
    Row {
        when,
        who: words.node(who),
        what: line.what.clone(),
        effects: parts.join("   "),
    }
}

/// What is on its way when time passes: `; Answer 1 has been on its way to Client for 1.5 ms`.
fn awaited(telling: &Telling<'_>, crux: &Crux, i: usize) -> String {
    let words = telling.words;
    let open = crux.flights.iter().zip(&crux.heavy);
    let open = open.filter(|(f, heavy)| f.open && **heavy).map(|(f, _)| {
        let to = words.node(words.machine.edges[f.edge.index()].1);
        let since = telling
            .times()
            .text(&(telling.time(i) - telling.time(f.sent)));
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

/// What is sent is said in other words.
fn is_passed_on(line: &Line) -> bool {
    line.effects.iter().any(|effect| effect == "passes it on")
}

/// How many events are not told, of a run in which many come to nothing.
fn left_out(telling: &Telling<'_>, told: &[bool]) -> Row {
    let events: Vec<usize> = (0..told.len()).filter(|i| !told[*i]).collect();
    let messages = arrivals(telling, &events);
    let count = match events.len() {
        1 => "1 event".to_string(),
        many => format!("{many} events"),
    };
    Row {
        when: When::Words(String::new()),
        who: format!("(left out: {count} of which nothing comes that lasts{messages})"),
        what: String::new(),
        effects: String::new(),
    }
}

/// Events that are not told one by one.
fn fold(telling: &Telling<'_>, crux: &Crux, lines: &[Line], at: usize) -> Row {
    let words = telling.words;
    let nodes: BTreeSet<NodeId> = lines.iter().filter_map(|l| l.who).collect();
    let nodes: Vec<NodeId> = nodes.into_iter().collect();
    let count = lines.len();
    let all = (at..at + count).all(|i| crux.deeds[i].activation.is_some());
    let what = if all { "activations" } else { "events" };
    let of = match nodes.len() {
        0 => String::new(),
        1..=4 => format!(" of {}", words.nodes(&nodes)),
        many => format!(" of {many} nodes"),
    };
    let messages = match crux.fleeting.is_some() {
        true => arrivals(telling, &(at..at + count).collect::<Vec<_>>()),
        false => String::new(),
    };
    Row {
        when: When::Words("⋯".into()),
        who: format!("{count} {what}{of}{messages}"),
        what: String::new(),
        effects: String::new(),
    }
}

/// The types of messages that arrive in some events: `, with Alive and Round`.
fn arrivals(telling: &Telling<'_>, events: &[usize]) -> String {
    let records = events.iter().map(|i| &telling.run.choices[*i]);
    let records: BTreeSet<RecordId> = records
        .filter_map(|choice| match &choice.event {
            Event::Deliver(_, message, _) => Some(message.record()),
            _ => None,
        })
        .collect();
    let names = records
        .iter()
        .map(|r| &telling.words.machine.records[r.index()].name[..]);
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(", with {}", joined(&names, "and")),
    }
}

/// The start: who is off, and what the text leaves open.
pub(crate) fn start(telling: &Telling<'_>, crux: &Crux) -> String {
    let words = telling.words;
    let machine = words.machine;
    let mut parts = Vec::new();
    for node in machine.nodes() {
        let mut facts = Vec::new();
        let fault = telling.run.frozen.fault(node);
        facts.extend(fault.map(|f| fault_word(f).to_string()));
        let shown = crux.shown[machine.kind_of(node).index()];
        let vars = machine.vars_of(machine.kind_of(node)).enumerate();
        for (place, var) in vars.filter(|_| fault != Some(Fault::Off)) {
            let value = &telling.states[0].nodes[node.index()].vars[place];
            if matches!(var.init, Init::Value(..)) {
                continue;
            }
            facts.push(match shown == Some(place) {
                true => state_word(telling, node, place, value),
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

/// Variables that change at most activations: a number that goes round tells nothing. What the claim is
/// about is told all the same.
fn ticking(telling: &Telling<'_>) -> Vec<(NodeId, String)> {
    let machine = telling.words.machine;
    let instance = telling.instance();
    let claimed = claimed(telling);
    let is_claimed = |name: &str, node: NodeId| {
        let mut vars = claimed.iter().map(|var| &machine.vars[var.index()]);
        vars.any(|var| var.kind == machine.kind_of(node) && var.name == name)
    };
    let mut found = Vec::new();
    for node in machine.nodes() {
        let own: Vec<usize> = (0..telling.states.len() - 1)
            .filter(|i| activated(instance, &telling.run.choices[*i]) == Some(node))
            .collect();
        let vars = machine.vars_of(machine.kind_of(node)).enumerate();
        for (place, var) in vars.filter(|(_, var)| matches!(var.ty, machine::Type::Int(..))) {
            let of = |state: usize| &telling.states[state].nodes[node.index()].vars[place];
            let changes = own.iter().filter(|i| of(**i) != of(**i + 1)).count();
            let often = own.len() > 1 && changes * 5 >= own.len() * 4;
            if often && !is_claimed(&var.name, node) {
                found.push((node, var.name.clone()));
            }
        }
    }
    found
}

/// Rows with their cells one below the other; a row of two cells does not make the others wider.
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
    let who = wide(&mut rows.iter().filter(|r| !r.what.is_empty()).map(|r| &r.who));
    let what = wide(
        &mut rows
            .iter()
            .filter(|r| !r.effects.is_empty())
            .map(|r| &r.what),
    );
    let rows = whens.iter().zip(rows);
    rows.map(|(w, row)| {
        let line = format!(
            "{w:>when$}  {:<who$}  {:<what$}  {}",
            row.who, row.what, row.effects
        );
        line.trim_end().to_string()
    })
    .collect()
}
