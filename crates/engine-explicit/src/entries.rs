//! Entries of inboxes as numbers: a sender with a message, or with one that is undecided.

use crate::model::Compiled;
use crate::undecided::{COPY, Part, SORTS, UNSURE};
use machine::{NodeId, Type};

impl Compiled<'_> {
    /// An entry of an inbox.
    pub(crate) fn entry(&self, sender: NodeId, message: i64) -> i64 {
        i64::from(sender.0) * (self.message_count + SORTS) + message
    }

    /// Sender and message of an entry of an inbox.
    pub(crate) fn received(&self, entry: i64) -> (NodeId, i64) {
        let each = self.message_count + SORTS;
        (NodeId((entry / each) as u32), entry % each)
    }

    /// An entry of an inbox of which it is undecided what it says.
    pub(crate) fn undecided_entry(&self, sender: NodeId, sort: i64) -> i64 {
        self.entry(sender, self.message_count + sort)
    }

    /// Whether an entry of an inbox is an undecided one of the sender.
    pub(crate) fn is_undecided(&self, sender: NodeId, entry: i64) -> bool {
        let (from, message) = self.received(entry);
        from == sender && message >= self.message_count
    }

    /// The first entry of a node's inbox that is undecided; or of which it is undecided whether it is there.
    pub(crate) fn undecided_in<'e>(
        &self,
        node: NodeId,
        entries: impl Iterator<Item = &'e i64>,
        only_unsure: bool,
    ) -> Option<Part> {
        let mut received = entries.map(|entry| self.received(*entry));
        let asked = |sort| sort >= 0 && (sort == UNSURE || !only_unsure);
        let (sender, message) = received.find(|(_, m)| asked(m - self.message_count))?;
        Some(match message - self.message_count {
            COPY => Part::Copy(node, sender),
            _ => Part::Inbox(node, sender),
        })
    }

    /// The slot of the variable that a node may send undecided, and the number of its type's first message.
    pub(crate) fn copied(&self, node: NodeId) -> Option<(u32, i64)> {
        let var = self.sent_undecided[self.machine.kind_of(node).index()]?;
        let Type::Record(record) = self.machine.vars[var.index()].ty else {
            unreachable!("verified to be a message")
        };
        let slot = self.bases[node.index()] + 1 + self.machine.place_of_var(var) as u32;
        Some((slot, self.messages[record.index()].0))
    }
}
