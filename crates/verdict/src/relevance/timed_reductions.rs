//! Facts about a Machine that allow reductions in a search over digitised times.

use machine::{KindId, RecordId, VarId};

/// Facts about a Machine that allow reductions in a search over digitised times; `passes` computes them. By default
/// there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedReductions {
    /// Invisible deliveries: pairs of a kind of receiver and a message type. When and in which order such messages
    /// arrive before the receiver's next other event makes no difference.
    pub invisible: Vec<(KindId, RecordId)>,
    /// Variables that only the code of their own node reads.
    pub private: Vec<VarId>,
    /// Message types whose presence in channels no property reads.
    pub unwatched: Vec<RecordId>,
    /// Array elements that are never read again.
    pub dead_elements: Vec<DeadElements>,
}

/// Dead elements of an array variable: those with an index below `index + plus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadElements {
    /// The array.
    pub array: VarId,
    /// The variable of the same node that bounds the dead indices; it never decreases.
    pub index: VarId,
    /// The constant that is added to the variable.
    pub plus: i64,
    /// Message types with invisible deliveries that only change one element of the array, each with the field that
    /// contains the index.
    pub told: Vec<(RecordId, u32)>,
}
