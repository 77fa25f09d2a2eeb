//! Seeded defects: rules that tests break one at a time, to show that the tests notice each.
//!
//! Each defect is queried at the one place that follows the rule. Without the feature `defects` no rule is
//! broken and the queries cost nothing.

/// A rule that the code breaks while the defect is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// `and`, `or`, `implies` evaluate the second operand even where it does not decide the result.
    NotLazy,
    /// `all` and `exists` report errors after the element that decides.
    DecidedGoesOn,
    /// The last of several elements with the largest key is taken.
    LastOfSeveral,
    /// Duplicates in a list are counted twice.
    CountsTwice,
    /// A value that is out of range is stored.
    OutOfRangeStored,
    /// A block continues after `halt`.
    HaltGoesOn,
    /// Later reads ignore `clear inbox`.
    ClearedIsRead,
    /// A quotient is rounded up.
    RoundedUp,
    /// Assignments in branches that are not taken take effect.
    BranchesMixed,
    /// A message to a node that is not a neighbour is no error.
    AnyoneIsNeighbour,
    /// A variable of a node of another kind is no error.
    AnyKind,
}

#[cfg(feature = "defects")]
impl Defect {
    /// All defects.
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

    /// Whether a rule is broken.
    pub(crate) fn broken(rule: Defect) -> bool {
        ACTIVE.get() == Some(rule)
    }

    /// A guard: the rule is broken in this thread until it is dropped.
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

/// Whether a rule is broken.
#[cfg(not(feature = "defects"))]
pub(crate) const fn broken(_: Defect) -> bool {
    false
}
