//! Step traces: what the states do not show of an event, namely its sends, its reads of inboxes, and its activation
//! number.

use machine::{Choice, Event, Instance, NodeId, Sent, State, Timing, Trace};

/// The step trace of one event.
#[derive(Clone, Debug)]
pub(crate) struct StepTrace {
    /// The messages that the code of the event sends and the inboxes that it reads.
    pub(crate) effects: Trace,
    /// If the node crashes during the event: the messages that its code would send without the crash. Otherwise empty.
    pub(crate) intended: Vec<Sent>,
    /// The number of the event among the counted activations of its node, from 1; `None` if it is no counted
    /// activation.
    pub(crate) activation: Option<u64>,
}

/// The step traces of all events of a run.
pub(crate) fn step_traces(
    instance: Instance<'_>,
    choices: &[Choice],
    states: &[State],
) -> Vec<StepTrace> {
    let mut counts = vec![0; instance.machine.node_count() as usize];
    let events = choices.iter().zip(states);
    events
        .map(|(choice, before)| {
            let activation = activated(instance, choice).map(|node| {
                counts[node.index()] += 1;
                counts[node.index()]
            });
            step_trace(instance, before, choice, activation)
        })
        .collect()
}

/// The step trace of a choice in the state `before`, to which the choices `so_far` lead.
pub(crate) fn next_step_trace(
    instance: Instance<'_>,
    so_far: &[Choice],
    before: &State,
    choice: &Choice,
) -> StepTrace {
    let node = activated(instance, choice);
    let earlier = so_far.iter().filter(|c| activated(instance, c) == node);
    let activation = node.map(|_| earlier.count() as u64 + 1);
    step_trace(instance, before, choice, activation)
}

fn step_trace(
    instance: Instance<'_>,
    before: &State,
    choice: &Choice,
    activation: Option<u64>,
) -> StepTrace {
    let intended = match &choice.event {
        Event::CrashDuring(_, instead_of) => {
            // The last pick of a crash selects the messages that are still sent.
            let picks = &choice.picks[..choice.picks.len().saturating_sub(1)];
            let whole = Choice {
                event: (**instead_of).clone(),
                picks: picks.to_vec(),
                time: choice.time.clone(),
            };
            instance.trace(before, &whole).sent
        }
        _ => Vec::new(),
    };
    StepTrace {
        effects: instance.trace(before, choice),
        intended,
        activation,
    }
}

/// The node of a counted activation; `None` for other events. Activations at any time ([`Timing::Any`]) are not
/// counted.
pub(crate) fn activated(instance: Instance<'_>, choice: &Choice) -> Option<NodeId> {
    match instance.machine.activation(&choice.event)? {
        (_, Timing::Any) => None,
        (node, _) => Some(node),
    }
}
