//! Seeded defects: rules of the engine that tests can break, one at a time, to show that the tests notice.
//!
//! The engine queries each defect at the one place where it follows the rule. Without the feature `on` of `defect_switch` no rule is
//! broken, and the queries cost nothing.

pub use defect_switch::Breaking;
use defect_switch::{Rule, broken_rule, is_broken};
use machine::{Machine, OrderConstraints};

/// A rule that the engine breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A node with a non-empty outbox runs blocks of its own.
    BusyNodeActs,
    /// A node with a non-empty outbox receives messages.
    BusyNodeReceives,
    /// A full channel accepts one more message.
    FullChannelTakesOneMore,
    /// A message without room is dropped instead of waiting in the outbox.
    NoOutbox,
    /// States that differ in their outboxes are equal.
    OutboxForgotten,
    /// Any message of a queue can be the next.
    MessagesOvertake,
    /// An unordered channel has no message twice.
    BagForgetsCopies,
    /// A halted node keeps receiving messages.
    HaltedNodeReceives,
    /// A block continues after `halt`.
    HaltGoesOn,
    /// A node receives messages before its start.
    StartNotFirst,
    /// A block handles a message whatever its guard says.
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
    /// An inbox has no message of a sender twice.
    InboxForgetsCopies,
    /// An inbox keeps older messages of the same sender.
    LatestKeepsAll,
    /// Clearing an inbox keeps its messages.
    ClearKeeps,
    /// The inbox of a node that halts is kept.
    HaltKeepsInbox,
    /// All inbox entries are from the first node.
    SendersForgotten,
    /// Messages of a mute or isolated node have an effect.
    MuteNodeSends,
    /// A deaf or isolated node receives messages.
    DeafNodeReceives,
    /// A node that is off runs blocks of its own.
    OffNodeRuns,
    /// Where messages arrive at once, those sent last arrive first.
    InstantReversed,
    /// Where messages arrive at once, other events may fire before all nodes have started.
    InstantStartsLate,
    /// A node may be one more activation ahead of the others.
    RoundOneMore,
    /// Order rules require no activations.
    LeastIgnored,
    /// Order rules allow any number of activations.
    MostIgnored,
    /// A halted node holds others back.
    HaltedHoldsBack,
    /// A number out of range is stored.
    OutOfRangeStored,
    /// Runs need not be fair.
    FairnessIgnored,
    /// Fairness requires what is enabled infinitely often.
    FairnessStrong,
    /// Fairness refers to nodes, not to each of their blocks.
    FairnessPerNode,
    /// A lossy edge may lose all messages for ever.
    LossyFairnessIgnored,
    /// Initial states are not evaluated.
    InitialStatesUnseen,
    /// The run leads to the last violation, not to the first.
    NotShortest,
    /// Stuttering runs are ignored.
    StandingStillForgotten,
    /// Only the first acceptance mark of an automaton counts.
    MarksForgotten,
    /// An error of the code is no answer.
    ErrorsForgotten,
    /// Only the first value of an undecided component is tried.
    DecidedOneWay,
    /// Components stay undecided though a condition that reads them may have no value.
    DecidedPastErrors,
    /// Data abstraction: a value that becomes unknown keeps its old value.
    UnknownIsOld,
    /// Data abstraction: an unknown condition is false.
    UnknownIsFalse,
    /// Data abstraction: a value that may be an error becomes unknown.
    ErrorsUnknown,
    /// Counters in channels are not shifted with the others of their class.
    ShiftForgetsChannels,
    /// States that differ in the counters of variables are equal.
    CountersForgotten,
    /// Transition cache: the inbox is not part of the key.
    LearntWithoutInbox,
    /// Transition cache: the message is not part of the key.
    LearntWithoutMessage,
    /// Transition cache: every channel has room.
    LearntFindsRoom,
    /// Partial-order reduction: all events are invisible.
    NothingSeen,
    /// Partial-order reduction: an error may be fired alone.
    ErrorsUnseen,
    /// Partial-order reduction: no cycle proviso.
    CyclesForgotten,
    /// Partial-order reduction: an empty edge stays empty.
    EmptyEdgesForgotten,
    /// Partial-order reduction: transmissions are invisible.
    TransmitUnseen,
    /// Partial-order reduction: only fired events count as enabled.
    OwedOfChosen,
    /// Partial-order reduction: fairness does not depend on the order of events.
    OwedInAnyOrder,
    /// Partial-order reduction: all code of a node is independent.
    UpdatesInAnyOrder,
    /// Partial-order reduction: the messages of a node may be in any order.
    SendsInAnyOrder,
    /// Partial-order reduction: an event that is invisible now stays invisible.
    SeenNowOnly,
    /// Partial-order reduction: an outbox that waits for room waits for ever.
    ReadersForgotten,
    /// Partial-order reduction: a message behind another one is never delivered.
    HeadsForgotten,
    /// Partial-order reduction: a non-empty unordered edge gets no more messages.
    BagsLikeQueues,
    /// Partial-order reduction: it always applies.
    NeverAside,
    /// Permutations keep node names in variables.
    NamesStay,
    /// Permutations keep clocks and runtime faults of nodes.
    SharesStay,
    /// Permutations keep the receivers of outbox items.
    OutboxesStay,
    /// Permutations do not sort unordered channels.
    MovedBagsUnsorted,
    /// Permutations do not sort inboxes.
    MovedInboxesUnsorted,
    /// Permutations ignore names in claims.
    NamesInClaimsIgnored,
    /// Permutations ignore names in initial states.
    NamesAtFirstIgnored,
    /// Permutations ignore maps between nodes.
    MapsIgnored,
    /// Permutations ignore frozen values and faults.
    FrozenIgnored,
    /// Permutations ignore dependence on the order of nodes.
    NodeOrderIgnored,
    /// Symmetry reduction ignores fairness.
    FairnessUpToSymmetry,
    /// Symmetry reduction applies to temporal claims about one node.
    AtomsOfOneNode,
    /// A claim about each node is checked for the first, symmetric or not.
    OneForOthers,
    /// Runs through canonical states are not unfolded.
    RunsNotUnfolded,
    /// A loop is unfolded once, whatever permutation it makes.
    LoopsNotUnfolded,
    /// Early check: transitions to unknown states stay in their state.
    LeavingStays,
    /// Early check: transitions to unknown states are disabled.
    LeavingImpossible,
    /// Early check: runs need not be fair.
    EarlyUnfair,
    /// Early check: a claim without a violation so far holds.
    EarlyHolds,
}

impl Defect {
    /// All defects that are not about reductions.
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

/// Whether a test breaks the rule.
#[inline(always)]
pub(crate) fn broken(rule: Defect) -> bool {
    is_broken(rule)
}

/// Whether a rule is broken that takes effect where events are fired, not where the transition cache answers.
#[inline(always)]
pub(crate) fn seen_where_computed() -> bool {
    use Defect::{LearntFindsRoom, LearntWithoutInbox, LearntWithoutMessage};
    let cached = [LearntFindsRoom, LearntWithoutInbox, LearntWithoutMessage];
    broken_rule::<Defect>().is_some_and(|rule| cached.iter().all(|one| one.number() != rule))
}

/// The pace of a Machine, under the active defect.
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
                rule.most = Some(99); // more than there are, and as many numbers as before
            }
        }
    }
    OrderConstraints::of(&machine)
}
