//! Seeded defects: rules of the engine that tests can break, one at a time, to show that the tests detect the defect.
//!
//! The engine queries each defect where it follows the rule. Without the feature `on` of `defect_switch` no rule is
//! broken, and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, broken_rule, is_broken};
use machine::{Machine, OrderConstraints};

/// How the engine breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A node with a non-empty outbox runs blocks of its own.
    BusyNodeActs,
    /// A node with a non-empty outbox receives messages.
    BusyNodeReceives,
    /// A full channel accepts one more message.
    FullChannelTakesOneMore,
    /// A message that finds no room is dropped instead of waiting in the outbox.
    NoOutbox,
    /// Two states that differ only in their outboxes are identified.
    OutboxForgotten,
    /// Any message of a FIFO channel can be delivered next.
    MessagesOvertake,
    /// An unordered channel contains no message twice.
    BagForgetsCopies,
    /// A halted node keeps receiving messages.
    HaltedNodeReceives,
    /// A block continues after `halt`.
    HaltGoesOn,
    /// A node receives messages before its start.
    StartNotFirst,
    /// A block handles a message even if its guard is false.
    GuardsIgnored,
    /// The last block that handles a message runs instead of the first.
    LastBlockFirst,
    /// Losing a message does not use up the limit.
    LossIsFree,
    /// A repeated message is removed from its channel.
    RepeatTakes,
    /// A message without a handler is dropped.
    UnhandledDropped,
    /// `choose` takes one of the first two values.
    ChooseFirstTwo,
    /// An inbox contains no message of a sender twice.
    InboxForgetsCopies,
    /// An inbox that keeps the latest message also keeps older ones of the same sender.
    LatestKeepsAll,
    /// Clearing an inbox has no effect.
    ClearKeeps,
    /// The inbox of a node that halts is kept.
    HaltKeepsInbox,
    /// All inbox entries have the first node as sender.
    SendersForgotten,
    /// A node that is off, mute or isolated sends messages.
    MuteNodeSends,
    /// A node that is off, deaf or isolated receives messages.
    DeafNodeReceives,
    /// A node that is off runs blocks of its own.
    OffNodeRuns,
    /// On instant channels, messages sent last arrive first.
    InstantReversed,
    /// On instant channels, other events may fire before all nodes have started.
    InstantStartsLate,
    /// A node may be one activation further ahead of the others than its rounds allow.
    RoundOneMore,
    /// The lower bounds of order rules are ignored.
    LeastIgnored,
    /// The upper bounds of order rules are ignored.
    MostIgnored,
    /// A halted node restricts the activations of others.
    HaltedHoldsBack,
    /// A number out of range is stored.
    OutOfRangeStored,
    /// Fairness is ignored.
    FairnessIgnored,
    /// Weak fairness is replaced by strong fairness: an event must occur if it is enabled infinitely often.
    FairnessStrong,
    /// The fairness unit is the node instead of each of its blocks.
    FairnessPerNode,
    /// A lossy edge may lose all messages for ever.
    LossyFairnessIgnored,
    /// Initial states are not evaluated.
    InitialStatesUnseen,
    /// A run may lead to a later violation than the first.
    NotShortest,
    /// Stuttering runs are ignored.
    StandingStillForgotten,
    /// Only the first acceptance mark of an automaton counts.
    MarksForgotten,
    /// Errors of the code are not reported.
    ErrorsForgotten,
    /// Only the first value of an undecided component is tried.
    DecidedOneWay,
    /// Components read by a condition that may have no value stay undecided.
    DecidedPastErrors,
    /// Data abstraction: a variable to which an unknown value is assigned keeps its old value.
    UnknownIsOld,
    /// Data abstraction: an unknown condition counts as false.
    UnknownIsFalse,
    /// Data abstraction: an expression whose evaluation may be an error becomes unknown.
    ErrorsUnknown,
    /// Counters in channels are not shifted with the others of their class.
    ShiftForgetsChannels,
    /// Two states that differ only in counter variables are identified.
    CountersForgotten,
    /// Transition cache: the inbox is not part of the key.
    LearntWithoutInbox,
    /// Transition cache: the message is not part of the key.
    LearntWithoutMessage,
    /// Transition cache: no channel is ever full.
    LearntFindsRoom,
    /// Partial-order reduction: all events are invisible.
    NothingSeen,
    /// Partial-order reduction: a set with an event that is an error may be chosen.
    ErrorsUnseen,
    /// Partial-order reduction: the cycle proviso is omitted.
    CyclesForgotten,
    /// Partial-order reduction: the writer of an empty edge is not needed.
    EmptyEdgesForgotten,
    /// Partial-order reduction: transmissions count as invisible even if a property reads bounded channels.
    TransmitUnseen,
    /// Partial-order reduction: only the fired events count as enabled.
    OwedOfChosen,
    /// Partial-order reduction: claims are not checked again under weaker fairness.
    OwedInAnyOrder,
    /// Partial-order reduction: all updates of a node count as independent.
    UpdatesInAnyOrder,
    /// Partial-order reduction: items that send on the same FIFO channel count as independent.
    SendsInAnyOrder,
    /// Partial-order reduction: an event that is invisible now counts as invisible later.
    SeenNowOnly,
    /// Partial-order reduction: the reader of a full edge is not needed.
    ReadersForgotten,
    /// Partial-order reduction: the process that handles the first message of an edge is not needed.
    HeadsForgotten,
    /// Partial-order reduction: a non-empty unordered edge is treated like a FIFO channel.
    BagsLikeQueues,
    /// Partial-order reduction: it applies to every Machine.
    NeverAside,
    /// A permutation does not rename nodes in variables.
    NamesStay,
    /// A permutation does not move clocks, runtime faults and order constraints of nodes.
    SharesStay,
    /// A permutation does not change the receivers of outbox items.
    OutboxesStay,
    /// A permutation does not sort unordered channels again.
    MovedBagsUnsorted,
    /// A permutation does not sort inboxes again.
    MovedInboxesUnsorted,
    /// The symmetry group moves nodes named in properties.
    NamesInClaimsIgnored,
    /// The symmetry group moves nodes named in initial values.
    NamesAtFirstIgnored,
    /// The symmetry group does not preserve maps between nodes.
    MapsIgnored,
    /// The symmetry group does not preserve frozen values and permanent faults.
    FrozenIgnored,
    /// Symmetry reduction applies even if code depends on the order of nodes.
    NodeOrderIgnored,
    /// Fairness is decided on canonical forms.
    FairnessUpToSymmetry,
    /// Symmetry reduction applies to temporal claims about single nodes.
    AtomsOfOneNode,
    /// A claim about each node is checked for the first one, even if nodes are not symmetric.
    OneForOthers,
    /// Runs through canonical forms are not unfolded.
    RunsNotUnfolded,
    /// A cycle is unfolded once, even if it permutes nodes.
    LoopsNotUnfolded,
    /// Early check: a transition to a state that is not expanded stays in its source.
    LeavingStays,
    /// Early check: a transition to a state that is not expanded counts as disabled.
    LeavingImpossible,
    /// Early check: fairness is ignored.
    EarlyUnfair,
    /// Early check: a claim without a violation so far counts as proved.
    EarlyHolds,
}

