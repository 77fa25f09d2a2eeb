//! Compiled events, and their effects beside the new state.

use crate::program::expression::NoValue;
use crate::state::layout::NoRoom;
use crate::state::partial_value::LazyComponent;
use machine::{BlockId, EdgeId, NodeId, Outcome, RuntimeFaultId, Type};

/// The effects of an event beside the new state.
#[derive(Default)]
pub(crate) struct Effects {
    /// Messages sent by the block, put on a channel or not.
    pub(crate) sent: Vec<(EdgeId, i64)>,
    /// Messages put on a channel.
    pub(crate) put: Vec<(EdgeId, i64)>,
    /// The types of the choices.
    pub(crate) chosen: Vec<Type>,
    /// Blocks that ran, including those of receivers that took a message at once.
    pub(crate) ran: Vec<BlockId>,
    /// For a crash during an event: what its code would have sent.
    pub(crate) unfinished: Option<Unfinished>,
    /// A buffer for the locals of a block.
    pub(crate) locals: Vec<i64>,
    /// A buffer for the numbers of the pace.
    pub(crate) pace: Vec<i64>,
}

/// The messages that the code of an event would have sent with these picks.
pub(crate) struct Unfinished {
    pub(crate) picks: Vec<i64>,
    /// The types of the picks.
    pub(crate) chosen: Vec<Type>,
    pub(crate) sent: Vec<(EdgeId, i64)>,
}

impl Unfinished {
    /// Whether it belongs to a proper prefix of these picks.
    pub(crate) fn is_for(&self, picks: &[i64]) -> bool {
        picks.len() > self.picks.len() && picks.starts_with(&self.picks)
    }
}

/// Why a block did not run to its end.
pub(crate) enum Stop {
    Broken,
    NoRoom,
    /// It must choose one of these values.
    Choose(Vec<i64>),
    /// It reads an undecided component.
    Undecided(LazyComponent),
    /// It needs an unknown value: the data abstraction is too coarse.
    TooCoarse,
    /// A node crashes while it sends more messages than have their subsets enumerated.
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

/// An event, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CompiledEvent {
    Run(NodeId, BlockId),
    Transmit(NodeId),
    /// The timer with this index among the node's timers.
    Expire(NodeId, u32, BlockId),
    Crash(NodeId, RuntimeFaultId),
    CrashDuring(RuntimeFaultId, SendingEvent),
    Stop(NodeId, RuntimeFaultId),
    Restart(NodeId),
    /// Time passes.
    Wait,
    /// The message at this place of the channel.
    Deliver {
        edge: EdgeId,
        place: usize,
        message: i64,
        outcome: Outcome,
    },
}

/// An event whose code sends and can be interrupted by a crash.
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

/// A message that is delivered, by its edge and number.
pub(crate) type Arrival = (EdgeId, i64);
