//! Runs: witnesses of answers.

use machine::{Choice, Frozen, RunError, State};
use serde::{Deserialize, Serialize};

/// A run, by its choices. The reference interpreter recomputes the states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The frozen choice.
    pub frozen: Frozen,
    /// The initial state.
    pub initial: State,
    /// The choices, in order.
    pub choices: Vec<Choice>,
    /// How the run continues after its choices.
    pub ending: Ending,
}

/// How a run continues after its choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// In any way.
    Open,
    /// It ends: no event is enabled.
    StandsStill,
    /// The choices from this index on repeat for ever: the last one leads back to the state before the first of them.
    Loops(usize),
    /// The last choice is an error; or the property is an error in the last state.
    Error(RunError),
}
