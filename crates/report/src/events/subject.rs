//! The subject of an event in words: its node and what happens to it, with the words for crashes and restarts.

use crate::events::line::EventContext;
use crate::events::step::StepTrace;
use crate::words::names::Words;
use crate::words::timers::timer_name;
use machine::{Choice, Event, Init, Mode, NodeId, Outcome, Sent, State, Trigger, Value};

/// The node of an event, what happens to it, and the message that it handles. An event in which only time passes has no
/// node.
pub(crate) fn subject(
    context: &EventContext<'_>,
    event: &Event,
    before: &State,
) -> (Option<NodeId>, String, Option<Value>) {
    let words = context.words;
    let machine = words.machine;
    let (node, what) = match event {
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
            (*node, what)
        }
        Event::Expire(node, place, _) => {
            let timer = timer_name(words, *node, *place as usize);
            (*node, format!("timer {timer} expires"))
        }
        Event::Crash(node, _) => (*node, "crashes".into()),
        Event::CrashDuring(_, event) => {
            let (node, what, message) = subject(context, event, before);
            let what = match **event {
                Event::Expire(..) => format!("crashes as its {what}"),
                _ => format!("crashes while it {what}"),
            };
            return (node, what, message);
        }
        Event::Stop(node, _) => (*node, "stops".into()),
        Event::Restart(node) => (*node, restart(words, *node)),
        Event::Wait => return (None, "nothing happens".into(), None),
        Event::Transmit(node) => {
            let first = &before.nodes[node.index()].outbox[0];
            let to = machine.edges[first.edge.index()].1;
            let what = format!(
                "can now send {} to {}",
                words.value(&first.message),
                words.node(to)
            );
            (*node, what)
        }
        Event::Deliver(edge, message, outcome) => {
            let (from, to) = machine.edges[edge.index()];
            let text = words.value(message);
            // The sender is named if several nodes send to the receiver in the run.
            let several = context.several_senders.contains(&to);
            let from = if several {
                format!(" from {}", words.node(from))
            } else {
                String::new()
            };
            let what = arrival(*outcome, before.nodes[to.index()].mode, &text, &from);
            let handled = matches!(outcome, Outcome::HandOver(_) | Outcome::Repeat(..));
            return (Some(to), what, handled.then(|| message.clone()));
        }
    };
    (Some(node), what, None)
}

/// The outcome of a message.
fn arrival(outcome: Outcome, mode: Mode, text: &str, from: &str) -> String {
    match outcome {
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
        Outcome::Drop => match mode {
            Mode::Halted => format!("has halted: {text}{from} is dropped"),
            Mode::Off => format!("is off: {text}{from} is dropped"),
            Mode::Crashed => format!("has crashed: {text}{from} is dropped"),
            Mode::Stopped => format!("has stopped: {text}{from} is dropped"),
            Mode::Waiting | Mode::Running => format!("ignores {text}{from}"),
        },
    }
}

/// How a node restarts: from the start, with its persistent variables, or where it stopped.
fn restart(words: Words<'_>, node: NodeId) -> String {
    let machine = words.machine;
    if !machine
        .restart_of(node)
        .is_some_and(|restart| restart.fresh)
    {
        return "goes on where it stopped".into();
    }
    let vars = machine.vars_of(machine.kind_of(node));
    let kept: Vec<&str> = vars
        .filter(|var| var.persistent && !var.ghost)
        .map(|var| &var.name[..])
        .collect();
    match &kept[..] {
        [] => "begins again from the start".into(),
        [_, _, _, ..] => format!("begins again and keeps {} variables", kept.len()),
        few => format!("begins again and keeps {}", few.join(" and ")),
    }
}

/// The picks of an event that the story shows: not which messages of a crash are sent, nor initial values.
pub(crate) fn shown_picks<'c>(words: Words<'_>, choice: &'c Choice) -> &'c [Value] {
    let machine = words.machine;
    let picks = &choice.picks;
    match &choice.event {
        Event::CrashDuring(..) => &[], // their only effect is which messages are sent
        Event::Restart(node) => {
            let fresh = machine.restart_of(*node).is_some_and(|r| r.fresh);
            let vars = machine.vars_of(machine.kind_of(*node));
            let open =
                vars.filter(|var| fresh && !var.persistent && !matches!(var.init, Init::Value(..)));
            &picks[open.count().min(picks.len())..]
        }
        _ => picks,
    }
}

/// The messages that are still sent in an event during which the node crashes: `→ Go to node 2 only`,
/// `→ Alive to nobody`.
pub(crate) fn crash_sends(words: Words<'_>, step: &StepTrace) -> Vec<String> {
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
        let text = words.value(message);
        match gone.len() {
            0 => format!("→ {text} to nobody"),
            some if some < all => format!("→ {text} to {} only", words.nodes(&gone)),
            _ => format!("→ {text} to {} all the same", words.nodes(&gone)),
        }
    });
    each.collect()
}
