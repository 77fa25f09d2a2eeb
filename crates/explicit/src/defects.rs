//! Rules that tests can break, one at a time: a test that notices none of this is no test.
//!
//! Each is asked for at the one place where the engine follows the rule. Without the feature `defects`
//! nothing is broken and the questions cost nothing.

use machine::{Machine, OrderConstraints};

/// A rule that the engine does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A node with something in its outbox runs blocks of its own accord.
    BusyNodeActs,
    /// A node with something in its outbox takes messages.
    BusyNodeReceives,
    /// A full channel takes one more.
    FullChannelTakesOneMore,
    /// What finds no room is gone instead of waiting in the outbox.
    NoOutbox,
    /// States that differ in their outboxes are the same.
    OutboxForgotten,
    /// Any message of a queue can be the next.
    MessagesOvertake,
    /// A bag has no message twice.
    BagForgetsCopies,
    /// A halted node goes on taking messages.
    HaltedNodeReceives,
    /// A block goes on behind `halt`.
    HaltGoesOn,
    /// A node takes messages before its start.
    StartNotFirst,
    /// A block takes a message whatever its guard says.
    GuardsIgnored,
    /// The last block that takes a message runs instead of the first.
    LastBlockFirst,
    /// Losing a message does not use up the limit.
    LossIsFree,
    /// A repeated message is not there any more.
    RepeatTakes,
    /// A message that nobody handles is dropped.
    UnhandledDropped,
    /// `choose` takes one of the first two.
    ChooseFirstTwo,
    /// An inbox has no message of a sender twice.
    InboxForgetsCopies,
    /// An inbox keeps older messages of the same sender.
    LatestKeepsAll,
    /// What is in an inbox stays there when it is cleared.
    ClearKeeps,
    /// The inbox of a node that halts stays.
    HaltKeepsInbox,
    /// What is in inboxes is from the first node, whoever sent it.
    SendersForgotten,
    /// What a mute or isolated node sends has an effect.
    MuteNodeSends,
    /// A deaf or isolated node takes messages.
    DeafNodeReceives,
    /// A node that is off runs blocks of its own accord.
    OffNodeRuns,
    /// Where messages arrive at once, those sent last arrive first.
    InstantReversed,
    /// Where messages arrive at once, something may happen before all have started.
    InstantStartsLate,
    /// A node may be one more activation ahead of the others.
    RoundOneMore,
    /// No window needs activations.
    LeastIgnored,
    /// Windows have room for any number of activations.
    MostIgnored,
    /// A halted node holds others back.
    HaltedHoldsBack,
    /// A number out of range is stored.
    OutOfRangeStored,
    /// Runs need not be fair.
    FairnessIgnored,
    /// What is possible again and again is owed.
    FairnessStrong,
    /// Fairness is owed to nodes, not to each of their blocks.
    FairnessPerNode,
    /// A lossy edge may lose everything for ever.
    LossyFairnessIgnored,
    /// Initial states are not looked at.
    InitialStatesUnseen,
    /// The run is to the last such state, not to the first.
    NotShortest,
    /// A run that stands still is none.
    StandingStillForgotten,
    /// Only the first marks of an automaton matter.
    MarksForgotten,
    /// An error of the code is no answer.
    ErrorsForgotten,
    /// Of what is undecided only the first value is tried.
    DecidedOneWay,
    /// What a condition reads may stay undecided though it may have no value.
    DecidedPastErrors,
    /// What becomes unknown in a loose search keeps its value instead.
    UnknownIsOld,
    /// A loose search takes an unknown condition for false.
    UnknownIsFalse,
    /// A loose search forgets what may be an error.
    ErrorsUnknown,
    /// Counters in channels are not shifted with the others of their class.
    ShiftForgetsChannels,
    /// States that differ in the counters of variables are the same.
    CountersForgotten,
    /// What is in its inbox makes no difference to what a node was seen to do.
    LearntWithoutInbox,
    /// What was seen of a message is believed of every other of its edge.
    LearntWithoutMessage,
    /// What is sent as it was seen finds room on every channel.
    LearntFindsRoom,
    /// Leaving out orders of events: nobody sees anything.
    NothingSeen,
    /// Leaving out orders of events: an error may come before everything else.
    ErrorsUnseen,
    /// Leaving out orders of events: what is left out may be left out for ever.
    CyclesForgotten,
    /// Leaving out orders of events: nothing more will come on an edge that is empty.
    EmptyEdgesForgotten,
    /// Leaving out orders of events: nobody sees what goes out of an outbox.
    TransmitUnseen,
    /// Leaving out orders of events: only what is followed counts as possible.
    OwedOfChosen,
    /// Leaving out orders of events: what is owed does not depend on the order.
    OwedInAnyOrder,
    /// Leaving out orders of events: code of one node never disturbs other code of it.
    UpdatesInAnyOrder,
    /// Leaving out orders of events: what one node sends may be in any order.
    SendsInAnyOrder,
    /// Leaving out orders of events: what nobody sees now nobody sees later, whatever else its node does.
    SeenNowOnly,
    /// Leaving out orders of events: an outbox that waits for room waits for ever.
    ReadersForgotten,
    /// Leaving out orders of events: what stands behind another message never comes.
    HeadsForgotten,
    /// Leaving out orders of events: nothing more comes on an edge on which there is something.
    BagsLikeQueues,
    /// Leaving out orders of events: wherever it is asked to.
    NeverAside,
    /// When nodes get other names, what names them in variables stays.
    NamesStay,
    /// When nodes get other names, their rhythms and what faulted them stay.
    SharesStay,
    /// When nodes get other names, what is in outboxes goes where it went.
    OutboxesStay,
    /// When nodes get other names, bags are not put in order again.
    MovedBagsUnsorted,
    /// When nodes get other names, inboxes are not put in order again.
    MovedInboxesUnsorted,
    /// Nodes can change places whatever claims name.
    NamesInClaimsIgnored,
    /// Nodes can change places whatever initial states name.
    NamesAtFirstIgnored,
    /// Nodes can change places whatever the maps between them are.
    MapsIgnored,
    /// Nodes can change places whatever their constants and faults are.
    FrozenIgnored,
    /// Nodes can change places though something depends on their order.
    NodeOrderIgnored,
    /// States are taken up to symmetry though runs are fair.
    FairnessUpToSymmetry,
    /// States are taken up to symmetry though a temporal claim is about one node.
    AtomsOfOneNode,
    /// A claim about each node is asked about the first, whether they are alike or not.
    OneForOthers,
    /// Runs are shown as if the states that stand for others were those.
    RunsNotUnfolded,
    /// A loop is gone around once, whoever is who at its end.
    LoopsNotUnfolded,
    /// Before all states are known: what leads elsewhere stays where it is.
    LeavingStays,
    /// Before all states are known: what leads elsewhere is not possible.
    LeavingImpossible,
    /// Before all states are known: no run needs to be fair.
    EarlyUnfair,
    /// Before all states are known: what no run breaks so far holds.
    EarlyHolds,
}

