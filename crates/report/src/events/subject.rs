//! The subject of an event: its node, its action, and the message that the node handles.

use crate::events::action::{Action, Arrival};
use crate::events::line::EventContext;
use crate::words::names::Words;
use machine::{Choice, Event, Init, NodeId, Outcome, State, Trigger, Value};

/// The node of an event, its action, and the message that the node handles, if any. If only time passes, there is no
/// node.
pub(crate) fn subject(
    context: &EventContext<'_>,
    event: &Event,
    before: &State,
) -> (Option<NodeId>, Action, Option<Value>) {
    let words = context.words;
    let machine = words.machine;
    let (node, action) = match event {
        Event::Run(node, block) => {
            let action = match machine.blocks[block.index()].trigger {
                Trigger::Start => Action::Starts,
                Trigger::Every(_) => Action::WakesUp,
                _ => Action::Does(words.block(*block).to_string()),
            };
            (*node, action)
        }
        Event::Expire(node, place, _) => (*node, Action::Expires(*node, *place as usize)),
        Event::Crash(node, _) => (*node, Action::Crashes),
        Event::CrashDuring(_, event) => {
            let (node, action, message) = subject(context, event, before);
            return (node, Action::CrashesDuring(Box::new(action)), message);
        }
        Event::Stop(node, _) => (*node, Action::Stops),
        Event::Restart(node) => (*node, restart(words, *node)),
        Event::Wait => return (None, Action::Waits, None),
        Event::Transmit(node) => {
            let first = &before.nodes[node.index()].outbox[0];
            let to = machine.edges[first.edge.index()].1;
            (*node, Action::CanSend(first.message.clone(), to))
        }
        Event::Deliver(edge, message, outcome) => {
            let (from, to) = machine.edges[edge.index()];
            let several = context.several_senders.contains(&to);
            let arrival = Arrival {
                message: message.clone(),
                from: several.then_some(from),
                outcome: *outcome,
                mode: before.nodes[to.index()].mode,
            };
            let handled = matches!(outcome, Outcome::HandOver(_) | Outcome::Repeat(..));
            let message = handled.then(|| message.clone());
            return (Some(to), Action::Arrives(arrival), message);
        }
    };
    (Some(node), action, None)
}

/// How a node restarts: from its initial state with its persistent variables, or in the state in which it stopped.
fn restart(words: Words<'_>, node: NodeId) -> Action {
    let machine = words.machine;
    if !machine
        .restart_of(node)
        .is_some_and(|restart| restart.fresh)
    {
        return Action::Resumes;
    }
    let vars = machine.vars_of(machine.kind_of(node));
    let kept = vars.filter(|var| var.persistent && !var.ghost);
    Action::BeginsAgain(kept.map(|var| var.name.clone()).collect())
}

/// The nondeterministic choices of an event that the story shows. All choices of an event with a crash, and the choice
/// of initial values at a restart, are left out.
pub(crate) fn shown_picks<'c>(words: Words<'_>, choice: &'c Choice) -> &'c [Value] {
    let machine = words.machine;
    let picks = &choice.picks;
    match &choice.event {
        Event::CrashDuring(..) => &[], // their only lasting effect is the set of messages sent
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
