//! Faults of nodes: from the start, and in the middle of a run.

/// What is wrong with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Fault {
    Off,
    Mute,
    Deaf,
    Isolated,
}

/// One item: of which kind, how many nodes at most, with which faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub kind: Option<usize>,
    pub at_most: Option<i128>,
    /// From the start.
    pub modes: Vec<Fault>,
    /// At any time.
    pub runtime_faults: Vec<RuntimeFault>,
}

/// What may happen to a node at any time.
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
