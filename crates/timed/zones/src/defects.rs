//! Seeded defects: rules that tests break one at a time, to show that the tests detect each defect.
//!
//! Each defect is queried at the one place that applies the rule. Without the feature `on` of `defect_switch` no rule is
//! broken, and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A defect, named by the wrong behaviour that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Subsumption ignores that messages have a least delay.
    NoLowerBoundOfMessages,
    /// Subsumption ignores the constants with which properties compare `now`.
    BoundsOfCodeOnly,
    /// Subsumption ignores the bounds of responses.
    ResponsesNotBounds,
    /// The bounds of a timer are those of the setting that the search found first.
    FirstBoundsOfTimers,
    /// Timers with different durations are the same discrete part.
    DurationsForgotten,
    /// A timer that is set again keeps its clock.
    TimersKeepClocks,
    /// A delivered message leaves its clock to the next one on its edge.
    ClocksOfMessagesShift,
    /// Time passes beyond the latest times of obligations.
    DeadlinesIgnored,
    /// Before the first activation, the bounds are those of gaps.
    FirstIsAGap,
    /// Time passes before all start blocks have run.
    StartsLate,
    /// States are compared by their discrete part only.
    ZonesIgnored,
    /// Properties are evaluated only at the moments of events.
    OnlyAtEvents,
    /// An overdue response is cleared by its late response.
    LateResponseCounts,
    /// An event is enabled only strictly after its least time.
    StrictLowerBounds,
    /// Time stops strictly before the latest times of obligations.
    StrictDeadlines,
    /// An activation does not reset the clock of its node.
    ActivationsKeepClocks,
}

impl Defect {
    /// All defects.
    pub const ALL: [Defect; 16] = [
        Defect::NoLowerBoundOfMessages,
        Defect::BoundsOfCodeOnly,
        Defect::ResponsesNotBounds,
        Defect::FirstBoundsOfTimers,
        Defect::DurationsForgotten,
        Defect::TimersKeepClocks,
        Defect::ClocksOfMessagesShift,
        Defect::DeadlinesIgnored,
        Defect::FirstIsAGap,
        Defect::StartsLate,
        Defect::ZonesIgnored,
        Defect::OnlyAtEvents,
        Defect::LateResponseCounts,
        Defect::StrictLowerBounds,
        Defect::StrictDeadlines,
        Defect::ActivationsKeepClocks,
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
