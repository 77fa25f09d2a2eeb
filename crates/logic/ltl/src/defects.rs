//! Seeded defects: rules that tests break one at a time, to show that the tests notice each.
//!
//! Each defect is queried at the one place that follows the rule. Without the feature `on` of `defect_switch` no rule is
//! broken and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A rule that the code breaks while the defect is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// An until may be postponed for ever.
    PutOffForEver,
    /// The left side of an until need not hold before the right side does.
    LeftForgotten,
    /// A release is never released.
    NeverReleased,
    /// An eventual formula is taken to have one value for the whole word.
    EventualIsConstant,
    /// A consequence of one side of an until is taken to be a consequence of the until.
    FollowsFromOneSide,
    /// A component drops one mark that it needs.
    MarkDropped,
    /// States whose edges differ only in guards are merged.
    GuardsIgnored,
    /// A state simulates another with fewer marks.
    MarksIgnored,
    /// Backward simulation ignores whether a state is initial.
    InitialIgnored,
    /// The greedily found lasso is reported as the shortest.
    GreedyIsShortest,
}

impl Defect {
    /// The defects of the translation.
    pub const TRANSLATION: [Defect; 9] = [
        Defect::PutOffForEver,
        Defect::LeftForgotten,
        Defect::NeverReleased,
        Defect::EventualIsConstant,
        Defect::FollowsFromOneSide,
        Defect::MarkDropped,
        Defect::GuardsIgnored,
        Defect::MarksIgnored,
        Defect::InitialIgnored,
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
