//! Conditions that tests can leave out, one at a time: a test that notices none of this is no test.
//!
//! Each is asked for at the one place where a pass looks at it. Without the feature `defects` nothing is
//! left out and the questions cost nothing.

/// A condition that a pass does not look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// What is left out may be an error.
    FailuresIgnored,
    /// What is left out may be out of range.
    RangesIgnored,
    /// A field that is read is removed.
    FieldsRead,
    /// Values without one of their fields are compared.
    FieldsCompared,
    /// Elements of a set are counted that may have become one.
    FieldsCounted,
    /// A set whose order has changed is gone through where the order matters.
    FieldsInOrder,
    /// What a message can say at first is counted from an inbox of other messages.
    FieldsGuessed,
    /// Messages of a bag become equal.
    FieldsInBags,
    /// Arrays lose some of their elements.
    FieldsInKeys,
    /// What is frozen changes.
    FieldsOfFrozen,
    /// The first value of a set is another one.
    FieldsOfFirst,
    /// A variable goes that conditions read.
    VarsOfConditions,
    /// A variable goes that decides which way code takes.
    VarsOfBranches,
    /// A variable goes that has no initial value.
    VarsWithoutBeginning,
    /// Nobody reads an inbox any more.
    InboxesUnread,
    /// A variable is set back that conditions read.
    OverwrittenUnseen,
    /// A variable is set back that is read before it is overwritten.
    OverwrittenLate,
    /// A variable is set back that only one of two branches overwrites.
    OverwrittenPerhaps,
    /// A variable is set back that only a loop overwrites, which may run for nobody.
    OverwrittenInLoops,
    /// A variable is set back of which only a part is overwritten.
    OverwrittenInParts,
    /// A variable is not set back where a node halts.
    OverwrittenNotAtHalt,
    /// Messages arrive invisible whose code does more than gather.
    UnseenAnything,
    /// Messages arrive invisible of which an inbox keeps the latest.
    UnseenLatest,
    /// Variables are private that conditions read.
    UnseenInConditions,
    /// Messages arrive invisible that may be lost or repeated.
    UnseenLostOrRepeated,
    /// Messages arrive invisible at nodes that begin again.
    UnseenAtRestarts,
    /// Messages arrive invisible behind others in a queue that do not.
    UnseenInQueues,
    /// Messages are forgotten that conditions count.
    UnwatchedCounted,
    /// Elements are dead_elements though the index shrinks.
    OutgrownShrinks,
    /// Elements are dead_elements that are read a little below the index.
    OutgrownBelow,
    /// Elements are dead_elements that are read elsewhere as well.
    OutgrownElsewhere,
    /// Elements are dead_elements though nodes begin again.
    OutgrownAtRestarts,
}

#[cfg(feature = "defects")]
impl Defect {
    /// All of them.
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

    /// Those of what a search over times takes for granted.
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

#[cfg(feature = "defects")]
mod active {
    use super::Defect;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Defect>> = const { Cell::new(None) };
    }

    /// Whether the condition is left out.
    pub(crate) fn broken(rule: Defect) -> bool {
        ACTIVE.get() == Some(rule)
    }

    /// Until this is dropped the condition is left out in this thread.
    pub struct Breaking(());

    impl Breaking {
        /// Leaves a condition out.
        pub fn rule(rule: Defect) -> Breaking {
            ACTIVE.set(Some(rule));
            Breaking(())
        }
    }

    impl Drop for Breaking {
        fn drop(&mut self) {
            ACTIVE.set(None);
        }
    }
}

#[cfg(feature = "defects")]
pub use active::Breaking;
#[cfg(feature = "defects")]
pub(crate) use active::broken;

/// Whether the condition is left out.
#[cfg(not(feature = "defects"))]
pub(crate) const fn broken(_: Defect) -> bool {
    false
}
