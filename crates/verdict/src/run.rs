//! Runs: what an engine shows when a claim breaks or a condition is reached.

use machine::{Choice, Frozen, RunError, State};
use serde::{Deserialize, Serialize};

/// A run, by its choices. The states follow from the reference interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What never changes.
    pub frozen: Frozen,
    /// Where it begins.
    pub initial: State,
    /// What happens.
    pub choices: Vec<Choice>,
    /// How it goes on.
    pub ending: Ending,
}

/// How a run goes on behind its choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It does not matter.
    Open,
    /// Nothing can happen any more.
    StandsStill,
    /// The choices from this one on repeat for ever: the last leads back to the state before it.
    Loops(usize),
    /// The last choice is an error; or, if that is said of the state, the property has no value there.
    Error(RunError),
}
