//! Seeded defects: side conditions of the rule that a test can break, one at a time, to show that the tests detect the defect.
//!
//! Each defect is queried at the one place that applies the condition. Without the feature `on` of the crate
//! `defect_switch`, no condition is broken and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, is_broken};

/// A defect, named by the wrong behaviour that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Every read is assumed to find a message of every sender, although inboxes may begin without one.
    FilledThoughNot,
    /// A message is what the block would send from the state after the block.
    ContentsAfterBlock,
    /// An invariant is assumed from the start although initial states were not checked.
    StartNotLookedAt,
    /// Messages that inboxes hold at the cut satisfy what is right.
    LeftoversAreRight,
    /// Inboxes that begin with anything hold no messages of nodes that cannot send.
    LeftoversOfSilentForgotten,
    /// A part is right at its time, not only later.
    RightAtOnce,
    /// After a cut the first activation comes as early as after the start of a run.
    FirstNotWidened,
    /// A part may rely on itself for other nodes.
    Circular,
    /// An equality of sets is right as soon as one direction of it is.
    OneDirection,
    /// Different names of the claim denote different nodes.
    NamesDiffer,
    /// The errors of code and claim are not checked.
    ErrorsIgnored,
    /// Limits of faults that depend on the size are those of the least size.
    LimitOfLeastSize,
    /// Messages take no time.
    DelaysForgotten,
    /// Nodes that are off or mute send.
    SilentNodesSend,
    /// An inbox that holds all messages is treated as if it held only the latest of each sender.
    AllIsLatest,
    /// The steps of a loop over nodes may depend on each other.
    StepsDepend,
}

impl Defect {
    /// All defects.
    pub const ALL: [Defect; 16] = [
        Defect::FilledThoughNot,
        Defect::ContentsAfterBlock,
        Defect::StartNotLookedAt,
        Defect::LeftoversAreRight,
        Defect::LeftoversOfSilentForgotten,
        Defect::RightAtOnce,
        Defect::FirstNotWidened,
        Defect::Circular,
        Defect::OneDirection,
        Defect::NamesDiffer,
        Defect::ErrorsIgnored,
        Defect::LimitOfLeastSize,
        Defect::DelaysForgotten,
        Defect::SilentNodesSend,
        Defect::AllIsLatest,
        Defect::StepsDepend,
    ];
}

impl Rule for Defect {
    fn number(self) -> u32 {
        self as u32
    }
}

/// Whether a test has broken the condition.
#[inline(always)]
pub fn broken(rule: Defect) -> bool {
    is_broken(rule)
}
