//! Which events put into inboxes what is there.

use crate::replay::step::Deed;
use machine::{Choice, Event, Machine, NodeId, Outcome, State, Value};

/// The inboxes at some moment of a run, each message with the event that put it there.
pub(crate) struct Inboxes<'a> {
    machine: &'a Machine,
    /// By node; what was there at first is missing.
    entries: Vec<Vec<Entry>>,
}

struct Entry {
    from: NodeId,
    message: Value,
    event: usize,
}

impl<'a> Inboxes<'a> {
    /// At the start.
    pub(crate) fn new(machine: &'a Machine) -> Inboxes<'a> {
        let entries = machine.nodes().map(|_| Vec::new()).collect();
        Inboxes { machine, entries }
    }

    /// The events to which a node owes what is in its inbox.
    pub(crate) fn sources(&self, node: NodeId) -> impl Iterator<Item = usize> {
        self.entries[node.index()].iter().map(|entry| entry.event)
    }

    /// Goes on by an event, to the state behind it.
    pub(crate) fn happen(
        &mut self,
        event: usize,
        choice: &Choice,
        deed: &Deed,
        after: Option<&State>,
    ) {
        let mut stored: Vec<(machine::EdgeId, &Value)> = Vec::new();
        if let Event::Deliver(edge, message, Outcome::Store | Outcome::Repeat(_, None)) =
            &choice.event
        {
            stored.push((*edge, message));
        }
        let sent = deed.trace.sent.iter();
        let at_once = sent.filter(|s| s.at_once == Some(Outcome::Store));
        stored.extend(at_once.map(|s| (s.edge, &s.message)));
        for (edge, message) in stored {
            let (from, to) = self.machine.edges[edge.index()];
            let entries = &mut self.entries[to.index()];
            if !self.machine.inbox.copies {
                entries.retain(|e| e.from != from || e.message != *message);
            }
            entries.push(Entry {
                from,
                message: message.clone(),
                event,
            });
        }
        let Some(after) = after else { return };
        for (entries, node) in self.entries.iter_mut().zip(&after.nodes) {
            let mut left = node.inbox.clone();
            // The latest ones are those that are still there.
            let mut kept: Vec<Entry> = Vec::new();
            while let Some(entry) = entries.pop() {
                let there = |(from, message): &(NodeId, Value)| {
                    *from == entry.from && *message == entry.message
                };
                if let Some(place) = left.iter().position(there) {
                    left.remove(place);
                    kept.push(entry);
                }
            }
            kept.reverse();
            *entries = kept;
        }
    }
}
