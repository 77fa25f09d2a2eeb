//! Seeded defects: rules that tests disable one at a time, to show that the tests detect each defect.
//!
//! The code asks for each defect at the one place that implements the rule. Without the feature `on` of `defect_switch`
//! no defect is active, and the calls cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A rule that the code breaks while the defect is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The right side of an until may be postponed for ever.
    PutOffForEver,
    /// The left side of an until need not hold before the right side does.
    LeftForgotten,
    /// The right side of a release must hold for ever, even after the left side has held.
    NeverReleased,
    /// An eventual formula is taken to have the same value on all suffixes of a word.
    EventualIsConstant,
    /// A consequence of the left side of an until is taken to be a consequence of the until.
    FollowsFromOneSide,
    /// One acceptance mark that is needed is removed.
    MarkDropped,
    /// States whose edges differ only in their guards are merged.
    GuardsIgnored,
    /// In a simulation, an edge may be matched by one with fewer marks.
    MarksIgnored,
    /// Backward simulation ignores whether a state is initial.
    InitialIgnored,
    /// A lasso found by the greedy search is reported as a shortest one.
    GreedyIsShortest,
}

impl Defect {
    /// The defects of the translation from formulas to automata.
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

/// Whether a test has activated this defect.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
