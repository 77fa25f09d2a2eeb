//! Encodings of values that are undecided (lazy initial values) or unknown in whole or in part (data abstraction).

use machine::{Machine, NodeId, RecordId};

/// In a slot: any of the initial values, or unknown.
pub(crate) const UNDECIDED: i64 = i64::MIN;
/// In an inbox, numbered behind all messages: any of the initial messages; any of them or none.
pub(crate) const SURE: i64 = 0;
pub(crate) const UNSURE: i64 = 1;
/// The number of these encodings.
pub(crate) const SORTS: i64 = 2;
/// A component of the initial state that may be undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LazyComponent {
    Slot(u32),
    /// The message from the second node in the initial inbox of the first.
    Inbox(NodeId, NodeId),
}

/// Encodings of unknown and partly unknown values are below this number.
const KNOWN_FROM: i64 = -(1 << 62);

/// Bits for the known part of a record; the bits above them mark unknown fields. Records with more values are always
/// known.
pub(crate) const PLAIN_BITS: u32 = 50;

/// Records with more fields are always known.
pub(crate) const MOST_FIELDS: usize = 11;

/// If a variable that must be known becomes unknown, at most this many values are tried.
const MOST_TRIED: u64 = 16;

/// What of a slot may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotAbstraction {
    /// Nothing: the values are tried one by one, this many from the first one, unless there are too many.
    Known(i64, u64),
    /// The whole value.
    Whole,
    /// Some of its fields; this is the mask of all fields.
    Fields(u32),
}

/// Whether a value is fully known.
pub(crate) fn is_known(value: i64) -> bool {
    value >= KNOWN_FROM
}

/// A record with these fields, at least one, unknown and at their first value.
fn partly(plain: i64, fields: u32) -> i64 {
    UNDECIDED + 1 + (i64::from(fields) << PLAIN_BITS | plain)
}

/// A record with these fields unknown.
pub(crate) fn record(plain: i64, fields: u32) -> i64 {
    match fields {
        0 => plain,
        fields => partly(plain, fields),
    }
}

/// A record, and the mask of its unknown fields.
pub(crate) fn split(value: i64) -> (i64, u32) {
    if is_known(value) || value == UNDECIDED {
        return (value, 0);
    }
    let both = value - UNDECIDED - 1;
    let plain = both & ((1 << PLAIN_BITS) - 1);
    (plain, (both >> PLAIN_BITS) as u32)
}

/// The mask of all fields of a record.
pub(crate) fn all_fields(machine: &Machine, record: RecordId) -> u32 {
    (1 << machine.records[record.index()].fields.len()) - 1
}

/// The greatest number of fields of a message.
pub(crate) fn most_fields(machine: &Machine) -> u32 {
    let messages = machine.records.iter().filter(|r| r.message);
    messages.map(|r| r.fields.len()).max().unwrap_or(0) as u32
}

/// The encoding of an unknown value in a slot; or the values to try.
pub(crate) fn abstracted(abstraction: SlotAbstraction) -> Result<i64, Option<Vec<i64>>> {
    match abstraction {
        SlotAbstraction::Whole => Ok(UNDECIDED),
        SlotAbstraction::Fields(all) => Ok(record(0, all)),
        SlotAbstraction::Known(first, places) if places <= MOST_TRIED => {
            Err(Some((first..first + places as i64).collect()))
        }
        SlotAbstraction::Known(..) => Err(None),
    }
}
