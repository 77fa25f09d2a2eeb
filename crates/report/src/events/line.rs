//! One event of a run as data: its node, its action, and its effects.

use crate::events::action::Action;
use crate::events::change::changes;
use crate::events::effect::{self, CrashSend, Effect, crash_sends, kept_back};
use crate::events::reading::{Reading, reading};
use crate::events::step::StepTrace;
use crate::events::subject::{shown_picks, subject};
use crate::events::timer_change::timer_changes;
use crate::words::names::Words;
use machine::{Channel, Choice, Event, Frozen, Instance, Mode, NodeId, Outcome, State, Value};

/// The separator between reads, changes and messages in a story line.
pub(crate) const PARTS: &str = "   ";

/// One event of a run, as the renderers show it.
pub(crate) struct EventLine {
    /// The node at which the event happens; `None` if only time passes.
    pub(crate) node: Option<NodeId>,
    /// What happens to the node.
    pub(crate) action: Action,
    /// What the node finds in its inbox, if the event reads the inbox.
    pub(crate) reads: Option<Reading>,
    /// The changes, the messages and the other effects.
    pub(crate) effects: Vec<Effect>,
    /// The messages that the event sends, with their receivers.
    pub(crate) sends: Vec<(Value, NodeId)>,
}

impl EventLine {
    /// The name of the node; empty if only time passes.
    pub(crate) fn name(&self, words: Words<'_>) -> String {
        self.node.map_or(String::new(), |node| words.node(node))
    }

    /// The messages of a node that crashes during the event.
    pub(crate) fn crash_sends(&self) -> impl Iterator<Item = &CrashSend> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::CrashSend(send) => Some(send),
            _ => None,
        })
    }

    /// The effects in one text: reads, then changes, then messages, with `separator` between these three parts.
    pub(crate) fn effects_text(&self, words: Words<'_>, separator: &str) -> String {
        let texts = |effects: &[&Effect]| {
            let texts: Vec<String> = effects.iter().map(|e| e.text(words)).collect();
            texts.join(", ")
        };
        let (sends, changes): (Vec<&Effect>, Vec<&Effect>) =
            self.effects.iter().partition(|effect| effect.is_send());
        let reads = self.reads.as_ref().map(|reads| reads.text(words));
        let parts = [reads.unwrap_or_default(), texts(&changes), texts(&sends)];
        let parts = parts.iter().filter(|part| !part.is_empty());
        parts
            .map(|part| &part[..])
            .collect::<Vec<_>>()
            .join(separator)
    }
}

/// What the line of an event depends on besides its states: the Machine, the frozen values and the other events of the
/// run.
pub(crate) struct EventContext<'a> {
    pub(crate) words: Words<'a>,
    pub(crate) frozen: &'a Frozen,
    /// The nodes that get messages from several nodes in the run. A message that arrives at one of them is written with
    /// its sender.
    pub(crate) several_senders: Vec<NodeId>,
}

