//! Runs: counterexamples and witnesses.

use machine::{Choice, Frozen, RunError, State};
use serde::{Deserialize, Serialize};

/// A run, given by its initial state and choices. The reference interpreter recomputes the other states.
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
    /// The continuation does not matter.
    Open,
    /// The run ends in a state without enabled events, which repeats for ever.
    StandsStill,
    /// A lasso: the choices from this index on repeat for ever. The last one leads back to the state before the first
    /// of them.
    Loops(usize),
    /// The last choice is a runtime error, or the evaluation of the property in the last state is one.
    Error(RunError),
}
