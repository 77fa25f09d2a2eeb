//! Seeded defects: rules that a test can break, one at a time, to show that the tests detect the defect.
//!
//! Each defect is queried at the one place that applies the rule. Without the feature `on` of the crate
//! `defect_switch`, no rule is broken and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A defect, named by the wrong behaviour that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// `and`, `or`, `implies` evaluate the second operand even if the first decides the result.
    NotLazy,
    /// `all` and `exists` report errors of elements after the one that decides the result.
    DecidedGoesOn,
    /// Of several elements with the same extreme key, the last is taken instead of the first.
    LastOfSeveral,
    /// Duplicates in a list of guarded elements count twice.
    CountsTwice,
    /// A value out of range is stored without an error.
    OutOfRangeStored,
    /// A block continues after `halt`.
    HaltGoesOn,
    /// Reads after `clear inbox` still see the messages.
    ClearedIsRead,
    /// A quotient that should be rounded down is rounded up.
    RoundedUp,
    /// Assignments in branches that are not taken take effect.
    BranchesMixed,
    /// Sending to a node that is not a neighbour is no error.
    AnyoneIsNeighbour,
    /// Reading a variable of a node of another kind is no error.
    AnyKind,
}

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

impl Rule for Defect {
    fn number(self) -> u32 {
        self as u32
    }
}

/// Whether a test has broken the rule.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
