//! One event of a run in words: its node, what happens to it, and its effects.

use crate::events::reading::reading;
use crate::events::step::StepTrace;
use crate::events::subject::{crash_sends, shown_picks, subject};
use crate::words::changes;
use crate::words::names::{Words, joined};
use crate::words::timers::timer_changes;
use crate::words::times::Times;
use machine::{Channel, Choice, Event, Frozen, Mode, NodeId, Outcome, State, Trigger, Value};

/// One event in words.
pub(crate) struct EventLine {
    /// The node at which it happens; none if only time passes.
    pub(crate) node: Option<NodeId>,
    /// What happens to the node.
    pub(crate) what: String,
    /// The text of an inbox read, if it reads its inbox.
    pub(crate) reads: Option<String>,
    /// The changes, the messages and the other effects.
    pub(crate) effects: Vec<String>,
    /// The messages that it sends, with their receivers.
    pub(crate) sends: Vec<(Value, NodeId)>,
    /// It is the start of the node.
    pub(crate) starts: bool,
}

impl EventLine {
    /// The name of the node; empty if only time passes.
    pub(crate) fn name(&self, words: Words<'_>) -> String {
        self.node.map_or(String::new(), |node| words.node(node))
    }

    /// The effects in one text: reads, changes, then messages.
    pub(crate) fn effects_text(&self) -> String {
        let (sends, changes): (Vec<&str>, Vec<&str>) = self
            .effects
            .iter()
            .map(|e| &e[..])
            .partition(|e| e.starts_with('→'));
        let reads = self.reads.clone().unwrap_or_default();
        let parts = [reads, changes.join(", "), sends.join(", ")];
        let parts = parts.iter().filter(|part| !part.is_empty());
        parts.map(|part| &part[..]).collect::<Vec<_>>().join("   ")
    }
}

/// The context of an event that its words depend on.
pub(crate) struct EventContext<'a> {
    pub(crate) words: Words<'a>,
    pub(crate) frozen: &'a Frozen,
    /// The nodes to which several other nodes send: their messages are named with the sender.
    pub(crate) several_senders: Vec<NodeId>,
}

/// An event between two states. An event without a second state is an error.
pub(crate) fn event_line(
    context: &EventContext<'_>,
    choice: &Choice,
    (before, after): (&State, Option<&State>),
    step: &StepTrace,
) -> EventLine {
    let words = context.words;
    let machine = words.machine;
    let (node, mut what, message) = subject(context, &choice.event, before);
    if let Some(number) = step.activation {
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
    let reader = node.filter(|node| step.effects.inboxes.contains(node));
    let reads = reader.map(|reader| reading(context, reader, before));
    let mut effects: Vec<String> = Vec::new();
    for pick in shown_picks(words, choice) {
        effects.push(format!("chooses {}", words.value(pick)));
    }
    let mut sends = Vec::new();
    let crashes = matches!(choice.event, Event::CrashDuring(..));
    if let (Some(after), Some(node)) = (after, node)
        && (runs_code(&choice.event) || crashes)
    {
        changes(words, node, before, after, &mut effects);
        effects.extend(timer_changes(words, node, &choice.event, before, after));
        let (old, new) = (&before.nodes[node.index()], &after.nodes[node.index()]);
        let halts = old.mode != Mode::Halted && new.mode == Mode::Halted;
        let at_once = machine.channel == Channel::Instant;
        sends = match at_once {
            true => sent_at_once(words, step),
            false => sent(words, node, &choice.event, before, after),
        };
        match (&message, &sends[..]) {
            _ if crashes => effects.extend(crash_sends(words, step)),
            (Some(message), [(only, _)]) if effects.is_empty() && message == only => {
                effects.push("passes it on".into());
            }
            (Some(_), []) if effects.is_empty() && !halts && new.outbox.is_empty() => {
                effects.push("swallows it".into());
            }
            _ => effects.extend(sendings(words, node, at_once, &sends)),
        }
        for other in handlers(words, step).filter(|other| *other != node) {
            let mut theirs = Vec::new();
            changes(words, other, before, after, &mut theirs);
            theirs.extend(timer_changes(words, other, &choice.event, before, after));
            let other = words.node(other);
            effects.extend(
                theirs
                    .into_iter()
                    .map(|change| format!("{other}: {change}")),
            );
        }
        if halts {
            effects.push("halts".into());
        }
        effects.extend(kept_back(words, &new.outbox));
    }
    let starts = matches!(&choice.event, Event::Run(_, block)
        if machine.blocks[block.index()].trigger == Trigger::Start);
    EventLine {
        node,
        what,
        reads,
        effects,
        sends,
        starts,
    }
}

/// An event runs code of its node.
fn runs_code(event: &Event) -> bool {
    matches!(
        event,
        Event::Run(..)
            | Event::Expire(..)
            | Event::Restart(_)
            | Event::Deliver(_, _, Outcome::HandOver(_) | Outcome::Repeat(_, Some(_)))
    )
}

/// The sent messages; the same message to several nodes is one text.
pub(crate) fn sendings(
    words: Words<'_>,
    sender: NodeId,
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
            let others = words.machine.nodes().filter(|n| *n != sender);
            let to_all = nodes.len() > 1 && others.into_iter().all(|n| nodes.contains(&n));
            let to = match at_once && to_all {
                true => "all".into(),
                false => words.nodes(&nodes),
            };
            format!("→ {} to {to}", words.value(message))
        })
        .collect()
}

/// The messages that arrive as part of the event.
fn sent_at_once(words: Words<'_>, step: &StepTrace) -> Vec<(Value, NodeId)> {
    let sent = step.effects.sent.iter();
    sent.map(|s| (s.message.clone(), words.machine.edges[s.edge.index()].1))
        .collect()
}

/// The nodes whose code runs because a message arrives as part of the event, each once.
fn handlers(words: Words<'_>, step: &StepTrace) -> impl Iterator<Item = NodeId> {
    let sent = step.effects.sent.iter();
    let handled = sent.filter(|s| matches!(s.at_once, Some(Outcome::HandOver(_))));
    let nodes = handled.map(|s| words.machine.edges[s.edge.index()].1);
    nodes.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// The messages that stay in the outbox.
fn kept_back(words: Words<'_>, outbox: &[machine::Outgoing]) -> Option<String> {
    let each = outbox.iter().map(|kept| {
        let to = words.machine.edges[kept.edge.index()].1;
        format!("{} for {}", words.value(&kept.message), words.node(to))
    });
    let each: Vec<String> = each.collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    (!each.is_empty()).then(|| format!("keeps {}{KEPT_BACK}", joined(&each, "and")))
}

/// The end of the text about messages that stay in the outbox.
pub(crate) const KEPT_BACK: &str = " in its outbox: the channel is full";

/// Adds the changes of a node's variables.
fn changes(
    words: Words<'_>,
    node: NodeId,
    before: &State,
    after: &State,
    effects: &mut Vec<String>,
) {
    let vars = words.machine.vars_of(words.machine.kind_of(node));
    let values = before.nodes[node.index()]
        .vars
        .iter()
        .zip(&after.nodes[node.index()].vars);
    for (var, (old, new)) in vars.zip(values) {
        if !var.ghost {
            effects.extend(changes::changes(words, &var.name, &var.ty, old, new));
        }
    }
}

/// The messages that an event put onto channels.
fn sent(
    words: Words<'_>,
    sender: NodeId,
    event: &Event,
    before: &State,
    after: &State,
) -> Vec<(Value, NodeId)> {
    let mut sent = Vec::new();
    for (e, (from, to)) in words.machine.edges.iter().enumerate() {
        if sender != *from {
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
