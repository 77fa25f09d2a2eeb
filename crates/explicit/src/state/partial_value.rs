//! Encodings of values that are undecided (lazy initial values), or wholly or partly unknown (data abstraction).

use machine::{Machine, NodeId, RecordId};

/// The value of a slot that is undecided: it stands for any of its initial values. With data abstraction it can also be
/// unknown, and then stands for any value of its type.
pub(crate) const UNDECIDED: i64 = i64::MIN;
/// Undecided inbox entries; their message numbers follow those of all messages. [`SURE`]: any of the initial messages.
/// [`UNSURE`]: any of the initial messages, or none.
pub(crate) const SURE: i64 = 0;
pub(crate) const UNSURE: i64 = 1;
/// The number of these two encodings.
pub(crate) const SORTS: i64 = 2;
/// A component of the initial state that may be undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LazyComponent {
    Slot(u32),
    /// The message from the second node in the initial inbox of the first node.
    Inbox(NodeId, NodeId),
}

/// The least encoding of a known value; encodings of wholly or partly unknown values are less.
const KNOWN_FROM: i64 = -(1 << 62);

/// The number of bits for the known part in the encoding of a partly unknown record. The bits above them are the mask
/// of unknown fields. Data abstraction does not apply to a Machine with a record of 2^50 or more values.
pub(crate) const PLAIN_BITS: u32 = 50;

/// The largest number of fields of a record. Data abstraction does not apply to a Machine with a record of more fields.
pub(crate) const MOST_FIELDS: usize = 11;

/// The largest number of values that are tried one by one for a variable that must be known and would become unknown.
const MOST_TRIED: u64 = 16;

/// Which part of the value of a slot may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotAbstraction {
    /// No part. If an unknown value is assigned, the values of the slot are tried instead: first value and number of
    /// values.
    Known(i64, u64),
    /// The whole value may be unknown.
    Whole,
    /// Fields of a record may be unknown; the number is the mask of all its fields.
    Fields(u32),
}

/// Whether a value is fully known.
pub(crate) fn is_known(value: i64) -> bool {
    value >= KNOWN_FROM
}

/// The encoding of a record with these unknown fields (at least one). In `plain`, the unknown fields have their first
/// value.
fn partly(plain: i64, fields: u32) -> i64 {
    UNDECIDED + 1 + (i64::from(fields) << PLAIN_BITS | plain)
}

/// The encoding of a record with these unknown fields; `plain` itself if there are none.
pub(crate) fn record(plain: i64, fields: u32) -> i64 {
    match fields {
        0 => plain,
        fields => partly(plain, fields),
    }
}

/// A record with its unknown fields at their first value, and the mask of the unknown fields.
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

/// What to assign to a slot instead of an unknown value: `Ok` with an encoding if it may be unknown. Otherwise `Err`
/// with the values to try, or with `None` if there are more than [`MOST_TRIED`].
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
