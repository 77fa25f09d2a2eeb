//! Faults of nodes, from the start and during a run.

/// A fault of a node from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Fault {
    Off,
    Mute,
    Deaf,
    Isolated,
}

/// An item of `faults`: the kind to which it applies, the largest number of affected nodes, and the faults that they
/// may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub kind: Option<usize>,
    pub at_most: Option<i128>,
    /// The possible faults from the start.
    pub modes: Vec<Fault>,
    /// The possible faults during a run.
    pub runtime_faults: Vec<RuntimeFault>,
}

/// A fault of a node during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuntimeFault {
    Crash {
        during_broadcast: bool,
    },
    Stop {
        fresh: bool,
        /// The time until the node restarts, in the numbers of the file; `None` if it is not bounded.
        within: Option<(i128, i128)>,
    },
}
