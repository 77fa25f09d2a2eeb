//! Seeded defects: rules that tests can break, one at a time. A test suite that detects none of them tests
//! nothing.
//!
//! Each rule is queried at the one place where it is applied. Without the feature `on` of `defect_switch` no rule is broken
//! and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A message has the values of variables after the block, not at the send.
    ContentsAfterBlock,
    /// From an arbitrary start the first activation comes as soon as from the initial state.
    FirstNotWidened,
    /// No node is activated more often than the early node.
    HorizonShort,
    /// Events that can be at the same time occur in one order only.
    TiesOneWay,
    /// An inbox keeps its contents when it is cleared.
    ClearedStays,
    /// Nodes that are off or mute send.
    OffNodesSend,
    /// Deaf nodes receive.
    DeafNodesHear,
    /// No cut is later than the first activation of a node that is off.
    OffNodesHoldTime,
    /// Inboxes that begin with anything begin only with messages of nodes that can send.
    LeftoversForgotten,
    /// The initial states are not checked.
    StartNotLookedAt,
    /// A lemma uses a gap backwards as one forwards.
    LemmaTooStrong,
    /// Of several messages of a sender the first is kept.
    FirstIsLatest,
    /// Only the first cut at which a count is reached is checked.
    FirstMomentOnly,
    /// A strict comparison of a count is treated as a weak one.
    ReachOneLess,
    /// From an arbitrary start variables have their initial values.
    VariablesAsAtFirst,
    /// From an arbitrary start inboxes have their initial contents.
    InboxesAsAtFirst,
    /// From an arbitrary start no message is in transit.
    OnTheWayForgotten,
    /// A message that has arrived before one activation need not have arrived before the next.
    ArrivedAndGone,
    /// Later messages may arrive sooner, even in a fifo channel.
    FifoOvertakes,
    /// Lost messages arrive.
    LostArrives,
    /// From an arbitrary start no message may be lost any more.
    LossesUsedUp,
    /// Inboxes are assumed to hold a message of every sender where they do not.
    FilledThoughNot,
    /// Phases are ordered also among nodes that are not interchangeable.
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

/// Whether a test breaks the rule.
#[inline(always)]
pub fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
