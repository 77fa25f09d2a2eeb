//! The budget of an engine, and its progress reports.

use crate::{CheckpointStore, Question, Refusal, Report, Spent};
use serde::{Deserialize, Serialize};

/// The progress of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Number of states found.
    pub states: u64,
    /// Number of states found but not yet expanded.
    pub waiting: u64,
    /// Number of transitions computed.
    pub transitions: u64,
    /// Distance of the current level from the initial states, in events.
    pub depth: u64,
    /// Memory in use, in bytes.
    pub memory: u64,
    /// An estimate of the number of remaining states (minimum, maximum); `None` if there is no estimate.
    pub left: Option<(u64, u64)>,
    /// The number of the current frozen choice, from 1, and the number of all choices; `None` if there is only one or
    /// they were not counted.
    pub arrangement: Option<(u64, u64)>,
    /// If counters grow apart: two of them already differ by more than this.
    #[serde(default)]
    pub apart: Option<i64>,
}

/// How an explicit-state engine stores visited states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Each state as a row of numbers.
    #[default]
    Plain,
    /// `Plain` until it uses this many bytes, then `Compressed`.
    AsNeeded(u64),
    /// Tree compression: states share equal parts.
    Compressed,
    /// Hash compaction with this many bits per state. States may be missed, so nothing is proved.
    Hashes(u32),
}

/// The budget of an engine, which the engine consults regularly.
pub trait Budget {
    /// Reports the progress; returns the limit that was reached, if any.
    fn ask(&self, progress: &Progress) -> Option<Spent>;

    /// Maximum number of threads.
    fn threads(&self) -> usize {
        1
    }

    /// An explicit-state engine consults the budget at least once per this number of states.
    fn stride(&self) -> u32 {
        1024
    }

    /// The number of states after which an explicit-state engine first searches for accepting cycles.
    fn first_look(&self) -> u32 {
        1024
    }

    /// The SAT solver for engines. A budget that wraps another one must forward it.
    fn solver(&self) -> sat::Backend {
        sat::Backend::BATSAT
    }

    /// How visited states are stored.
    fn storage(&self) -> Storage {
        Storage::Plain
    }

    /// The store for checkpoints; `None` if the search keeps none.
    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        None
    }
}

/// An engine: answers every property of the question within a budget, or refuses.
pub type Engine<'e> = &'e dyn Fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal>;

/// A budget without limits.
pub struct Unlimited;

impl Budget for Unlimited {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        None
    }
}
