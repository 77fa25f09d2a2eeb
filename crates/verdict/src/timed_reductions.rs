//! What a search over times may take for granted, so that it visits fewer states.

use machine::{KindId, RecordId, VarId};

/// What a search over times may take for granted of a Machine. By default nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedReductions {
    /// Messages, by kind of receiver, of which nobody can tell when they arrived before the receiver's next other event,
    /// nor in which order.
    pub invisible: Vec<(KindId, RecordId)>,
    /// Variables that nobody reads but the code of their own node.
    pub private: Vec<VarId>,
    /// Messages of which nobody asks whether they are on the way.
    pub unwatched: Vec<RecordId>,
    /// Elements of arrays that are not read any more.
    pub dead_elements: Vec<DeadElements>,
}

/// Elements of an array, a variable, that are not read any more: those below another variable of the node plus a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadElements {
    /// The array.
    pub array: VarId,
    /// The variable, which never gets smaller.
    pub index: VarId,
    /// What is added to it.
    pub plus: i64,
    /// Unseen messages that change nothing but one element of the array, with the field that says which.
    pub told: Vec<(RecordId, u32)>,
}
