//! One event of a run in words: who, what, and what it changed.

use crate::changes;
use crate::deeds::Deed;
use crate::reading::reading;
use crate::words::joined;
use crate::{Telling, Words};
use machine::{Channel, Choice, Event, Mode, NodeId, Outcome, Rigid, State, Trigger, Value};

/// One line of a story.
pub(crate) struct Line {
    /// Who.
    pub(crate) who: NodeId,
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

/// Where events happen: what things are called, and what is rigid.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) words: Words<'a>,
    pub(crate) rigid: &'a Rigid,
}

impl Telling<'_> {
    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            words: self.words,
            rigid: &self.run.rigid,
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
    let reads = deed.trace.inboxes.contains(&who);
    let reads = reads.then(|| reading(place, who, before));
    let mut effects: Vec<String> = Vec::new();
    for pick in &choice.picks {
        effects.push(format!("chooses {}", words.value(pick)));
    }
    let mut sends = Vec::new();
    let runs = matches!(
        choice.event,
        Event::Run(..) | Event::Deliver(_, _, Outcome::HandOver(_) | Outcome::Repeat(_, Some(_)))
    );
    if let (Some(after), true) = (after, runs) {
        changes(words, who, before, after, &mut effects);
        let (old, new) = (&before.nodes[who.index()], &after.nodes[who.index()]);
        let halts = old.mode != Mode::Halted && new.mode == Mode::Halted;
        let at_once = machine.channel == Channel::Instant;
        sends = match at_once {
            true => sent_at_once(words, deed),
            false => sent(words, &choice.event, before, after),
        };
        match (&message, &sends[..]) {
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

/// Who it happens to, what happens, and the message that is handed over.
fn subject(
    words: Words<'_>,
    several_senders: &[NodeId],
    event: &Event,
    before: &State,
) -> (NodeId, String, Option<Value>) {
    let machine = words.machine;
    match event {
        Event::Run(node, block) => {
            let block = &machine.blocks[block.index()];
            let what = match &block.trigger {
                Trigger::Start => "starts".to_string(),
                Trigger::Every(_) => "wakes up".to_string(),
                _ => format!(
                    "does {}",
                    block.name.strip_prefix("when ").unwrap_or(&block.name)
                ),
            };
            (*node, what, None)
        }
        Event::Expire(node, place, _) => {
            let (timer, other) = machine.timer_of(*node, *place);
            let timer = &machine.timers[timer.index()].name;
            let what = match other {
                Some(other) => format!("its timer {timer} for {} expires", words.node(other)),
                None => format!("its timer {timer} expires"),
            };
            (*node, what, None)
        }
        Event::Crash(node, _) => (*node, "crashes".into(), None),
        Event::CrashDuring(_, event) => {
            let (node, what, message) = subject(words, several_senders, event, before);
            (node, format!("crashes while it {what}"), message)
        }
        Event::Stop(node, _) => (*node, "stops".into(), None),
        Event::Restart(node) => (*node, "begins again".into(), None),
        Event::Wait => (NodeId(0), "nothing happens".into(), None),
        Event::Transmit(node) => {
            let first = &before.nodes[node.index()].outbox[0];
            let to = machine.edges[first.edge.index()].1;
            let what = format!(
                "can now send {} to {}",
                words.value(&first.message),
                words.node(to)
            );
            (*node, what, None)
        }
        Event::Deliver(edge, message, outcome) => {
            let (from, to) = machine.edges[edge.index()];
            let text = words.value(message);
            // Where only one node sends to it in the whole run, that goes without saying.
            let several = several_senders.contains(&to);
            let from = if several {
                format!(" from {}", words.node(from))
            } else {
                String::new()
            };
            let what = match outcome {
                Outcome::HandOver(_) => format!("gets {text}{from}"),
                Outcome::Repeat(_, Some(_)) => {
                    format!("gets {text}{from}, which will come again")
                }
                Outcome::Repeat(_, None) => {
                    format!("gets {text}{from} into its inbox, and it will come again")
                }
                Outcome::Store => format!("gets {text}{from} into its inbox"),
                Outcome::Lose(_) => format!("never gets {text}{from}: it is lost"),
                Outcome::Unhandled => format!("gets {text}{from}"),
                Outcome::Drop if before.nodes[to.index()].mode == Mode::Halted => {
                    format!("has halted: {text}{from} is dropped")
                }
                Outcome::Drop if before.nodes[to.index()].mode == Mode::Off => {
                    format!("is off: {text}{from} is dropped")
                }
                Outcome::Drop => format!("ignores {text}{from}"),
            };
            let handed = matches!(outcome, Outcome::HandOver(_) | Outcome::Repeat(..));
            (to, what, handed.then(|| message.clone()))
        }
    }
}

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
fn sent(words: Words<'_>, event: &Event, before: &State, after: &State) -> Vec<(Value, NodeId)> {
    let mut sent = Vec::new();
    let mut who = None;
    if let Event::Run(node, _) = event {
        who = Some(*node);
    }
    for (e, (from, to)) in words.machine.edges.iter().enumerate() {
        let mut old = before.edges[e].clone();
        if let Event::Deliver(edge, message, outcome) = event {
            who = Some(words.machine.edges[edge.index()].1);
            if edge.index() == e && !matches!(outcome, Outcome::Repeat(..)) {
                let place = old.iter().position(|m| m == message);
                place.map(|place| old.remove(place));
            }
        }
        if who != Some(*from) {
            continue;
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
