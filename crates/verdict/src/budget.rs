//! What an engine may spend, and what it tells while it works.

use crate::CheckpointStore;
use serde::{Deserialize, Serialize};

/// How far an engine is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States found but not looked at.
    pub waiting: u64,
    /// Choices taken.
    pub transitions: u64,
    /// Events from an initial state.
    pub depth: u64,
    /// Bytes in use.
    pub memory: u64,
    /// How many more states there may be, at least and at most; only where that can be told.
    pub left: Option<(u64, u64)>,
    /// Which arrangement it is at, from 1, and of how many, where there are several and somebody counted them.
    pub arrangement: Option<(u64, u64)>,
}

/// Which limit is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spent {
    /// The time limit, as given.
    Time(String),
    /// The memory limit, as given.
    Memory(String),
    /// Somebody wants it to stop.
    Interrupted,
    /// It was to be no more than a brief attempt: somebody goes on in another way, and needs no account of it.
    Brief,
}

impl std::fmt::Display for Spent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Spent::Time(limit) => write!(f, "time limit {limit} reached"),
            Spent::Memory(limit) => write!(f, "memory limit {limit} reached"),
            Spent::Interrupted => f.write_str("interrupted"),
            Spent::Brief => f.write_str("given up"),
        }
    }
}

/// How visited states are kept, by whoever visits states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Each as a row of numbers.
    #[default]
    Plain,
    /// So, until more than so many bytes are in use; from then on what states have in common is kept once.
    AsNeeded(u64),
    /// What states have in common is kept once.
    Compressed,
    /// Only so many bits of a hash of each, so that states may be missed: nothing is proved.
    Hashes(u32),
}

/// An engine asks it every few thousand steps whether to go on.
pub trait Budget {
    /// Takes note of the progress; the limit that is reached, if one is.
    fn ask(&self, progress: &Progress) -> Option<Spent>;

    /// How many may work at the same time, where that is possible.
    fn threads(&self) -> usize {
        1
    }

    /// Who visits states asks at least once for so many of them.
    fn stride(&self) -> u32 {
        1024
    }

    /// Who visits states looks for the first time for runs that go on for ever when there are so many of them.
    fn first_look(&self) -> u32 {
        1024
    }

    /// The SAT solver that engines use. A budget that wraps another one must forward it.
    fn solver(&self) -> sat::Backend {
        sat::Backend::BATSAT
    }

    /// How visited states are kept.
    fn storage(&self) -> Storage {
        Storage::Plain
    }

    /// Who keeps what is found, for another process to go on from, if somebody does.
    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        None
    }
}

/// No limits.
pub struct Unlimited;

impl Budget for Unlimited {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        None
    }
}