impl Defect {
    /// All defects outside of partial-order reduction, symmetry reduction and early checks.
    pub const ALL: [Defect; 50] = [
        Defect::BusyNodeActs,
        Defect::BusyNodeReceives,
        Defect::FullChannelTakesOneMore,
        Defect::NoOutbox,
        Defect::OutboxForgotten,
        Defect::MessagesOvertake,
        Defect::BagForgetsCopies,
        Defect::HaltedNodeReceives,
        Defect::HaltGoesOn,
        Defect::StartNotFirst,
        Defect::GuardsIgnored,
        Defect::LastBlockFirst,
        Defect::LossIsFree,
        Defect::RepeatTakes,
        Defect::UnhandledDropped,
        Defect::ChooseFirstTwo,
        Defect::InboxForgetsCopies,
        Defect::LatestKeepsAll,
        Defect::ClearKeeps,
        Defect::HaltKeepsInbox,
        Defect::SendersForgotten,
        Defect::MuteNodeSends,
        Defect::DeafNodeReceives,
        Defect::OffNodeRuns,
        Defect::InstantReversed,
        Defect::InstantStartsLate,
        Defect::RoundOneMore,
        Defect::LeastIgnored,
        Defect::MostIgnored,
        Defect::HaltedHoldsBack,
        Defect::OutOfRangeStored,
        Defect::FairnessIgnored,
        Defect::FairnessStrong,
        Defect::FairnessPerNode,
        Defect::LossyFairnessIgnored,
        Defect::InitialStatesUnseen,
        Defect::NotShortest,
        Defect::StandingStillForgotten,
        Defect::MarksForgotten,
        Defect::ErrorsForgotten,
        Defect::DecidedOneWay,
        Defect::DecidedPastErrors,
        Defect::UnknownIsOld,
        Defect::UnknownIsFalse,
        Defect::ErrorsUnknown,
        Defect::ShiftForgetsChannels,
        Defect::CountersForgotten,
        Defect::LearntWithoutInbox,
        Defect::LearntWithoutMessage,
        Defect::LearntFindsRoom,
    ];

