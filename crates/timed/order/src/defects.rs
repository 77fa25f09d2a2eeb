//! Rules that tests can break, one at a time: a test that notices none of this is no test.
//!
//! Each is asked for at the one place where the rule is followed. Without the feature `defects` nothing is broken and the
//! questions cost nothing.

/// A rule that is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// What a message says is what variables are after the block, not at the send.
    ContentsAfterBlock,
    /// Behind any moment of a run the first activation comes as soon as where runs begin.
    FirstNotWidened,
    /// Nobody is activated more often than the node that is early.
    HorizonShort,
    /// What can happen at the same time happens in one order only.
    TiesOneWay,
    /// What is in an inbox stays there when it is cleared.
    ClearedStays,
    /// Who is off or mute sends.
    OffNodesSend,
    /// Who is deaf receives.
    DeafNodesHear,
    /// No moment is looked at that is later than the first activation of a node that is off.
    OffNodesHoldTime,
    /// Inboxes that begin with anything begin with messages of those only who can send.
    LeftoversForgotten,
    /// What happens first, where runs begin, is not looked at.
    StartNotLookedAt,
    /// A gap back is taken for one forth where the times of nodes say what cannot be.
    LemmaTooStrong,
    /// Of several messages of a sender the first is kept.
    FirstIsLatest,
    /// Only the first moment at which a count is reached is looked at.
    FirstMomentOnly,
    /// A count that must be greater is taken for one that must be as great.
    ReachOneLess,
    /// Behind any moment of a run variables are what they are at first.
    VariablesAsAtFirst,
    /// Behind any moment of a run inboxes are as they are at first.
    InboxesAsAtFirst,
    /// Behind any moment of a run nothing is on its path that was sent before.
    OnTheWayForgotten,
    /// What has arrived before one activation need not have before the next.
    ArrivedAndGone,
    /// What is sent later may arrive sooner, also where it may not.
    FifoOvertakes,
    /// What is lost arrives all the same.
    LostArrives,
    /// No message is lost before the beginning that is looked at, so that fewer may be lost.
    LossesUsedUp,
    /// Inboxes are taken to hold something from everybody where they do not.
    FilledThoughNot,
    /// Phases are put in order also of nodes that somebody tells apart.
    PhasesInOrder,
}

#[cfg(feature = "defects")]
impl Defect {
    /// All of them.
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

#[cfg(feature = "defects")]
mod active {
    use super::Defect;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Defect>> = const { Cell::new(None) };
    }

    /// Whether the rule is broken.
    pub fn broken(rule: Defect) -> bool {
        ACTIVE.get() == Some(rule)
    }

    /// Until this is dropped the rule is broken in this thread.
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
pub use active::broken;

/// Whether the rule is broken.
#[cfg(not(feature = "defects"))]
pub const fn broken(_: Defect) -> bool {
    false
}
