//! The budget of an engine, and its progress reports.

use crate::{CheckpointStore, Question, Refusal, Report};
use serde::{Deserialize, Serialize};

/// The progress of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States found but not expanded.
    pub waiting: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Number of events from an initial state.
    pub depth: u64,
    /// Memory in use, in bytes.
    pub memory: u64,
    /// An estimate of the number of remaining states, minimum and maximum, if there is one.
    pub left: Option<(u64, u64)>,
    /// The current frozen choice, from 1, and their number, if there are several and they were counted.
    pub arrangement: Option<(u64, u64)>,
}

/// The limit that is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spent {
    /// The time limit, as given.
    Time(String),
    /// The memory limit, as given.
    Memory(String),
    /// An interruption was requested.
    Interrupted,
    /// The attempt was limited to be brief: the caller continues in another way and does not report it.
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

/// How an explicit-state engine stores visited states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Each state as a row of numbers.
    #[default]
    Plain,
    /// `Plain` up to this many bytes, then `Compressed`.
    AsNeeded(u64),
    /// Components that states share are stored once.
    Compressed,
    /// Hash compaction with this many bits per state. States may be missed: nothing is proved.
    Hashes(u32),
}

/// The budget that an engine consults every few thousand steps.
pub trait Budget {
    /// Records the progress; returns the limit that is reached, if any.
    fn ask(&self, progress: &Progress) -> Option<Spent>;

    /// Maximum number of threads.
    fn threads(&self) -> usize {
        1
    }

    /// An explicit-state engine consults the budget at least once per this many states.
    fn stride(&self) -> u32 {
        1024
    }

    /// Number of states at which an explicit-state engine first searches for accepting cycles.
    fn first_look(&self) -> u32 {
        1024
    }

    /// The SAT solver that engines use. A budget that wraps another one must forward it.
    fn solver(&self) -> sat::Backend {
        sat::Backend::BATSAT
    }

    /// The storage of visited states.
    fn storage(&self) -> Storage {
        Storage::Plain
    }

    /// The store for checkpoints, if the search is to be resumable.
    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        None
    }
}

/// An engine: answers every property of the question within a budget, or refuses.
pub type Engine<'e> = &'e dyn Fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal>;

/// No limits.
pub struct Unlimited;

impl Budget for Unlimited {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        None
    }
}
