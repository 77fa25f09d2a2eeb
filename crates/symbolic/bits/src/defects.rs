//! Rules that tests can break, one at a time: a test that notices none of this is no test.
//!
//! Each is asked for at the one place where the rule is followed. Without the feature `defects` nothing is broken and the
//! questions cost nothing.

/// A rule that is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// `and`, `or`, `implies` evaluate the second operand even where it does not matter.
    NotLazy,
    /// Errors count that `all` and `exists` would have met behind the element that decides.
    DecidedGoesOn,
    /// Of several elements for which a key is largest the last is taken.
    LastOfSeveral,
    /// What is in a list twice is counted twice.
    CountsTwice,
    /// A value that is out of range is stored.
    OutOfRangeStored,
    /// A block goes on behind `halt`.
    HaltGoesOn,
    /// `clear inbox` is not seen by later reads.
    ClearedIsRead,
    /// A quotient is rounded up.
    RoundedUp,
    /// Assignments in branches that are not taken happen.
    BranchesMixed,
    /// A message to a node that is no neighbour is no error.
    AnyoneIsNeighbour,
    /// A variable of a node of another kind is no error.
    AnyKind,
}

#[cfg(feature = "defects")]
impl Defect {
    /// All of them.
    pub const ALL: [Defect; 11] = [
        Defect::NotLazy,
        Defect::DecidedGoesOn,
        Defect::LastOfSeveral,
        Defect::CountsTwice,
        Defect::OutOfRangeStored,
        Defect::HaltGoesOn,
        Defect::ClearedIsRead,
        Defect::RoundedUp,
        Defect::BranchesMixed,
        Defect::AnyoneIsNeighbour,
        Defect::AnyKind,
    ];
}

#[cfg(feature = "defects")]
mod active {
    use super::Defect;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Defect>> = const { Cell::new(None) };
    }

    /// Whether the rule is broken.
    pub(crate) fn broken(rule: Defect) -> bool {
        ACTIVE.get() == Some(rule)
    }

    /// Until this is dropped the rule is broken in this thread.
    pub struct Breaking(());

    impl Breaking {
        /// Breaks a rule.
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

/// Whether the rule is broken.
#[cfg(not(feature = "defects"))]
pub(crate) const fn broken(_: Defect) -> bool {
    false
}
