//! One event of a run in words: who, what, and what it changed.

use crate::replay::step::Deed;
use crate::replay::timers::timer_changes;
use crate::story::reading::reading;
use crate::story::subject::{chosen, remnants, subject};
use crate::words::changes;
use crate::words::names::joined;
use crate::{Telling, Times, Words};
use machine::{Channel, Choice, Event, Frozen, Mode, NodeId, Outcome, State, Trigger, Value};

/// One line of a story.
pub(crate) struct Line {
    /// Who; nobody if only time passes.
    pub(crate) who: Option<NodeId>,
    /// What happens to it.
    pub(crate) what: String,
    /// What it reads in its inbox.
    pub(crate) reads: Option<String>,
    /// What it changes, sends and does; several parts.
    pub(crate) effects: Vec<String>,
    /// The messages it sends, with the receivers.
    pub(crate) sends: Vec<(Value, NodeId)>,
    /// It is a start.
    pub(crate) starts: bool,
}

impl Line {
    /// Who, in words; empty if only time passes.
    pub(crate) fn name(&self, words: Words<'_>) -> String {
        self.who.map_or(String::new(), |who| words.node(who))
    }
}

/// Where events happen: what things are called, and what is frozen.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) words: Words<'a>,
    pub(crate) frozen: &'a Frozen,
}

impl Telling<'_> {
    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            words: self.words,
            frozen: &self.run.frozen,
        }
    }
}

/// An event between two states; without the second it is an error. To some nodes several others send.
pub(crate) fn line(
    place: Place<'_>,
    several_senders: &[NodeId],
    choice: &Choice,
    (before, after): (&State, Option<&State>),
    deed: &Deed,
) -> Line {
    let words = place.words;
    let machine = words.machine;
    let (who, mut what, message) = subject(words, several_senders, &choice.event, before);
    if let Some(number) = deed.activation {
        what = format!("activation {number}");
    }
    if choice.event == Event::Wait {
        let times = Times::new(words.labels);
        what = match (&choice.time, machine.digitisation()) {
            _ if after.is_none() => "time cannot go on".into(),
            (Some(time), _) => format!("nothing happens until {}", times.text(time)),
            (None, Some(grid)) => format!("nothing happens for {}", times.text(&grid.unit)),
            (None, None) => what,
        };
    }
    let reads = who.filter(|who| deed.trace.inboxes.contains(who));
    let reads = reads.map(|who| reading(place, who, before));
    let mut effects: Vec<String> = Vec::new();
    for pick in chosen(words, choice) {
        effects.push(format!("chooses {}", words.value(pick)));
    }
    let mut sends = Vec::new();
    let crashes = matches!(choice.event, Event::CrashDuring(..));
    if let (Some(after), Some(who)) = (after, who)
        && (runs(&choice.event) || crashes)
    {
        changes(words, who, before, after, &mut effects);
        effects.extend(timer_changes(words, who, &choice.event, before, after));
        let (old, new) = (&before.nodes[who.index()], &after.nodes[who.index()]);
        let halts = old.mode != Mode::Halted && new.mode == Mode::Halted;
        let at_once = machine.channel == Channel::Instant;
        sends = match at_once {
            true => sent_at_once(words, deed),
            false => sent(words, who, &choice.event, before, after),
        };
        match (&message, &sends[..]) {
            _ if crashes => effects.extend(remnants(place, choice, before, deed)),
            (Some(message), [(only, _)]) if effects.is_empty() && message == only => {
                effects.push("passes it on".into());
            }
            (Some(_), []) if effects.is_empty() && !halts && new.outbox.is_empty() => {
                effects.push("swallows it".into());
            }
            _ => effects.extend(sendings(words, who, at_once, &sends)),
        }
        for node in handlers(words, deed).filter(|node| *node != who) {
            let mut theirs = Vec::new();
            changes(words, node, before, after, &mut theirs);
            theirs.extend(timer_changes(words, node, &choice.event, before, after));
            let node = words.node(node);
            effects.extend(theirs.into_iter().map(|change| format!("{node}: {change}")));
        }
        if halts {
            effects.push("halts".into());
        }
        effects.extend(kept_back(words, &new.outbox));
    }
    let starts = matches!(&choice.event, Event::Run(_, block)
        if machine.blocks[block.index()].trigger == Trigger::Start);
    Line {
        who,
        what,
        reads,
        effects,
        sends,
        starts,
    }
}