/// The line of an event between two states. If there is no second state, the event is an error.
pub(crate) fn event_line(
    context: &EventContext<'_>,
    choice: &Choice,
    (before, after): (&State, Option<&State>),
    step: &StepTrace,
) -> EventLine {
    let words = context.words;
    let machine = words.machine;
    let (node, mut action, message) = subject(context, &choice.event, before);
    if let Some(number) = step.activation {
        action = Action::Activation(number);
    }
    if choice.event == Event::Wait {
        action = match (&choice.time, machine.digitisation()) {
            _ if after.is_none() => Action::TimeLock,
            (Some(time), _) => Action::WaitsUntil(time.clone()),
            (None, Some(grid)) => Action::WaitsFor(grid.unit.clone()),
            (None, None) => action,
        };
    }
    let instance = Instance {
        machine,
        frozen: context.frozen,
    };
    let reader = node.filter(|node| step.effects.inboxes.contains(node));
    let reads = reader.map(|reader| reading(instance, reader, before));
    let picks = shown_picks(words, choice).iter().cloned();
    let mut effects: Vec<Effect> = picks.map(Effect::Chooses).collect();
    let state_changes = |node: NodeId, after: &State| -> Vec<Effect> {
        let vars = changes(words, node, before, after).into_iter();
        let timers = timer_changes(node, &choice.event, before, after).into_iter();
        let vars = vars.map(Effect::Change);
        vars.chain(timers.map(Effect::Timer)).collect()
    };
    let mut sends = Vec::new();
    let crashes = matches!(choice.event, Event::CrashDuring(..));
    if let (Some(after), Some(node)) = (after, node)
        && (runs_code(&choice.event) || crashes)
    {
        effects.extend(state_changes(node, after));
        let (old, new) = (&before.nodes[node.index()], &after.nodes[node.index()]);
        let halts = old.mode != Mode::Halted && new.mode == Mode::Halted;
        let at_once = machine.channel == Channel::Instant;
        sends = match at_once {
            true => sent_by_code(words, step),
            false => sent(words, step, (node, &choice.event), before, after),
        };
        match (&message, &sends[..]) {
            _ if crashes => effects.extend(crash_sends(words, step)),
            (Some(message), [(only, _)]) if effects.is_empty() && message == only => {
                effects.push(Effect::PassesOn);
            }
            (Some(_), []) if effects.is_empty() && !halts && new.outbox.is_empty() => {
                effects.push(Effect::Swallows);
            }
            _ => effects.extend(effect::sends(words, node, at_once, &sends)),
        }
        for other in handlers(words, step).filter(|other| *other != node) {
            let theirs = state_changes(other, after).into_iter();
            effects.extend(theirs.map(|effect| Effect::AtHandler(other, Box::new(effect))));
        }
        if halts {
            effects.push(Effect::Halts);
        }
        effects.extend(kept_back(words, &new.outbox));
    }
    EventLine {
        node,
        action,
        reads,
        effects,
        sends,
    }
}

/// Whether an event runs code of its node.
fn runs_code(event: &Event) -> bool {
    matches!(
        event,
        Event::Run(..)
            | Event::Expire(..)
            | Event::Restart(_)
            | Event::Deliver(_, _, Outcome::HandOver(_) | Outcome::Repeat(_, Some(_)))
    )
}

/// The messages that the code of an event sends, with their receivers.
fn sent_by_code(words: Words<'_>, step: &StepTrace) -> Vec<(Value, NodeId)> {
    let sent = step.effects.sent.iter();
    sent.map(|s| (s.message.clone(), words.machine.edges[s.edge.index()].1))
        .collect()
}

/// The nodes that handle a message on an instant channel as part of the event, each once.
fn handlers(words: Words<'_>, step: &StepTrace) -> impl Iterator<Item = NodeId> {
    let sent = step.effects.sent.iter();
    let handled = sent.filter(|s| matches!(s.at_once, Some(Outcome::HandOver(_))));
    let nodes = handled.map(|s| words.machine.edges[s.edge.index()].1);
    nodes.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// The messages that an event of the node `sender` puts onto channels that are not instant, with their receivers: first
/// those that were in the outbox, then the others in the order in which its code sends them. Messages that go to the
/// outbox are left out.
fn sent(
    words: Words<'_>,
    step: &StepTrace,
    (sender, event): (NodeId, &Event),
    before: &State,
    after: &State,
) -> Vec<(Value, NodeId)> {
    let mut rest = put(words, (sender, event), before, after);
    let mut sent = Vec::new();
    for message in sent_by_code(words, step) {
        if let Some(place) = rest.iter().position(|one| *one == message) {
            sent.push(rest.remove(place));
        }
    }
    // The messages that are left in `rest` were in the outbox before the event.
    rest.extend(sent);
    rest
}

/// The messages that an event of the node `sender` puts onto channels, in the order of the channels.
fn put(
    words: Words<'_>,
    (sender, event): (NodeId, &Event),
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

/// The nodes to which messages from several senders are on the way in these states, or delivered in these events.
pub(crate) fn several_senders<'c>(
    words: Words<'_>,
    choices: impl IntoIterator<Item = &'c Choice>,
    states: &[State],
) -> Vec<NodeId> {
    let edges = &words.machine.edges;
    let mut used = vec![false; edges.len()];
    for choice in choices {
        if let Event::Deliver(edge, ..) = &choice.event {
            used[edge.index()] = true;
        }
    }
    for state in states {
        for (used, channel) in used.iter_mut().zip(&state.edges) {
            *used |= !channel.is_empty();
        }
    }
    let nodes = words.machine.nodes();
    nodes
        .filter(|node| {
            let into = edges.iter().zip(&used);
            let senders = into.filter(|((_, to), used)| to == node && **used);
            senders.count() > 1
        })
        .collect()
}
