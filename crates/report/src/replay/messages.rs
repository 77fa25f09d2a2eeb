//! The messages of a run: which event put each onto its channel, and what became of it.

use crate::replay::step::Deed;
use machine::{Channel, Choice, EdgeId, Event, Machine, NodeId, Outcome, State, Value};

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flight {
    /// Along which edge.
    pub(crate) edge: EdgeId,
    /// What it says.
    pub(crate) message: Value,
    /// The event that put it onto the channel; where messages arrive at once, it is its arrival, too.
    pub(crate) sent: usize,
    /// The events at its other end; only what is repeated has more than one.
    pub(crate) arrivals: Vec<(usize, Outcome)>,
    /// At the end of the run it is still on its way.
    pub(crate) open: bool,
}

impl Flight {
    /// It arrives with the event that sends it.
    pub(crate) fn at_once(&self) -> bool {
        self.arrivals.first().is_some_and(|(i, _)| *i == self.sent)
    }
}

/// The messages of a run, in the order in which they were put onto their channels.
///
/// Of equal messages in a bag the one that was sent first arrives first.
pub(crate) fn flights(
    machine: &Machine,
    choices: &[Choice],
    states: &[State],
    deeds: &[Deed],
) -> Vec<Flight> {
    if machine.channel == Channel::Instant {
        return at_once(deeds);
    }
    let mut flights: Vec<Flight> = Vec::new();
    let mut on_the_way: Vec<Vec<usize>> = vec![Vec::new(); machine.edges.len()];
    for (i, choice) in choices.iter().enumerate() {
        let node = machine.node_of(&choice.event);
        let mut removed = None;
        // Who crashes while it handles a message has taken it all the same.
        let happens = match &choice.event {
            Event::CrashDuring(_, instead_of) => &**instead_of,
            event => event,
        };
        if let Event::Deliver(edge, message, outcome) = happens {
            let queue = &mut on_the_way[edge.index()];
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
        for (e, _) in node.into_iter().flat_map(|node| sending(machine, node)) {
            let mut left = states[i].edges[e.index()].clone();
            if let Some((edge, message)) = removed
                && edge == e
                && let Some(place) = left.iter().position(|m| m == message)
            {
                left.remove(place);
            }
            for message in new_messages(machine.channel, left, &after.edges[e.index()]) {
                on_the_way[e.index()].push(flights.len());
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

/// Messages that arrive with the event that sends them.
fn at_once(deeds: &[Deed]) -> Vec<Flight> {
    let mut flights = Vec::new();
    for (i, deed) in deeds.iter().enumerate() {
        flights.extend(deed.trace.sent.iter().map(|sent| {
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

/// The edges that begin at a node.
fn sending(machine: &Machine, node: NodeId) -> impl Iterator<Item = (EdgeId, NodeId)> {
    let edges = machine.edges.iter().enumerate();
    edges
        .filter(move |(_, (from, _))| *from == node)
        .map(|(e, (_, to))| (EdgeId(e as u32), *to))
}

/// What is on a channel that was not there before.
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
