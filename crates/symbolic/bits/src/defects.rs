//! Seeded defects: rules that tests break one at a time, to show that the tests notice each.
//!
//! Each defect is queried at the one place that follows the rule. Without the feature `on` of `defect_switch` no rule is
//! broken and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

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

/// Whether a test breaks the rule.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
