//! Seeded defects: rules that tests break one at a time, to show that the tests detect each defect.
//!
//! Each defect is queried at the one place that applies the rule. Without the feature `on` of `defect_switch` no rule is
//! broken, and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A defect, named by the wrong behaviour that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Time passes in urgent locations.
    UrgentDelays,
    /// While a location is committed, global edges without a committed process are possible.
    CommittedWaits,
    /// A synchronisation may leave out a weak participant that could take part.
    WeakIsFree,
    /// The invariant of the target is not a condition of an edge.
    TargetInvariantIgnored,
    /// Clocks are assigned in the reverse order.
    AssignmentsReversed,
    /// LU bounds ignore invariants.
    InvariantsNotBounds,
    /// LU bounds are not propagated over edges.
    BoundsNotPropagated,
    /// An assignment `x = c + y` leaves no bound for `y`.
    CopiesNotPropagated,
    /// If an edge copies a clock, LU bounds ignore that other processes compare its value.
    OtherProcessesIgnored,
    /// The LU bounds of a state are those of the first process.
    FirstProcessOnly,
    /// States are compared by their discrete part only.
    ZonesIgnored,
    /// A state with a transition to itself is no cycle.
    SelfLoopsIgnored,
    /// The times of a run may be at a strict bound.
    StrictTimesIgnored,
    /// The times of a run ignore invariants.
    InvariantTimesIgnored,
    /// The times of a run let time pass in urgent locations.
    UrgentTimesIgnored,
    /// The path to a state ends at the state before it.
    PathTooShort,
}

impl Defect {
    /// All defects.
    pub const ALL: [Defect; 16] = [
        Defect::UrgentDelays,
        Defect::CommittedWaits,
        Defect::WeakIsFree,
        Defect::TargetInvariantIgnored,
        Defect::AssignmentsReversed,
        Defect::InvariantsNotBounds,
        Defect::BoundsNotPropagated,
        Defect::CopiesNotPropagated,
        Defect::OtherProcessesIgnored,
        Defect::FirstProcessOnly,
        Defect::ZonesIgnored,
        Defect::SelfLoopsIgnored,
        Defect::StrictTimesIgnored,
        Defect::InvariantTimesIgnored,
        Defect::UrgentTimesIgnored,
        Defect::PathTooShort,
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
