//! Seeded defects: conditions of the passes that tests can disable, one at a time, to show that the tests detect the
//! defect.
//!
//! Each condition is queried at the one place at which a pass checks it. Without the feature `on` of `defect_switch`
//! every condition is checked, and the queries have no cost.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A condition that a pass fails to check; the documentation of a variant says what the defective pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Code that may be a runtime error is removed.
    FailuresIgnored,
    /// Values that may be out of range are removed.
    RangesIgnored,
    /// A field that is read is removed.
    FieldsRead,
    /// Records are compared after one of their fields was removed.
    FieldsCompared,
    /// Elements of a set are counted although the removal of a field may have made some of them equal.
    FieldsCounted,
    /// A set whose order may have changed is traversed by code that depends on the order.
    FieldsInOrder,
    /// An initial message is computed from the number of messages in an inbox, although fields of these were removed.
    FieldsGuessed,
    /// Fields of messages in a bag are removed, so that messages may become equal.
    FieldsInBags,
    /// Fields in array indices are removed, so that arrays lose elements.
    FieldsInKeys,
    /// Fields in frozen variables are removed.
    FieldsOfFrozen,
    /// Fields in a set of initial values are removed, so that another value may become the first.
    FieldsOfFirst,
    /// A variable that a condition reads is removed.
    VarsOfConditions,
    /// A variable that the condition of a branch reads is removed.
    VarsOfBranches,
    /// A variable is removed although its set of initial values may be empty.
    VarsWithoutBeginning,
    /// Code that reads an inbox is removed, so that other message types enter the inbox.
    InboxesUnread,
    /// A variable that a condition reads is reset.
    OverwrittenUnseen,
    /// A variable that is read before it is overwritten is reset.
    OverwrittenLate,
    /// A variable that only one branch of an `if` overwrites is reset.
    OverwrittenPerhaps,
    /// A variable that only the body of a loop overwrites is reset, although the loop may have no iteration.
    OverwrittenInLoops,
    /// A variable of which only a part is overwritten is reset.
    OverwrittenInParts,
    /// A variable is not reset before a `halt`.
    OverwrittenNotAtHalt,
    /// A delivery counts as invisible although its handler does more than commuting updates.
    UnseenAnything,
    /// A delivery counts as invisible although the inbox keeps only the latest message.
    UnseenLatest,
    /// A variable counts as private although conditions read it.
    UnseenInConditions,
    /// A delivery counts as invisible although the message may be lost or repeated.
    UnseenLostOrRepeated,
    /// A delivery counts as invisible although its receiver may restart.
    UnseenAtRestarts,
    /// A delivery counts as invisible although it may wait behind visible deliveries in a queue.
    UnseenInQueues,
    /// Messages that conditions count with `InFlight` are forgotten.
    UnwatchedCounted,
    /// Elements count as dead although the index may decrease.
    OutgrownShrinks,
    /// Elements count as dead although they are read at a smaller index.
    OutgrownBelow,
    /// Elements count as dead although the array is also read in other ways.
    OutgrownElsewhere,
    /// Elements count as dead although nodes restart.
    OutgrownAtRestarts,
}

impl Defect {
    /// All defects.
    pub const ALL: [Defect; 32] = [
        Defect::FailuresIgnored,
        Defect::RangesIgnored,
        Defect::FieldsRead,
        Defect::FieldsCompared,
        Defect::FieldsCounted,
        Defect::FieldsInOrder,
        Defect::FieldsGuessed,
        Defect::FieldsInBags,
        Defect::FieldsInKeys,
        Defect::FieldsOfFrozen,
        Defect::FieldsOfFirst,
        Defect::VarsOfConditions,
        Defect::VarsOfBranches,
        Defect::VarsWithoutBeginning,
        Defect::InboxesUnread,
        Defect::OverwrittenUnseen,
        Defect::OverwrittenLate,
        Defect::OverwrittenPerhaps,
        Defect::OverwrittenInLoops,
        Defect::OverwrittenInParts,
        Defect::OverwrittenNotAtHalt,
        Defect::UnseenAnything,
        Defect::UnseenLatest,
        Defect::UnseenInConditions,
        Defect::UnseenLostOrRepeated,
        Defect::UnseenAtRestarts,
        Defect::UnseenInQueues,
        Defect::UnwatchedCounted,
        Defect::OutgrownShrinks,
        Defect::OutgrownBelow,
        Defect::OutgrownElsewhere,
        Defect::OutgrownAtRestarts,
    ];

    /// The defects of the timed reductions.
    pub const OF_SHORTCUTS: [Defect; 11] = [
        Defect::UnseenAnything,
        Defect::UnseenLatest,
        Defect::UnseenInConditions,
        Defect::UnseenLostOrRepeated,
        Defect::UnseenAtRestarts,
        Defect::UnseenInQueues,
        Defect::UnwatchedCounted,
        Defect::OutgrownShrinks,
        Defect::OutgrownBelow,
        Defect::OutgrownElsewhere,
        Defect::OutgrownAtRestarts,
    ];
}

impl Rule for Defect {
    fn number(self) -> u32 {
        self as u32
    }
}

/// Whether a test has enabled this defect.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}

/// A condition that the projection fails to check; the documentation of a variant says what the defective projection
/// does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projecting {
    /// One node is considered enough for errors, although an error may need a second node.
    Errors,
    /// Limits of faults that depend on the number of nodes are accepted.
    Limits,
    /// Counts of the elements of sets of nodes, and choices among them, are accepted.
    Counts,
    /// Comparisons of sets of nodes are accepted.
    Compares,
    /// Quantifiers over nodes in code are accepted.
    Quantifiers,
    /// Code that runs because of another node may change anything.
    Focus,
    /// The projection of a fair run is considered fair.
    Fairness,
    /// Arrays over nodes whose elements may be out of range are accepted.
    Ranges,
}

impl Rule for Projecting {
    fn number(self) -> u32 {
        self as u32
    }
}

/// Whether a test has disabled this condition of the projection.
#[inline(always)]
pub(crate) fn is_ignored_rule(rule: Projecting) -> bool {
    is_broken(rule)
}
