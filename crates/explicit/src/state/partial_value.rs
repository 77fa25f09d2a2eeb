//! Values that are not known: a search that is looser than the Machine, and far smaller.
//!
//! *What.* A variable that holds data, or a field of a message in an inbox, may be unknown: it has any value of its
//! type. At first that is what is undecided; later what is computed from something unknown. Code that asks for
//! it goes both ways. So a state stands for all states that agree with it in what is known, and for each step
//! of one of them there is a step here.
//!
//! *Why it helps.* What holds here holds. A run that breaks something here counts only if the same events, one after
//! the other, break it in the exact search (`follow`); where others were met and none of those counted, the exact
//! search answers.
//!
//! *When.* Where messages arrive at once and inboxes keep the latest of one type; not for claims about runs that go
//! on for ever. What guards read is always known. Nothing is forgotten that may be an error: then the loose
//! search is given up. Numbers, truth values and enums steer, so they are decided and not forgotten.

use machine::NodeId;
use machine::{Machine, RecordId};

/// In a slot: any of the initial values, or unknown.
pub(crate) const UNDECIDED: i64 = i64::MIN;
/// In an inbox, behind all messages: any of the initial ones; any of them or none.
pub(crate) const SURE: i64 = 0;
pub(crate) const UNSURE: i64 = 1;
/// How many of these there are.
pub(crate) const SORTS: i64 = 2;
/// A part of a state that may be undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LazyComponent {
    Slot(u32),
    /// What the second node sent to the first before the run began.
    Inbox(NodeId, NodeId),
}

/// What is not known, or only some fields of it, is below.
const KNOWN_FROM: i64 = -(1 << 62);

/// Records with more values are always known; so many bits below those that say which fields are not.
pub(crate) const PLAIN_BITS: u32 = 50;

/// Records with more fields are always known.
pub(crate) const MOST_FIELDS: usize = 11;

/// Of a variable that is always known, if it becomes unknown, so many values are tried.
const MOST_TRIED: u64 = 16;

/// What of a slot can be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotAbstraction {
    /// Nothing: this is tried value by value, so many from the first one, or else too many.
    Known(i64, u64),
    /// The value.
    Whole,
    /// Some of its fields; these are all.
    Fields(u32),
}

/// Whether a value is known altogether.
pub(crate) fn is_known(value: i64) -> bool {
    value >= KNOWN_FROM
}

/// A record of which these fields, at least one, are not known, and stand at their first value.
fn partly(plain: i64, fields: u32) -> i64 {
    UNDECIDED + 1 + (i64::from(fields) << PLAIN_BITS | plain)
}

/// The record with these fields unknown.
pub(crate) fn record(plain: i64, fields: u32) -> i64 {
    match fields {
        0 => plain,
        fields => partly(plain, fields),
    }
}

/// A record, and which of its fields are not known.
pub(crate) fn split(value: i64) -> (i64, u32) {
    if is_known(value) || value == UNDECIDED {
        return (value, 0);
    }
    let both = value - UNDECIDED - 1;
    let plain = both & ((1 << PLAIN_BITS) - 1);
    (plain, (both >> PLAIN_BITS) as u32)
}

/// All fields of a record.
pub(crate) fn all_fields(machine: &Machine, record: RecordId) -> u32 {
    (1 << machine.records[record.index()].fields.len()) - 1
}

/// How many fields messages have at the most.
pub(crate) fn most_fields(machine: &Machine) -> u32 {
    let messages = machine.records.iter().filter(|r| r.message);
    messages.map(|r| r.fields.len()).max().unwrap_or(0) as u32
}

/// What stands in a slot instead of an unknown value; or the values to try.
pub(crate) fn abstracted(keeps: SlotAbstraction) -> Result<i64, Option<Vec<i64>>> {
    match keeps {
        SlotAbstraction::Whole => Ok(UNDECIDED),
        SlotAbstraction::Fields(all) => Ok(record(0, all)),
        SlotAbstraction::Known(first, places) if places <= MOST_TRIED => {
            Err(Some((first..first + places as i64).collect()))
        }
        SlotAbstraction::Known(..) => Err(None),
    }
}