#[cfg(feature = "defects")]
impl Defect {
    /// All of them, but for those of searches that leave something out.
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

    /// Those of the search that leaves out orders of events.
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

    /// Those of states up to symmetry.
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

    /// Those of temporal claims that are looked at before all states are known.
    pub const EARLY: [Defect; 4] = [
        Defect::LeavingStays,
        Defect::LeavingImpossible,
        Defect::EarlyUnfair,
        Defect::EarlyHolds,
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
    pub(crate) fn broken(rule: Defect) -> bool {
        ACTIVE.get() == Some(rule)
    }

    /// Whether a rule is broken that must be seen where events are computed, not where they are looked up.
    pub(crate) fn seen_where_computed() -> bool {
        use Defect::{LearntFindsRoom, LearntWithoutInbox, LearntWithoutMessage};
        let looked_up = [LearntFindsRoom, LearntWithoutInbox, LearntWithoutMessage];
        ACTIVE.get().is_some_and(|rule| !looked_up.contains(&rule))
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

/// The rhythm of a Machine, as far as the rules for it are followed.
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

#[cfg(feature = "defects")]
pub use active::Breaking;
#[cfg(feature = "defects")]
pub(crate) use active::{broken, seen_where_computed};

/// Whether the rule is broken.
#[cfg(not(feature = "defects"))]
pub(crate) const fn broken(_: Defect) -> bool {
    false
}

/// Whether a rule is broken that must be seen where events are computed.
#[cfg(not(feature = "defects"))]
pub(crate) const fn seen_where_computed() -> bool {
    false
}
