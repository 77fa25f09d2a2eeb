//! Seeded defects: rules that tests break one at a time, to show that the tests detect each defect.
//!
//! Each defect is queried at the one place that applies the rule. Without the feature `on` of `defect_switch` no rule is
//! broken, and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A defect, named by the wrong behaviour that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The sum of a strict and a closed bound is closed.
    StrictPlusClosedIsClosed,
    /// An added constraint does not tighten the upper bounds of clocks.
    ColumnNotUpdated,
    /// A clock with an arbitrary value keeps its differences to other clocks.
    FreedKeepsDifferences,
    /// The extrapolation removes upper bounds that are equal to L, too.
    EqualToLower,
    /// The extrapolation compares lower bounds of clocks with L instead of U.
    LowerForUpper,
    /// The extrapolation removes the lower bounds of clocks above U instead of replacing them by `> U`.
    LowerBoundsRemoved,
    /// In the test of inclusion in the abstraction aLU, `<=` replaces `<` in the comparison with L.
    ClosedForStrict,
    /// In the test of inclusion in the abstraction aLU, `<` replaces `<=` in the comparison with U.
    StrictForClosed,
    /// The test of inclusion in the abstraction aLU ignores the reference clock.
    ReferenceIgnored,
    /// The minimal form has no cycles of clocks with a constant difference.
    CyclesLost,
    /// The minimal form searches for shorter paths also through clocks with a constant difference to the ends.
    PathsThroughCycles,
}

impl Defect {
    /// All defects.
    pub const ALL: [Defect; 11] = [
        Defect::StrictPlusClosedIsClosed,
        Defect::ColumnNotUpdated,
        Defect::FreedKeepsDifferences,
        Defect::EqualToLower,
        Defect::LowerForUpper,
        Defect::LowerBoundsRemoved,
        Defect::ClosedForStrict,
        Defect::StrictForClosed,
        Defect::ReferenceIgnored,
        Defect::CyclesLost,
        Defect::PathsThroughCycles,
    ];
}

impl Rule for Defect {
    fn number(self) -> u32 {
        self as u32
    }
}

/// Whether a test has activated this defect.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
