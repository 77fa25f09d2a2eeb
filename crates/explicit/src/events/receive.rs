//! The reaction of a receiver to a message that arrives at once or enters its inbox.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Effects, Stop};
use crate::state::layout::{Layout, Slots};
use crate::state::partial_value;
use machine::{BlockId, EdgeId, Inbox, Mode, NodeId, RecordId, Trigger};

impl CompiledMachine<'_> {
    /// The receiver handles a message as part of the sending event.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one event, each of its own kind"
    )]
    pub(crate) fn take_at_once(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        edge: EdgeId,
        message: i64,
        picks: &mut std::slice::Iter<'_, i64>,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let (from, to) = self.machine.edges[edge.index()];
        let record = self.record_of(message);
        let ignores = &self.machine.kinds[self.machine.kind_of(to).index()].ignores;
        if self.mode(next, to) != Mode::Running as i64
            || !self.can_receive(frozen, to)
            || ignores.contains(&record)
        {
            return Ok(());
        }
        let handles = |block: &BlockId| matches!(&self.machine.blocks[block.index()].trigger, Trigger::On(r, _) if *r == record);
        if let Some(block) = self.blocks_of(to).find(handles) {
            if !partial_value::is_known(message) {
                return Err(Stop::TooCoarse);
            }
            let first = self.messages[record.index()].0;
            let locals = [message - first, i64::from(from.0)];
            self.run_code(layout, frozen, next, to, block, locals, picks, effects)
        } else if self.enters_inbox(to, record) {
            self.store(layout, next, edge, message)
        } else {
            Err(Stop::Broken)
        }
    }

    pub(crate) fn enters_inbox(&self, node: NodeId, record: RecordId) -> bool {
        self.inboxes[self.machine.kind_of(node).index()][record.index()]
    }

    /// Stores a message in the inbox of its receiver.
    pub(crate) fn store(
        &self,
        layout: &Layout,
        next: &mut Slots,
        edge: EdgeId,
        message: i64,
    ) -> Result<(), Stop> {
        let (from, to) = match self.machine.edges[edge.index()] {
            (_, to) if broken(Defect::SendersForgotten) => (NodeId(0), to),
            edge => edge,
        };
        let record = self.record_of(message);
        if self.inbox_masks[to.index()][record.index()].is_none() {
            return Ok(());
        }
        let message = self.masked_message(to, message).expect("it matters");
        let entry = self.entry(from, message);
        let Inbox { latest, copies, .. } = self.machine.inbox;
        if latest && !broken(Defect::LatestKeepsAll) {
            let (first, end) = self.messages[record.index()];
            let is_old = |e: &i64| {
                let (sender, message) = self.received(*e);
                let (plain, _) = partial_value::split(message);
                sender == from && (first <= plain && plain < end || plain >= self.message_count)
            };
            let place = layout.inbox(next, to).iter().position(is_old);
            if let Some(place) = place {
                layout.forget(next, to, place);
            }
        }
        let copies = copies && !broken(Defect::InboxForgetsCopies);
        if copies || !layout.inbox(next, to).contains(&entry) {
            layout.receive(next, to, entry)?;
        }
        Ok(())
    }
}
