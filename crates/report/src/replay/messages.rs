//! The messages of a run: for each, the event that sends it and the events in which it arrives.

use machine::{Channel, Choice, EdgeId, Event, Machine, NodeId, Outcome, State, Trace, Value};

/// One message of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flight {
    pub(crate) edge: EdgeId,
    pub(crate) message: Value,
    /// The event that puts it onto the channel. On an instant channel the message arrives in the same event.
    pub(crate) sent: usize,
    /// The events in which it arrives, with their outcomes; several only if the channel repeats the message.
    pub(crate) arrivals: Vec<(usize, Outcome)>,
    /// Whether it is still in flight at the end of the run.
    pub(crate) open: bool,
}

impl Flight {
    /// Whether it arrives in the event that sends it.
    pub(crate) fn at_once(&self) -> bool {
        self.arrivals.first().is_some_and(|(i, _)| *i == self.sent)
    }
}

/// The messages of a run, in the order in which they are put onto their channels.
///
/// Of equal messages on an unordered channel, the one that was sent first is taken to arrive first.
pub(crate) fn flights(
    machine: &Machine,
    choices: &[&Choice],
    states: &[&State],
    effects: &[&Trace],
) -> Vec<Flight> {
    if machine.channel == Channel::Instant {
        return instant_flights(effects);
    }
    let mut flights: Vec<Flight> = Vec::new();
    let mut in_flight: Vec<Vec<usize>> = vec![Vec::new(); machine.edges.len()];
    for (i, choice) in choices.iter().enumerate() {
        let node = machine.node_of(&choice.event);
        let mut removed = None;
        // A node that crashes while it handles a message has taken the message from the channel.
        let event = match &choice.event {
            Event::CrashDuring(_, instead_of) => &**instead_of,
            event => event,
        };
        if let Event::Deliver(edge, message, outcome) = event {
            let queue = &mut in_flight[edge.index()];
            let place = queue.iter().position(|f| flights[*f].message == *message);
            if let Some(place) = place {
                flights[queue[place]].arrivals.push((i, *outcome));
                if !matches!(outcome, Outcome::Repeat(..)) {
                    flights[queue.remove(place)].open = false;
                    removed = Some((*edge, message));
                }
            }
        }
        let Some(after) = states.get(i + 1) else {
            continue; // the event is an error
        };
        for e in node.into_iter().flat_map(|node| edges_from(machine, node)) {
            let mut left = states[i].edges[e.index()].clone();
            if let Some((edge, message)) = removed
                && edge == e
                && let Some(place) = left.iter().position(|m| m == message)
            {
                left.remove(place);
            }
            for message in new_messages(machine.channel, left, &after.edges[e.index()]) {
                in_flight[e.index()].push(flights.len());
                flights.push(Flight {
                    edge: e,
                    message,
                    sent: i,
                    arrivals: Vec::new(),
                    open: true,
                });
            }
        }
    }
    flights
}

/// The messages of a run on an instant channel.
fn instant_flights(effects: &[&Trace]) -> Vec<Flight> {
    let mut flights = Vec::new();
    for (i, effects) in effects.iter().enumerate() {
        flights.extend(effects.sent.iter().map(|sent| {
            Flight {
                edge: sent.edge,
                message: sent.message.clone(),
                sent: i,
                arrivals: sent
                    .at_once
                    .map(|outcome| (i, outcome))
                    .into_iter()
                    .collect(),
                open: false,
            }
        }));
    }
    flights
}

fn edges_from(machine: &Machine, node: NodeId) -> impl Iterator<Item = EdgeId> {
    let edges = machine.edges.iter().enumerate();
    edges
        .filter(move |(_, (from, _))| *from == node)
        .map(|(e, _)| EdgeId(e as u32))
}

/// The messages of a channel that an event adds, given its content before (without the removed message) and after.
fn new_messages(channel: Channel, mut before: Vec<Value>, after: &[Value]) -> Vec<Value> {
    match channel {
        Channel::Fifo(_) => after[before.len().min(after.len())..].to_vec(),
        Channel::Unordered | Channel::Instant => {
            let mut new = Vec::new();
            for message in after {
                match before.iter().position(|m| m == message) {
                    Some(place) => {
                        before.remove(place);
                    }
                    None => new.push(message.clone()),
                }
            }
            new
        }
    }
}