    /// The defects of partial-order reduction.
    pub const OF_ORDERS: [Defect; 14] = [
        Defect::NothingSeen,
        Defect::ErrorsUnseen,
        Defect::CyclesForgotten,
        Defect::EmptyEdgesForgotten,
        Defect::TransmitUnseen,
        Defect::OwedOfChosen,
        Defect::OwedInAnyOrder,
        Defect::UpdatesInAnyOrder,
        Defect::SendsInAnyOrder,
        Defect::SeenNowOnly,
        Defect::ReadersForgotten,
        Defect::HeadsForgotten,
        Defect::BagsLikeQueues,
        Defect::NeverAside,
    ];

    /// The defects of symmetry reduction.
    pub const OF_SYMMETRY: [Defect; 15] = [
        Defect::NamesStay,
        Defect::SharesStay,
        Defect::OutboxesStay,
        Defect::MovedBagsUnsorted,
        Defect::MovedInboxesUnsorted,
        Defect::NamesInClaimsIgnored,
        Defect::NamesAtFirstIgnored,
        Defect::MapsIgnored,
        Defect::FrozenIgnored,
        Defect::NodeOrderIgnored,
        Defect::FairnessUpToSymmetry,
        Defect::AtomsOfOneNode,
        Defect::OneForOthers,
        Defect::RunsNotUnfolded,
        Defect::LoopsNotUnfolded,
    ];

    /// The defects of early checks of temporal claims.
    pub const EARLY: [Defect; 4] = [
        Defect::LeavingStays,
        Defect::LeavingImpossible,
        Defect::EarlyUnfair,
        Defect::EarlyHolds,
    ];
}

impl Rule for Defect {
    fn number(self) -> u32 {
        self as u32
    }
}

/// Whether a test breaks this rule.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}

/// Whether a broken rule takes effect where events are executed rather than in the transition cache. Then the cache
/// must not be used.
#[inline(always)]
pub(crate) fn seen_where_computed() -> bool {
    use Defect::{LearntFindsRoom, LearntWithoutInbox, LearntWithoutMessage};
    let cached = [LearntFindsRoom, LearntWithoutInbox, LearntWithoutMessage];
    broken_rule::<Defect>().is_some_and(|rule| cached.iter().all(|one| one.number() != rule))
}

/// The order constraints of a Machine, under the active defect.
pub(crate) fn pace_of(machine: &Machine) -> OrderConstraints {
    use machine::{Abstraction, Timing, Trigger};
    let rules = [
        Defect::RoundOneMore,
        Defect::LeastIgnored,
        Defect::MostIgnored,
    ];
    if !rules.into_iter().any(broken) {
        return OrderConstraints::of(machine);
    }
    let mut machine = machine.clone();
    for block in &mut machine.blocks {
        if let Trigger::Every(Timing::Round(lead)) = &mut block.trigger {
            *lead += u32::from(broken(Defect::RoundOneMore));
        }
    }
    if let Abstraction::Order(rules, _) = &mut machine.abstraction {
        for rule in rules {
            if broken(Defect::LeastIgnored) {
                rule.least = 0;
            }
            if broken(Defect::MostIgnored) || rule.most.is_none() {
                rule.most = Some(99); // a bound that is never reached; the state keeps its slots
            }
        }
    }
    OrderConstraints::of(&machine)
}
