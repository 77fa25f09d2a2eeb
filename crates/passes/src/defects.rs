//! Seeded defects: conditions of the passes that tests can disable, one at a time. A test suite that detects
//! none of them tests nothing.
//!
//! Each condition is queried at the one place where a pass checks it. Without the feature `on` of `defect_switch` every
//! condition is checked and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A condition that a pass fails to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Removed code may be an error.
    FailuresIgnored,
    /// Removed values may be out of range.
    RangesIgnored,
    /// A field that is read is removed.
    FieldsRead,
    /// Values without one of their fields are compared.
    FieldsCompared,
    /// Elements of a set are counted although some may have been merged.
    FieldsCounted,
    /// A set whose order has changed is traversed where the order matters.
    FieldsInOrder,
    /// An initial message is computed from the number of messages in an inbox that has lost fields.
    FieldsGuessed,
    /// Messages of a bag become equal.
    FieldsInBags,
    /// Arrays lose some of their elements.
    FieldsInKeys,
    /// Frozen variables change.
    FieldsOfFrozen,
    /// The first value of a set of initial values changes.
    FieldsOfFirst,
    /// A variable that conditions read is removed.
    VarsOfConditions,
    /// A variable that decides a branch is removed.
    VarsOfBranches,
    /// A variable without an initial value is removed.
    VarsWithoutBeginning,
    /// An inbox is no longer read.
    InboxesUnread,
    /// A variable that conditions read is reset.
    OverwrittenUnseen,
    /// A variable that is read before it is overwritten is reset.
    OverwrittenLate,
    /// A variable that only one of two branches overwrites is reset.
    OverwrittenPerhaps,
    /// A variable that only a loop overwrites, which may run for no element, is reset.
    OverwrittenInLoops,
    /// A variable that is only partly overwritten is reset.
    OverwrittenInParts,
    /// A variable is not reset where a node halts.
    OverwrittenNotAtHalt,
    /// A delivery is invisible although its handler does more than commuting updates.
    UnseenAnything,
    /// A delivery is invisible although the inbox keeps only the latest message.
    UnseenLatest,
    /// A variable is private although conditions read it.
    UnseenInConditions,
    /// A delivery is invisible although the message may be lost or repeated.
    UnseenLostOrRepeated,
    /// A delivery is invisible at a node that restarts.
    UnseenAtRestarts,
    /// A delivery is invisible behind visible ones in a queue.
    UnseenInQueues,
    /// Messages that conditions count are forgotten.
    UnwatchedCounted,
    /// Elements are dead although the index shrinks.
    OutgrownShrinks,
    /// Elements are dead although they are read slightly below the index.
    OutgrownBelow,
    /// Elements are dead although they are also read elsewhere.
    OutgrownElsewhere,
    /// Elements are dead although nodes restart.
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

    /// The defects of timed reductions.
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

/// Whether a test breaks the rule.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
