//! Compiled events, and their effects other than the new state.

use crate::program::expression::NoValue;
use crate::state::layout::NoRoom;
use crate::state::partial_value::LazyComponent;
use machine::{BlockId, EdgeId, NodeId, Outcome, RuntimeFaultId, Type};

/// The effects of an event other than the new state.
#[derive(Default)]
pub(crate) struct Effects {
    /// Messages sent by blocks, whether they were put on a channel or not.
    pub(crate) sent: Vec<(EdgeId, i64)>,
    /// Messages put on a channel.
    pub(crate) put: Vec<(EdgeId, i64)>,
    /// The types of the chosen values.
    pub(crate) chosen: Vec<Type>,
    /// Blocks that ran, including those of receivers of instant messages.
    pub(crate) ran: Vec<BlockId>,
    /// For a crash during an event: the messages that its code would have sent.
    pub(crate) unfinished: Option<Unfinished>,
    /// Buffer for the local names of a block.
    pub(crate) locals: Vec<i64>,
    /// Buffer for the state of the order constraints.
    pub(crate) pace: Vec<i64>,
}

/// The messages that the code of an event would have sent with the choices `picks`.
pub(crate) struct Unfinished {
    pub(crate) picks: Vec<i64>,
    /// The types of `picks`.
    pub(crate) chosen: Vec<Type>,
    pub(crate) sent: Vec<(EdgeId, i64)>,
}

impl Unfinished {
    /// Whether it was recorded for a proper prefix of these choices.
    pub(crate) fn is_for(&self, picks: &[i64]) -> bool {
        picks.len() > self.picks.len() && picks.starts_with(&self.picks)
    }
}

/// Why the execution of an event did not complete.
pub(crate) enum Stop {
    /// The event is an error.
    Broken,
    /// A container of the layout is too small.
    NoRoom,
    /// A value must be chosen from this set.
    Choose(Vec<i64>),
    /// It reads an undecided component, which must be decided first.
    Undecided(LazyComponent),
    /// It needs a value that is unknown in the data abstraction.
    TooCoarse,
    /// A node crashes while it sends more than 16 messages, so that their subsets are too many to enumerate.
    TooMany,
}

impl From<NoValue> for Stop {
    fn from(why: NoValue) -> Stop {
        match why {
            NoValue::Broken => Stop::Broken,
            NoValue::Undecided(part) => Stop::Undecided(part),
            NoValue::Unknown => Stop::TooCoarse,
        }
    }
}

impl From<NoRoom> for Stop {
    fn from(_: NoRoom) -> Stop {
        Stop::NoRoom
    }
}

/// An event of the compiled Machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CompiledEvent {
    Run(NodeId, BlockId),
    Transmit(NodeId),
    /// The expiry of the timer with this index among the node's timers.
    Expire(NodeId, u32, BlockId),
    Crash(NodeId, RuntimeFaultId),
    CrashDuring(RuntimeFaultId, SendingEvent),
    Stop(NodeId, RuntimeFaultId),
    Restart(NodeId),
    /// One unit of time passes.
    Wait,
    /// The delivery, repetition or loss of the message at index `place` of the channel.
    Deliver {
        edge: EdgeId,
        place: usize,
        message: i64,
        outcome: Outcome,
    },
}

/// An event whose code may send messages, so that a crash can interrupt it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SendingEvent {
    Run(NodeId, BlockId),
    Expire(NodeId, u32, BlockId),
    HandOver {
        edge: EdgeId,
        place: usize,
        message: i64,
        block: BlockId,
    },
}

/// A delivered message: its edge and number.
pub(crate) type Arrival = (EdgeId, i64);
