//! For each entry of an inbox, the event that stored it.

use machine::{Choice, EdgeId, Event, Machine, NodeId, Outcome, State, Trace, Value};

/// The inboxes in one state of a run, each entry with the event that stored it.
pub(crate) struct Inboxes<'a> {
    machine: &'a Machine,
    /// By node: the entries of its inbox.
    entries: Vec<Vec<Entry>>,
}

struct Entry {
    from: NodeId,
    message: Value,
    event: usize,
}

impl<'a> Inboxes<'a> {
    /// The empty inboxes of the initial state.
    pub(crate) fn new(machine: &'a Machine) -> Inboxes<'a> {
        let entries = machine.nodes().map(|_| Vec::new()).collect();
        Inboxes { machine, entries }
    }

    /// The events that stored the present entries of a node's inbox.
    pub(crate) fn sources(&self, node: NodeId) -> impl Iterator<Item = usize> {
        self.entries[node.index()].iter().map(|entry| entry.event)
    }

    /// Advances over the event with index `event` to the state `after`, which is `None` if the event is an error.
    pub(crate) fn advance(
        &mut self,
        event: usize,
        choice: &Choice,
        effects: &Trace,
        after: Option<&State>,
    ) {
        let mut stored: Vec<(EdgeId, &Value)> = Vec::new();
        if let Event::Deliver(edge, message, Outcome::Store | Outcome::Repeat(_, None)) =
            &choice.event
        {
            stored.push((*edge, message));
        }
        let sent = effects.sent.iter();
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
            // If only some of several equal entries remain, they are taken to be the latest ones.
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
