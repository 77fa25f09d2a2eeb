//! Inbox entries as numbers: a sender, and a message or the encoding of an undecided one.

use crate::program::compiled_machine::CompiledMachine;
use crate::state::partial_value::{self, LazyComponent, SORTS, UNSURE};
use machine::NodeId;

impl CompiledMachine<'_> {
    /// The inbox entry of a message from `sender`; fields of the message may be unknown.
    pub(crate) fn entry(&self, sender: NodeId, message: i64) -> i64 {
        let (message, unknown) = partial_value::split(message);
        let before = i64::from(sender.0) * self.unknown_field_sets() + i64::from(unknown);
        before * (self.messages.count + SORTS) + message
    }

    /// The sender and the message of an entry.
    pub(crate) fn received(&self, entry: i64) -> (NodeId, i64) {
        let each = self.messages.count + SORTS;
        let (before, message) = (entry / each, entry % each);
        let (sender, unknown) = (
            before / self.unknown_field_sets(),
            before % self.unknown_field_sets(),
        );
        (
            NodeId(sender as u32),
            partial_value::record(message, unknown as u32),
        )
    }

    /// The number of different entries.
    pub(crate) fn entries(&self) -> u64 {
        let each = self.messages.count + SORTS;
        (each * self.unknown_field_sets()) as u64 * u64::from(self.machine.node_count())
    }

    /// The number of possible sets of unknown fields of a message. The sender is the most significant part of an entry,
    /// so sorted entries are grouped by sender.
    fn unknown_field_sets(&self) -> i64 {
        match self.is_abstract() {
            true => 1 << partial_value::most_fields(self.machine),
            false => 1,
        }
    }

    /// A message of the same type in which all fields in the cone of influence of the node's inbox are unknown.
    pub(crate) fn unknown_message(&self, node: NodeId, message: i64) -> i64 {
        let record = self.record_of(message);
        let first = self.messages.ranges[record.index()].0;
        let all = partial_value::all_fields(self.machine, record);
        let unknown = partial_value::record(first, all);
        self.masked_message(node, unknown).unwrap_or(first)
    }

    /// An undecided entry; `sort` is `SURE` or `UNSURE`.
    pub(crate) fn undecided_entry(&self, sender: NodeId, sort: i64) -> i64 {
        self.entry(sender, self.messages.count + sort)
    }

    /// Whether an entry is an undecided one from this sender.
    pub(crate) fn is_undecided(&self, sender: NodeId, entry: i64) -> bool {
        let (from, message) = self.received(entry);
        from == sender && message >= self.messages.count
    }

    /// The component of the first undecided entry in a node's inbox; with `only_unsure`, of the first one that may be
    /// absent.
    pub(crate) fn undecided_in<'e>(
        &self,
        node: NodeId,
        entries: impl Iterator<Item = &'e i64>,
        only_unsure: bool,
    ) -> Option<LazyComponent> {
        let mut received = entries.map(|entry| self.received(*entry));
        let asked = |sort| sort >= 0 && (sort == UNSURE || !only_unsure);
        let (sender, _) = received.find(|(_, m)| asked(m - self.messages.count))?;
        Some(LazyComponent::Inbox(node, sender))
    }
}
