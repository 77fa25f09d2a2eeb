//! Direct dependencies between the events of a run: program order at each node, messages, inboxes and queues.

use crate::replay::inboxes::Inboxes;
use crate::replay::messages::{Flight, flights};
use machine::{Channel, Choice, Event, Machine, Mode, NodeId, Outcome, State, Trace};

/// The direct dependencies between the events of a run.
pub(crate) struct Dependencies {
    /// By event: the earlier events on which it depends directly.
    pub(crate) of: Vec<Vec<usize>>,
    /// By node: the last event of the run at the node in which no message is dropped or lost.
    last: Vec<Option<usize>>,
}

impl Dependencies {
    pub(crate) fn new(
        machine: &Machine,
        choices: &[&Choice],
        states: &[&State],
        effects: &[&Trace],
    ) -> Dependencies {
        let flights = flights(machine, choices, states, effects);
        let mut inboxes = Inboxes::new(machine);
        let mut of = vec![Vec::new(); choices.len()];
        let mut last: Vec<Option<usize>> = vec![None; machine.node_count() as usize];
        for (i, choice) in choices.iter().enumerate() {
            let Some(node) = machine.node_of(&choice.event) else {
                continue; // only time passes
            };
            let node = node.index();
            of[i].extend(last[node]);
            if !is_discarded(choice) {
                last[node] = Some(i);
            }
            for reader in &effects[i].inboxes {
                of[i].extend(inboxes.sources(*reader));
            }
            inboxes.advance(i, choice, effects[i], states.get(i + 1).copied());
            for sent in &effects[i].sent {
                let to = machine.edges[sent.edge.index()].1.index();
                let halted = states[i].nodes[to].mode == Mode::Halted;
                match sent.at_once {
                    Some(Outcome::HandOver(_)) => {
                        of[i].extend(last[to]);
                        last[to] = Some(i);
                    }
                    Some(Outcome::Drop) if halted => of[i].extend(last[to]),
                    _ => {}
                }
            }
            of[i].retain(|cause| *cause < i);
        }
        for flight in &flights {
            for (arrival, _) in &flight.arrivals {
                if *arrival != flight.sent {
                    of[*arrival].push(flight.sent);
                }
            }
        }
        if let Channel::Fifo(bound) = machine.channel {
            for e in 0..machine.edges.len() {
                let of_edge: Vec<&Flight> =
                    flights.iter().filter(|f| f.edge.index() == e).collect();
                add_queue_order(&of_edge, bound, &mut of);
            }
        }
        Dependencies { of, last }
    }

    /// The last event at a node in which no message is dropped or lost; `None` if there is no such event.
    pub(crate) fn last_at(&self, node: NodeId) -> Option<usize> {
        self.last[node.index()]
    }
}

/// Whether a message is dropped or lost in the event.
pub(crate) fn is_discarded(choice: &Choice) -> bool {
    matches!(
        choice.event,
        Event::Deliver(_, _, Outcome::Drop | Outcome::Lose(_))
    )
}

/// Adds the dependencies of a queue: an arrival depends on the removal of the message in front, and a sending into a
/// bounded queue depends on the removal that makes room.
fn add_queue_order(flights: &[&Flight], bound: Option<u32>, of: &mut [Vec<usize>]) {
    let taken = |f: &Flight| (!f.open).then(|| f.arrivals.last().map(|a| a.0)).flatten();
    for (k, flight) in flights.iter().enumerate() {
        if let Some(before) = k.checked_sub(1).and_then(|k| taken(flights[k])) {
            for (arrival, _) in &flight.arrivals {
                of[*arrival].push(before);
            }
        }
        let room = bound.and_then(|bound| k.checked_sub(bound as usize));
        if let Some(made) = room.and_then(|k| taken(flights[k])) {
            // If one event both removes a message from the queue and adds one, it makes its own room.
            if made < flight.sent {
                of[flight.sent].push(made);
            }
        }
    }
}
