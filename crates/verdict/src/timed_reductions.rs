//! Facts about a Machine that allow reductions in a search over times.

use machine::{KindId, RecordId, VarId};

/// Facts about a Machine that allow reductions in a search over times. Empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedReductions {
    /// Invisible deliveries: messages, by kind of receiver, whose arrival times and order before the receiver's next
    /// other event are not observable.
    pub invisible: Vec<(KindId, RecordId)>,
    /// Variables that only the code of their own node reads.
    pub private: Vec<VarId>,
    /// Messages whose presence in channels no property reads.
    pub unwatched: Vec<RecordId>,
    /// Array elements that are not read any more.
    pub dead_elements: Vec<DeadElements>,
}

/// Dead elements of an array variable: those with indices below another variable of the node plus a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadElements {
    /// The array.
    pub array: VarId,
    /// The variable that bounds the dead indices; it never decreases.
    pub index: VarId,
    /// The constant that is added to it.
    pub plus: i64,
    /// Invisible messages that change only one element of the array, with the field that is the index.
    pub told: Vec<(RecordId, u32)>,
}
