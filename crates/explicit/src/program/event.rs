//! Events by numbers, and what they do beside the new state.

use crate::program::expression::NoValue;
use crate::state::layout::NoRoom;
use crate::state::partial_value::LazyComponent;
use machine::{BlockId, EdgeId, NodeId, Outcome, RuntimeFaultId, Type};

/// What an event did, beside the new state.
#[derive(Default)]
pub(crate) struct Effects {
    /// Sent by the block, on its way or not.
    pub(crate) sent: Vec<(EdgeId, i64)>,
    /// Put on its way.
    pub(crate) put: Vec<(EdgeId, i64)>,
    /// The types of what was chosen.
    pub(crate) chosen: Vec<Type>,
    /// Blocks that ran, those of receivers that took something at once included.
    pub(crate) ran: Vec<BlockId>,
    /// Of a crash during an event: what its code would have sent.
    pub(crate) unfinished: Option<Unfinished>,
    /// Room for the locals of the block.
    pub(crate) locals: Vec<i64>,
    /// Room for the numbers of the pace.
    pub(crate) pace: Vec<i64>,
}

/// What the code of an event would have sent, for these picks.
pub(crate) struct Unfinished {
    pub(crate) picks: Vec<i64>,
    /// The types of the picks.
    pub(crate) chosen: Vec<Type>,
    pub(crate) sent: Vec<(EdgeId, i64)>,
}

impl Unfinished {
    /// Whether it is for the first of these picks, and not for all.
    pub(crate) fn is_for(&self, picks: &[i64]) -> bool {
        picks.len() > self.picks.len() && picks.starts_with(&self.picks)
    }
}

/// Why a block did not run to its end.
pub(crate) enum Stop {
    Broken,
    NoRoom,
    /// It must choose among these.
    Choose(Vec<i64>),
    /// It reads something that must be decided first.
    Undecided(LazyComponent),
    /// It reads something unknown, and must know it.
    TooCoarse,
    /// A node crashes while it sends more messages than anybody goes through the sets of.
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
    /// The timer at the place of the node's timers.
    Expire(NodeId, u32, BlockId),
    Crash(NodeId, RuntimeFaultId),
    CrashDuring(RuntimeFaultId, SendingEvent),
    Stop(NodeId, RuntimeFaultId),
    Restart(NodeId),
    /// Time passes.
    Wait,
    /// The message at the place in the channel's slots.
    Deliver {
        edge: EdgeId,
        place: usize,
        message: i64,
        outcome: Outcome,
    },
}

/// An event whose code sends, by numbers.
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

/// A message that arrives, by its edge and number.
pub(crate) type Arrival = (EdgeId, i64);