/// An event runs code of its node.
fn runs(event: &Event) -> bool {
    matches!(
        event,
        Event::Run(..)
            | Event::Expire(..)
            | Event::Restart(_)
            | Event::Deliver(_, _, Outcome::HandOver(_) | Outcome::Repeat(_, Some(_)))
    )
}

/// What is sent, the same message to several nodes together.
pub(crate) fn sendings(
    words: Words<'_>,
    who: NodeId,
    at_once: bool,
    sends: &[(Value, NodeId)],
) -> Vec<String> {
    let mut groups: Vec<(&Value, Vec<NodeId>)> = Vec::new();
    for (message, to) in sends {
        match groups.iter_mut().find(|(known, _)| *known == message) {
            Some((_, nodes)) => nodes.push(*to),
            None => groups.push((message, vec![*to])),
        }
    }
    let groups = groups.into_iter();
    groups
        .map(|(message, nodes)| {
            let others = words.machine.nodes().filter(|n| *n != who);
            let everybody = nodes.len() > 1 && others.into_iter().all(|n| nodes.contains(&n));
            let to = match at_once && everybody {
                true => "all".into(),
                false => words.nodes(&nodes),
            };
            format!("→ {} to {to}", words.value(message))
        })
        .collect()
}

/// What arrives as part of the event.
fn sent_at_once(words: Words<'_>, deed: &Deed) -> Vec<(Value, NodeId)> {
    let sent = deed.trace.sent.iter();
    sent.map(|s| (s.message.clone(), words.machine.edges[s.edge.index()].1))
        .collect()
}

/// The nodes whose code runs because a message arrives as part of the event, each once.
fn handlers(words: Words<'_>, deed: &Deed) -> impl Iterator<Item = NodeId> {
    let sent = deed.trace.sent.iter();
    let handed = sent.filter(|s| matches!(s.at_once, Some(Outcome::HandOver(_))));
    let nodes = handed.map(|s| words.machine.edges[s.edge.index()].1);
    nodes.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// What cannot be sent yet and is not on its way.
fn kept_back(words: Words<'_>, outbox: &[machine::Outgoing]) -> Option<String> {
    let each = outbox.iter().map(|kept| {
        let to = words.machine.edges[kept.edge.index()].1;
        format!("{} for {}", words.value(&kept.message), words.node(to))
    });
    let each: Vec<String> = each.collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    (!each.is_empty()).then(|| format!("keeps {}{KEPT_BACK}", joined(&each, "and")))
}

/// What is said of messages that are kept back.
pub(crate) const KEPT_BACK: &str = " in its outbox: the channel is full";

fn changes(
    words: Words<'_>,
    who: NodeId,
    before: &State,
    after: &State,
    effects: &mut Vec<String>,
) {
    let vars = words.machine.vars_of(words.machine.kind_of(who));
    let values = before.nodes[who.index()]
        .vars
        .iter()
        .zip(&after.nodes[who.index()].vars);
    for (var, (old, new)) in vars.zip(values) {
        if !var.ghost {
            effects.extend(changes::changes(words, &var.name, &var.ty, old, new));
        }
    }
}

/// What a block sent and is on its way.
fn sent(
    words: Words<'_>,
    who: NodeId,
    event: &Event,
    before: &State,
    after: &State,
) -> Vec<(Value, NodeId)> {
    let mut sent = Vec::new();
    for (e, (from, to)) in words.machine.edges.iter().enumerate() {
        if who != *from {
            continue;
        }
        let mut old = before.edges[e].clone();
        if let Event::Deliver(edge, message, outcome) = event
            && edge.index() == e
            && !matches!(outcome, Outcome::Repeat(..))
        {
            let place = old.iter().position(|m| m == message);
            place.map(|place| old.remove(place));
        }
        for message in &after.edges[e] {
            match old.iter().position(|m| m == message) {
                Some(place) => {
                    old.remove(place);
                }
                None => sent.push((message.clone(), *to)),
            }
        }
    }
    sent
}
