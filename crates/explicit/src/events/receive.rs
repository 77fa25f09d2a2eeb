//! The reaction of a receiver to an instant message, and the insertion of messages into inboxes.

use crate::defects::{Defect, broken};
use crate::events::fire::run_code;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Effects, Stop};
use crate::state::layout::{Layout, Slots};
use crate::state::partial_value;
use machine::{BlockId, EdgeId, Inbox, Mode, NodeId, RecordId, Trigger};

/// Delivers a message on an instant channel: the receiver handles it as part of the sending event. The message is
/// discarded if the receiver is not running, cannot receive, or ignores the type.
#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one event, each of its own kind"
)]
pub(crate) fn take_at_once(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    frozen: &[i64],
    next: &mut Slots,
    edge: EdgeId,
    message: i64,
    picks: &mut std::slice::Iter<'_, i64>,
    effects: &mut Effects,
) -> Result<(), Stop> {
    let (from, to) = compiled.machine.edges[edge.index()];
    let record = compiled.record_of(message);
    let ignores = &compiled.machine.kinds[compiled.machine.kind_of(to).index()].ignores;
    if compiled.mode(next, to) != Mode::Running as i64
        || !compiled.can_receive(frozen, to)
        || ignores.contains(&record)
    {
        return Ok(());
    }
    let handles = |block: &BlockId| matches!(&compiled.machine.blocks[block.index()].trigger, Trigger::On(r, _) if *r == record);
    if let Some(block) = compiled.blocks_of(to).find(handles) {
        if !partial_value::is_known(message) {
            return Err(Stop::TooCoarse);
        }
        let first = compiled.messages.ranges[record.index()].0;
        let locals = [message - first, i64::from(from.0)];
        run_code(
            compiled, layout, frozen, next, to, block, locals, picks, effects,
        )
    } else if enters_inbox(compiled, to, record) {
        store_message(compiled, layout, next, edge, message)
    } else {
        Err(Stop::Broken)
    }
}

pub(crate) fn enters_inbox(compiled: &CompiledMachine<'_>, node: NodeId, record: RecordId) -> bool {
    compiled.messages.inboxes[compiled.machine.kind_of(node).index()][record.index()]
}

/// Stores a message in the inbox of its receiver. Messages outside of the cone of influence are discarded.
pub(crate) fn store_message(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    next: &mut Slots,
    edge: EdgeId,
    message: i64,
) -> Result<(), Stop> {
    let (from, to) = match compiled.machine.edges[edge.index()] {
        (_, to) if broken(Defect::SendersForgotten) => (NodeId(0), to),
        edge => edge,
    };
    let record = compiled.record_of(message);
    if compiled.masks.inboxes[to.index()][record.index()].is_none() {
        return Ok(());
    }
    let message = compiled.masked_message(to, message).expect("it matters");
    let entry = compiled.entry(from, message);
    let Inbox { latest, copies, .. } = compiled.machine.inbox;
    if latest && !broken(Defect::LatestKeepsAll) {
        let (first, end) = compiled.messages.ranges[record.index()];
        let is_old = |e: &i64| {
            let (sender, message) = compiled.received(*e);
            let (plain, _) = partial_value::split(message);
            sender == from && (first <= plain && plain < end || plain >= compiled.messages.count)
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
