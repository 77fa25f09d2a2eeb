//! Faults of nodes: from the start, and during a run.

/// A fault of a node from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Fault {
    Off,
    Mute,
    Deaf,
    Isolated,
}

/// One item of `faults`: a kind, a maximum number of nodes, and faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub kind: Option<usize>,
    pub at_most: Option<i128>,
    /// Faults from the start.
    pub modes: Vec<Fault>,
    /// Faults at any time.
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
        /// When it restarts, in the numbers of the file.
        within: Option<(i128, i128)>,
    },
}
