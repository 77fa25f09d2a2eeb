//! The effects of an event as data, with their texts.

use crate::events::change::Change;
use crate::events::step::StepTrace;
use crate::events::timer_change::TimerChange;
use crate::words::names::{Words, joined};
use machine::{NodeId, Outgoing, Sent, Value};

/// One effect of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The code makes a nondeterministic choice with this result.
    Chooses(Value),
    Change(Change),
    Timer(TimerChange),
    Send(Send),
    /// A message of a node that crashes during the event.
    CrashSend(CrashSend),
    /// The node forwards the message that it handles, as the only effect.
    PassesOn,
    /// The node handles a message without any effect.
    Swallows,
    Halts,
    /// Messages that stay in the outbox because the channel is full, with their receivers.
    KeptBack(Vec<(Value, NodeId)>),
    /// An effect on another node: on an instant channel that node handles a message as part of this event.
    AtHandler(NodeId, Box<Effect>),
}

/// A message with its receivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Send {
    message: Value,
    to: Vec<NodeId>,
    /// How often it is sent to each of them.
    times: usize,
    /// Whether it is a broadcast: it is sent on an instant channel to several nodes, among them all nodes other than
    /// its sender.
    to_all: bool,
}

/// A message of a node that crashes during the event that sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CrashSend {
    message: Value,
    /// The receivers to which the message is sent despite the crash.
    to: Vec<NodeId>,
    /// Whether it is sent to all intended receivers.
    complete: bool,
}

impl Effect {
    /// Whether the effect is a message. Messages are listed after all other effects.
    pub(crate) fn is_send(&self) -> bool {
        matches!(self, Effect::Send(_) | Effect::CrashSend(_))
    }

    /// The text of the effect.
    pub(crate) fn text(&self, words: Words<'_>) -> String {
        match self {
            Effect::Chooses(value) => format!("chooses {}", words.value(value)),
            Effect::Change(change) => change.text(words),
            Effect::Timer(change) => change.text(words),
            Effect::Send(send) => send.text(words),
            Effect::CrashSend(send) => format!("→ {}", send.text(words)),
            Effect::PassesOn => "passes it on".into(),
            Effect::Swallows => "swallows it".into(),
            Effect::Halts => "halts".into(),
            Effect::KeptBack(kept) => {
                let kept = kept_text(words, kept);
                format!("{kept} in its outbox: the channel is full")
            }
            Effect::AtHandler(node, effect) => {
                format!("{}: {}", words.node(*node), effect.text(words))
            }
        }
    }
}

impl Send {
    fn text(&self, words: Words<'_>) -> String {
        let to = match self.to_all {
            true => "all".into(),
            false => words.nodes(&self.to),
        };
        let times = match self.times {
            1 => String::new(),
            2 => " twice".into(),
            times => format!(" {times} times"),
        };
        format!("→ {} to {to}{times}", words.value(&self.message))
    }
}

impl CrashSend {
    /// The text without an arrow: `Go to node 2 only`, `Alive to nobody`.
    pub(crate) fn text(&self, words: Words<'_>) -> String {
        let message = words.value(&self.message);
        match (&self.to[..], self.complete) {
            ([], _) => format!("{message} to nobody"),
            (some, false) => format!("{message} to {} only", words.nodes(some)),
            (all, true) => format!("{message} to {} all the same", words.nodes(all)),
        }
    }
}

/// The text for messages that stay in the outbox: `keeps Go for node 2`.
pub(crate) fn kept_text(words: Words<'_>, kept: &[(Value, NodeId)]) -> String {
    let each = kept.iter().map(|(message, to)| {
        let (message, to) = (words.value(message), words.node(*to));
        format!("{message} for {to}")
    });
    let each: Vec<String> = each.collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    format!("keeps {}", joined(&each, "and"))
}

/// The sent messages as effects. A message that is sent to several nodes equally often is one effect. `at_once` says
/// that the channel is instant.
pub(crate) fn sends(
    words: Words<'_>,
    sender: NodeId,
    at_once: bool,
    sent: &[(Value, NodeId)],
) -> Vec<Effect> {
    let mut once: Vec<&(Value, NodeId)> = Vec::new();
    for one in sent {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    let mut groups: Vec<(&Value, usize, Vec<NodeId>)> = Vec::new();
    for one in once {
        let times = sent.iter().filter(|other| *other == one).count();
        let (message, to) = one;
        let mut known = groups.iter_mut();
        match known.find(|(known, of, _)| (*known, *of) == (message, times)) {
            Some((.., nodes)) => nodes.push(*to),
            None => groups.push((message, times, vec![*to])),
        }
    }
    let groups = groups.into_iter();
    groups
        .map(|(message, times, to)| {
            let mut others = words.machine.nodes().filter(|n| *n != sender);
            let to_all = at_once && to.len() > 1 && others.all(|n| to.contains(&n));
            Effect::Send(Send {
                message: message.clone(),
                to,
                times,
                to_all,
            })
        })
        .collect()
}

/// The messages of an event during which the node crashes, one effect for each distinct message.
pub(crate) fn crash_sends(words: Words<'_>, step: &StepTrace) -> Vec<Effect> {
    let to = |sent: &Sent| words.machine.edges[sent.edge.index()].1;
    let mut messages: Vec<&Value> = Vec::new();
    for sent in &step.intended {
        if !messages.contains(&&sent.message) {
            messages.push(&sent.message);
        }
    }
    let each = messages.into_iter().map(|message| {
        let of = |sent: &&Sent| sent.message == *message;
        let gone: Vec<NodeId> = step.effects.sent.iter().filter(of).map(to).collect();
        let all = step.intended.iter().filter(of).count();
        Effect::CrashSend(CrashSend {
            message: message.clone(),
            complete: gone.len() >= all,
            to: gone,
        })
    });
    each.collect()
}

/// The effect for the messages that stay in an outbox; `None` if the outbox is empty.
pub(crate) fn kept_back(words: Words<'_>, outbox: &[Outgoing]) -> Option<Effect> {
    let each = outbox.iter().map(|kept| {
        let to = words.machine.edges[kept.edge.index()].1;
        (kept.message.clone(), to)
    });
    (!outbox.is_empty()).then(|| Effect::KeptBack(each.collect()))
}
