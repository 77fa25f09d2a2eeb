//! Seeded defects: rules that a test can break, one at a time, to show that the tests detect the defect.
//!
//! Each defect is queried at the one place that applies the rule. Without the feature `on` of the crate
//! `defect_switch`, no rule is broken and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A defect, named by the wrong behaviour that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The contents of a message are evaluated after the block instead of at the send.
    ContentsAfterBlock,
    /// From an arbitrary start, the first activation obeys the declared bounds of the first activation of a run.
    FirstNotWidened,
    /// The unrolling contains at most one activation more of each node than the early node may have made.
    HorizonShort,
    /// A message that arrives exactly at the time of a read always arrives before it.
    TiesOneWay,
    /// An inbox keeps its contents when it is cleared.
    ClearedStays,
    /// Nodes that are off or mute send.
    OffNodesSend,
    /// Deaf nodes receive.
    DeafNodesHear,
    /// The cut is never later than the first activation of a node that is off.
    OffNodesHoldTime,
    /// Inboxes with arbitrary initial contents contain only messages of nodes that can send.
    LeftoversForgotten,
    /// The claim is not checked in initial states.
    StartNotLookedAt,
    /// A lemma uses the least duration of a gap in both directions of time.
    LemmaTooStrong,
    /// If several messages of a sender arrive between two reads, the first is kept instead of the last.
    FirstIsLatest,
    /// The claim is checked only directly after the activation with which a count is reached.
    FirstMomentOnly,
    /// `count > n` is treated as `count >= n`.
    ReachOneLess,
    /// From an arbitrary start variables have their initial values.
    VariablesAsAtFirst,
    /// From an arbitrary start inboxes have their initial contents.
    InboxesAsAtFirst,
    /// From an arbitrary start, no message is in transit.
    OnTheWayForgotten,
    /// A message that has arrived before one activation may be absent at the next, although it was not cleared.
    ArrivedAndGone,
    /// Messages overtake each other even in a fifo channel.
    FifoOvertakes,
    /// Lost messages arrive.
    LostArrives,
    /// From an arbitrary start, no further message can be lost.
    LossesUsedUp,
    /// Inboxes are assumed to hold a message of every sender although this was not proved.
    FilledThoughNot,
    /// Initial phases are ordered also among nodes that are not interchangeable.
    PhasesInOrder,
}

impl Defect {
    /// All defects.
    pub const ALL: [Defect; 23] = [
        Defect::ContentsAfterBlock,
        Defect::FirstNotWidened,
        Defect::HorizonShort,
        Defect::TiesOneWay,
        Defect::ClearedStays,
        Defect::OffNodesSend,
        Defect::DeafNodesHear,
        Defect::OffNodesHoldTime,
        Defect::LeftoversForgotten,
        Defect::StartNotLookedAt,
        Defect::LemmaTooStrong,
        Defect::FirstIsLatest,
        Defect::FirstMomentOnly,
        Defect::ReachOneLess,
        Defect::VariablesAsAtFirst,
        Defect::InboxesAsAtFirst,
        Defect::OnTheWayForgotten,
        Defect::ArrivedAndGone,
        Defect::FifoOvertakes,
        Defect::LostArrives,
        Defect::LossesUsedUp,
        Defect::FilledThoughNot,
        Defect::PhasesInOrder,
    ];
}

impl Rule for Defect {
    fn number(self) -> u32 {
        self as u32
    }
}

/// Whether a test has broken the rule.
#[inline(always)]
pub fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
